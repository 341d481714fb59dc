import type { ContextConfig } from "../config/schema.ts";
import { recommend } from "../gauge/advice.ts";
import {
  type KnownPressure,
  pressureOrEstimate,
  recommendationOf,
} from "../trim/known_pressure.ts";
import { contextPercent, roundingOf } from "../gauge/judge.ts";
import { openFileSync } from "../store/read_file.ts";
import { type InsideRecord, trimsInEffect } from "../store/inside_record.ts";
import { type FreedRecord, readInsideRecord, readSessionState } from "../store/state.ts";
import { freedOf } from "../events/known_freed.ts";
import type { TrimWorth } from "../trim/worth.ts";
import { readConfig } from "../config/read_config.ts";
import { locateSession, type SessionOptions, type SessionPlace } from "./place.ts";

/** The session to report on, and the contents of the report. */
export interface StatusOptions extends SessionOptions {
  /** Whether to include the window's usage over time. @default {false} */
  readonly chart?: boolean | undefined;
  /** Returns the current time, which decides whether the prompt cache is warm. @default {() => new Date()} */
  readonly now?: () => Date;
}

/** Effects of a trim. */
export interface TrimOutlook {
  /** Tokens after `/trim`. */
  readonly tokens_after: number;
  /** Percentage of the limit after `/trim`, a whole number. */
  readonly percent_after: number;
  /** Cost and savings of `/trim`. */
  readonly worth: TrimWorth;
  /** Number of requests after which each option has paid for itself; `null` for never. */
  readonly paid_back_after: Readonly<
    Record<"light" | "deep" | "rollover" | "compact", number | null>
  >;
  /** Tokens that each option would free from a context of `at_tokens`. */
  readonly freed: {
    readonly at_tokens: number;
    readonly light: number;
    readonly deep: number;
    readonly rollover: number;
  };
  /** Outputs that a trim keeps, entirely or partly, because they are in use; `null` if unknown. */
  readonly in_use:
    | { readonly newest: number; readonly passages: number; readonly unused?: number }
    | null;
  /** The recommended option. */
  readonly remedy: "light" | "deep" | "rollover" | "none";
}

/** The window's usage over time. */
export interface StatusChart {
  /** All answered requests, oldest first. */
  readonly requests: readonly {
    readonly number: number;
    readonly time: string | null;
    readonly tokens: number;
  }[];
  /** Compactions, trims and checkpoints, each with the number of requests before it. */
  readonly marks: readonly {
    readonly kind: "compaction" | "trim" | "checkpoint";
    readonly after: number;
  }[];
  /** Thresholds of the levels, as percentages of the limit. */
  readonly levels: {
    readonly warn_threshold: number;
    readonly recommend_threshold: number;
    readonly urgent_threshold: number;
  };
}

/** Usage of a session's window. */
export interface StatusResult {
  /** Id of the session. */
  readonly session_id: string;
  /** Path of the session's transcript. */
  readonly transcript: string;
  /** Tokens in context. */
  readonly tokens: number;
  /** The model's window, in tokens. */
  readonly window: number;
  /** Percentage of the limit, a whole number from 0 to 100. */
  readonly percent: number;
  /** The source of the token count. */
  readonly source: "api" | "metadata" | "trim" | "inside" | "statusline" | "estimate";
  /** The warning level. */
  readonly level: "ok" | "warn" | "recommend" | "urgent";
  /** The recommended action, in one sentence. */
  readonly recommendation: string;
  /** The newest checkpoint of the session; `null` if there is none. */
  readonly last_checkpoint: { readonly id: string; readonly created: string } | null;
  /** The usage, in tokens, at which the client compacts or an answer no longer fits. */
  readonly limit: number;
  /** Where the client compacts, or compacted earlier than expected; where no answer fits; the window. */
  readonly limit_kind: "compaction" | "seen" | "answer" | "window";
  /** Tokens left until the limit. */
  readonly left: number;
  /** The source of the window's size. */
  readonly window_source: string;
  /** Model of the newest answer; `null` if unknown. */
  readonly model: string | null;
  /** Whether the session was compacted after its newest answer. */
  readonly is_compacted: boolean;
  /** Effects of a trim; `null` below the `warn` threshold, and if the transcript is too large to measure. */
  readonly trim: TrimOutlook | null;
  /** Counts since the last trim in place; `null` if the active context contains no trim in place. */
  readonly since_trim: {
    /** Time of the trim, ISO 8601. */
    readonly at: string;
    readonly requests: number;
    /** Input tokens that the trim saved in these requests. */
    readonly tokens_not_sent: number;
    /** Repeated reads of files whose outputs were cut. */
    readonly rereads: number;
    /** Calls of the `recall` tool. */
    readonly recalls: number;
    /** Failed edits of files whose outputs were cut. */
    readonly failed_edits: number;
  } | null;
  /** Values of the project's configuration that await `trimtab trust`; absent if there are none. */
  readonly waiting?: readonly {
    readonly file: string;
    readonly key: string;
    readonly value: unknown;
  }[];
  /** Usage over time; absent unless requested. */
  readonly chart?: StatusChart;
}

