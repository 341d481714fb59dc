/** Reads the usage of a session's window, with a recommendation. */

import type { ContextConfig } from "../config/schema.ts";
import { recommend } from "../gauge/advice.ts";
import { type AnyPressure, pressureOrEstimate, recommendationOf } from "../gauge/any_pressure.ts";
import { contextPercent, roundingOf } from "../gauge/judge.ts";
import type { WarningLevel } from "../gauge/ladder.ts";
import { isUsed } from "../store/paths.ts";
import { openFileSync } from "../store/read_file.ts";
import { type InsideRecord, lastTrim } from "../store/inside_record.ts";
import { readInsideRecord } from "../store/state.ts";
import { type FreedRecord, readSessionState } from "../store/state.ts";
import type { CutOff } from "../transcript/tree/conversation.ts";
import { freedOf } from "../events/known_freed.ts";
import type { TrimWorth } from "../trim/worth.ts";
import { readConfig } from "../config/read_config.ts";
import { locateSession, type SessionOptions, type SessionPlace } from "./place.ts";

/** The session to look at. */
export interface StatusOptions extends SessionOptions {
  /** Whether the window over time is wanted, too. @default {false} */
  readonly chart?: boolean | undefined;
  /** The time by which the prompt cache counts as warm. @default {() => new Date()} */
  readonly now?: () => Date;
}

/** The effect of a trim, computed from `warn` on. */
export interface TrimOutlook {
  /** Tokens after `/trim`. */
  readonly tokens_after: number;
  /** Whole percent of the limit after `/trim`. */
  readonly percent_after: number;
  /** Cost of rebuilding the prompt cache, and when it is paid back. */
  readonly worth: TrimWorth;
  /** The request with which each way out of a full window has paid back; `null` for never. */
  readonly paid_back_after: Readonly<
    Record<"light" | "deep" | "rollover" | "compact", number | null>
  >;
  /** Tokens that each way out of a full window would free, of a context of `at_tokens`. */
  readonly freed: {
    readonly at_tokens: number;
    readonly light: number;
    readonly deep: number;
    readonly rollover: number;
  };
  /** Outputs that stay because they are in use: the newest long ones, and reads, in part or whole. */
  readonly in_use:
    | { readonly newest: number; readonly passages: number; readonly unused?: number }
    | null;
  /** The way out that the recommendation names. */
  readonly remedy: "light" | "deep" | "rollover" | "none";
}

/** The window over time. */
export interface StatusChart {
  /** Each answered request, from the first: its time as ISO 8601, and its tokens. */
  readonly requests: readonly {
    readonly number: number;
    readonly time: string | null;
    readonly tokens: number;
  }[];
  /** Events that shrank or saved the context, each after the request of that number. */
  readonly marks: readonly {
    readonly kind: "compaction" | "trim" | "checkpoint";
    readonly after: number;
  }[];
  /** Where levels begin, in percent of the limit. */
  readonly levels: {
    readonly warn_threshold: number;
    readonly recommend_threshold: number;
    readonly urgent_threshold: number;
  };
}

/** The usage of a session's window. */
export interface StatusResult {
  /** The session's id. */
  readonly session_id: string;
  /** The path of its transcript. */
  readonly transcript: string;
  /** Tokens of the last request; `null` where nothing tells. */
  readonly tokens: number | null;
  /** The model's window, in tokens. */
  readonly window: number;
  /** Whole percent of the limit, 0 to 100. */
  readonly percent: number | null;
  /** Where the tokens come from. */
  readonly source: "api" | "metadata" | "inside" | "statusline" | "estimate" | "none";
  /** The level of the percentage on the user's ladder. */
  readonly level: "ok" | "warn" | "recommend" | "urgent" | null;
  /** One sentence: what to do. */
  readonly recommendation: string;
  /** The newest checkpoint of the session. */
  readonly last_checkpoint: { readonly id: string; readonly created: string } | null;
  /** Where the client compacts, or where an answer has no room any more, in tokens. */
  readonly limit: number;
  /** The event at the limit. */
  readonly limit_kind: "compaction" | "seen" | "answer" | "window";
  /** Tokens up to the limit. */
  readonly left: number | null;
  /** Where the window comes from. */
  readonly window_source: string;
  /** The model that answered last. */
  readonly model: string | null;
  /** Whether a compaction came after the newest answer. */
  readonly is_compacted: boolean;
  /** The effect of a trim; `null` below `warn`. */
  readonly trim: TrimOutlook | null;
  /** Savings since the last trim in place; `null` without one that still holds. */
  readonly since_trim: {
    /** When it was, ISO 8601. */
    readonly at: string;
    readonly requests: number;
    /** Tokens that these requests did not send. */
    readonly tokens_not_sent: number;
    /** Reads of files whose outputs were cut. */
    readonly rereads: number;
    /** Calls of the model's tool `recall`. */
    readonly recalls: number;
    /** Edits of such files that failed. */
    readonly failed_edits: number;
  } | null;
  /** Whether there are earlier messages that no link reaches. */
  readonly is_cut_off: boolean;
  /** Whether the file begins in the middle of a conversation. */
  readonly is_start_missing: boolean;
  /** The parts of an estimate; left out if the tokens are known. */
  readonly estimate?: {
    readonly usage: number;
    readonly source: "estimate";
    readonly parts: readonly {
      readonly metric: string;
      readonly amount: number;
      readonly weight: number;
      readonly usage: number;
    }[];
  };
  /** Values of the project's files that wait for `trimtab trust`; left out where none does. */
  readonly waiting?: readonly {
    readonly file: string;
    readonly key: string;
    readonly value: unknown;
  }[];
  /** Left out where it was not asked for. */
  readonly chart?: StatusChart;
}

/** From these levels on a trim is worth working out. */
const RAISED: ReadonlySet<WarningLevel | null> = new Set(["warn", "recommend", "urgent"]);

/** Reads how full a session's window is. */
export async function status(options: StatusOptions = {}): Promise<StatusResult> {
  const place = locateSession(options);
  const { context: config, inside, waiting } = await readConfig(place);
  const { session, owner } = place;
  const state = readSessionState(owner);
  const gauge = await pressureOrEstimate({ transcript: session.path, owner, config });
  const isRaised = RAISED.has(gauge.level);
  const record = isRaised
    ? await freedOf({
      owner,
      transcript: session.path,
      tokens: gauge.tokens ?? 0,
      isEstimate: gauge.source === "estimate",
      config,
      state,
    })
    : undefined;
  const cutOff = await findCutOff(place);
  const nowMs = (options.now?.() ?? new Date()).getTime();
  const recommendation = recommendationOf(gauge, record, {
    nowMs,
    // The module tells its figures where it runs, and trims before a compaction there.
    isTrimFirst: gauge.source === "inside" && inside.before_compaction !== "save",
  });
  return {
    session_id: session.id,
    transcript: session.path,
    tokens: gauge.tokens,
    window: gauge.window,
    percent: gauge.percent,
    source: gauge.source,
    level: gauge.level,
    // A context that lost its beginning is not healthy, whatever the figure says.
    recommendation: cutOff === null || isRaised
      ? recommendation
      : await cutOffAdvice(session.id, cutOff),
    last_checkpoint: state.last_checkpoint ?? null,
    limit: gauge.limit,
    limit_kind: gauge.limitKind,
    left: gauge.left,
    window_source: gauge.windowSource,
    model: gauge.model,
    is_compacted: gauge.isCompacted,
    trim: record === undefined ? null : await outlookOf(place, gauge, record, nowMs),
    since_trim: await sinceTrim(session.path, readInsideRecord(owner)),
    is_cut_off: cutOff !== null,
    is_start_missing: cutOff === "absent",
    ...(gauge.estimate === undefined ? {} : { estimate: gauge.estimate }),
    ...(waiting.length === 0 ? {} : { waiting }),
    ...(options.chart === true ? { chart: await chartOf(place, config) } : {}),
  };
}

async function cutOffAdvice(sessionId: string, cutOff: CutOff): Promise<string> {
  const { cutOffWords } = await import("../trim/report_text.ts");
  return cutOffWords(sessionId, cutOff === "absent");
}