export async function status(options: StatusOptions = {}): Promise<StatusResult> {
  const place = locateSession(options);
  const { context: config, inside, waiting } = await readConfig(place);
  const { session, owner } = place;
  const state = readSessionState(owner);
  const { last_checkpoint: last } = state;
  const gauge = await pressureOrEstimate({ transcript: session.path, owner, config });
  const record = gauge.level === "ok" ? undefined : await freedOf({
    owner,
    transcript: session.path,
    tokens: gauge.tokens,
    isEstimate: gauge.source === "estimate",
    config,
    state,
  });
  const nowMs = (options.now?.() ?? new Date()).getTime();
  return {
    session_id: session.id,
    transcript: session.path,
    tokens: gauge.tokens,
    window: gauge.window,
    percent: gauge.percent,
    source: gauge.source,
    level: gauge.level,
    recommendation: recommendationOf(gauge, record, { inside, nowMs }),
    last_checkpoint: last === undefined ? null : { id: last.id, created: last.created },
    limit: gauge.limit,
    limit_kind: gauge.limitKind,
    left: gauge.left,
    window_source: gauge.windowSource,
    model: gauge.model,
    is_compacted: gauge.isCompacted,
    trim: record === undefined ? null : await outlookOf(place, gauge, record, nowMs),
    since_trim: await countsSinceTrim(session.path, readInsideRecord(owner)),
    ...(waiting.length === 0 ? {} : { waiting }),
    ...(options.chart === true ? { chart: await chartOf(place, config) } : {}),
  };
}

async function countsSinceTrim(
  path: string,
  { trims }: InsideRecord,
): Promise<StatusResult["since_trim"]> {
  const trim = trimsInEffect(trims).at(-1);
  if (trim === undefined) return null;
  const { findActiveContext, readNodes } = await import("../transcript/tree/active_context.ts");
  const { boundaryKind } = await import("../transcript/in_place.ts");
  const { countSinceTrim } = await import("../transcript/since_trim.ts");
  using file = openFileSync(path);
  const { nodes, isCompacted } = findActiveContext(file, file.statSync().size);
  // If the user rewound to a point before the trim, the trim is not in the conversation.
  if (!isCompacted) return null;
  const entries = [...readNodes(file, nodes).map(({ entry }) => entry)];
  const kind = boundaryKind(entries);
  const { cuts, requests, rereads, recalls, failedEdits } = countSinceTrim(entries, trim.at_ms);
  // A compaction by the client ends a trim's effect; an undo may leave the cuts of an earlier trim.
  if (kind === undefined || (kind === "undo" && cuts === 0)) return null;
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
  { session, owner }: SessionPlace,
  { warn_threshold, recommend_threshold, urgent_threshold }: ContextConfig,
): Promise<StatusChart> {
  const { marksWithCheckpoints, readHistory } = await import("../report/session_report.ts");
  const history = readHistory(session.path);
  return {
    requests: history.requests.map(({ number, time, tokens }) => ({ number, time, tokens })),
    marks: marksWithCheckpoints(history, owner),
    levels: { warn_threshold, recommend_threshold, urgent_threshold },
  };
}

async function outlookOf(
  { session }: SessionPlace,
  gauge: KnownPressure,
  record: FreedRecord,
  nowMs: number,
): Promise<TrimOutlook> {
  const { paybackOf, trimWorth } = await import("../trim/worth.ts");
  const before = gauge.tokens;
  const after = Math.max(0, before - record.light);
  const model = gauge.model ?? undefined;
  const ttl = record.cache_ttl_seconds ?? undefined;
  const newest_at = newestAt(session.path, record);
  const priced = { tokens: { before, after }, model, newest_at, cache_ttl_seconds: ttl };
  const worth = trimWorth(priced, new Date(nowMs));
  const { at_tokens, light, deep, rollover, in_use } = record;
  return {
    tokens_after: after,
    percent_after: contextPercent(after, gauge.limit, roundingOf(gauge.source)),
    worth,
    paid_back_after: paybackOf(record, {
      tokens: before,
      model,
      ttl,
      isWarm: worth.is_cache_warm,
    }),
    freed: { at_tokens, light, deep, rollover },
    in_use: in_use ?? null,
    remedy: recommend(record, { level: gauge.level, tokens: gauge.tokens, nowMs }).remedy,
  };
}

function newestAt(path: string, record: FreedRecord): string | undefined {
  const { size, mtime } = Deno.statSync(path);
  if (size !== record.bytes && mtime !== null) return mtime.toISOString();
  return record.newest_at ?? undefined;
}