async function sinceTrim(
  path: string,
  { trims }: InsideRecord,
): Promise<StatusResult["since_trim"]> {
  const trim = lastTrim(trims);
  if (trim === undefined) return null;
  const { findActiveContext, readNodes } = await import("../transcript/tree/active_context.ts");
  const { countSinceTrim } = await import("../transcript/since_trim.ts");
  using file = openFileSync(path);
  const { nodes, isCompacted } = findActiveContext(file, file.statSync().size);
  // After a rewind to before the trim, nothing of it is in the conversation.
  if (!isCompacted) return null;
  const entries = readNodes(file, nodes).map(({ entry }) => entry);
  const { requests, rereads, recalls, failedEdits } = countSinceTrim(entries, trim.at_ms);
  const saved = Math.max(0, (trim.tokens_before ?? 0) - (trim.tokens_after ?? 0));
  return {
    at: new Date(trim.at_ms).toISOString(),
    requests,
    tokens_not_sent: saved * requests,
    rereads,
    recalls,
    failed_edits: failedEdits,
  };
}

async function chartOf(
  { session, projectDir }: SessionPlace,
  { warn_threshold, recommend_threshold, urgent_threshold }: ContextConfig,
): Promise<StatusChart> {
  const { readHistory } = await import("../report/session_report.ts");
  const { requests, marks } = readHistory(session.path, { projectDir, hasWork: false });
  return {
    requests: requests.map(({ number, time, tokens }) => ({ number, time, tokens })),
    marks,
    levels: { warn_threshold, recommend_threshold, urgent_threshold },
  };
}

async function outlookOf(
  { session }: SessionPlace,
  gauge: AnyPressure,
  record: FreedRecord,
  nowMs: number,
): Promise<TrimOutlook> {
  const { paybackOf, trimWorth } = await import("../trim/worth.ts");
  const before = gauge.tokens ?? record.at_tokens;
  const after = Math.max(0, before - record.light);
  const worth = trimWorth({
    tokens: { before, after },
    model: gauge.model ?? undefined,
    newestAt: newestAt(session.path, record),
    cacheTtlSeconds: record.cache_ttl_seconds ?? undefined,
    now: new Date(nowMs),
  });
  const { at_tokens, light, deep, rollover, in_use } = record;
  return {
    tokens_after: after,
    percent_after: contextPercent(after, gauge.limit, roundingOf(gauge.source)),
    worth,
    paid_back_after: paybackOf(record, {
      tokens: before,
      model: gauge.model ?? undefined,
      ttl: record.cache_ttl_seconds ?? undefined,
      isWarm: worth.is_cache_warm,
    }),
    freed: { at_tokens, light, deep, rollover },
    in_use: in_use ?? null,
    remedy: recommend(record, { level: gauge.level, tokens: gauge.tokens, nowMs }).remedy,
  };
}

/** When the newest answer was written; the file's own time if it has grown since. */
function newestAt(path: string, record: FreedRecord): string | undefined {
  const { size, mtime } = Deno.statSync(path);
  if (size !== record.bytes && mtime !== null) return mtime.toISOString();
  return record.newest_at ?? undefined;
}

/** Larger files are not searched for a lost link, in bytes. */
const MAX_WALKED_BYTES = 64 * 1024 * 1024;

/** Growth after which a whole session is searched again, in percent. */
const GROWN_PERCENT = 10;

/** Finds a lost link, unless the file was found whole before and has hardly grown. */
async function findCutOff({ session, projectDir, owner }: SessionPlace): Promise<CutOff | null> {
  using file = openFileSync(session.path);
  const { size } = file.statSync();
  const { whole_at: whole = Infinity } = readSessionState(owner);
  const isKnown = size >= whole && (size - whole) * 100 <= GROWN_PERCENT * whole;
  if (size > MAX_WALKED_BYTES || isKnown) return null;
  const { findActiveContext } = await import("../transcript/tree/active_context.ts");
  const { cutOff } = findActiveContext(file, size);
  if (cutOff !== null || !isUsed(projectDir)) return cutOff;
  const { noteState } = await import("../store/state_update.ts");
  noteState(owner, { whole_at: size });
  return null;
}
