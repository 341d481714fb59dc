/** Gathers the data of a report on one session. */

import type { TrimtabConfig } from "../config/schema.ts";
import { listCheckpoints } from "../saved/store.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { feedSession } from "../extract/session_events.ts";
import { type KnownPressure, recommendationOf } from "../trim/known_pressure.ts";
import { openFileSync } from "../store/read_file.ts";
import type { NumberedEntry } from "../transcript/entry.ts";
import type { FoundSession } from "../transcript/find.ts";
import { readLines } from "../transcript/lines.ts";
import { readBriefly } from "../transcript/long_lines.ts";
import type { TrimChoices } from "../trim/trim_options.ts";
import { readSessionState, type StateOwner } from "../store/state.ts";
import { freshFreed } from "../trim/freed.ts";
import { trimSession, type TrimSessionResult } from "../trim/trim_session.ts";
import { type ContentShare, type ContextContents, contextContents } from "./contents.ts";
import {
  type ReportMark,
  type ReportRequest,
  type ReportTurn,
  RequestReader,
  turnsOf,
} from "./requests.ts";
import { SHAPE_TYPE, systemShares, withSystemShares } from "./system_shares.ts";

const MAX_PROMPT_CHARS = 120;

const MAX_PROMPTS = 20_000;

export interface SessionReportOptions {
  readonly session: FoundSession;
  readonly projectDir: string;
  readonly pressure: KnownPressure;
  readonly config: Pick<TrimtabConfig, "context" | "inside">;
  readonly trim?: TrimChoices;
  readonly now?: Date;
}

export interface SessionHistory {
  readonly requests: readonly ReportRequest[];
  readonly marks: readonly ReportMark[];
  readonly turns: readonly ReportTurn[];
  /** Line numbers of the requested entries, keyed by the byte offset of each entry. */
  readonly lines: ReadonlyMap<number, number>;
  /** Shares of the system prompt and tools in the newest recorded request; empty without such a request. */
  readonly system: readonly ContentShare[];
}

export interface SessionReport extends Omit<SessionHistory, "lines" | "system"> {
  readonly kind: "session";
  readonly session_id: string;
  readonly transcript: string;
  readonly project: string;
  /** ISO 8601. */
  readonly created: string;
  /** The same figures as in `status`. */
  readonly pressure: KnownPressure;
  /** The recommended action, in a sentence. */
  readonly recommendation: string;
  readonly levels: { readonly warn: number; readonly recommend: number; readonly urgent: number };
  /** The same result as from `trim --dry-run`. */
  readonly trim: TrimSessionResult;
  readonly contents: ContextContents;
  /** Line numbers of `contents.largest`, in the same order; null for an unknown line. */
  readonly largest_lines: readonly (number | null)[];
}

/** Excerpts of prompts and entries are screened for credentials, but the paths are not. */
export function sessionReport(options: SessionReportOptions): SessionReport {
  const { session, projectDir, pressure, now = new Date() } = options;
  const { context: config, inside } = options.config;
  const owner = { projectDir, sessionId: session.id };
  const transcript = session.path;
  let contents: ContextContents | undefined;
  const trim = trimSession({
    ...options.trim,
    gauge: () => ({
      ...pressure,
      tokens: pressure.source === "estimate" ? null : pressure.tokens,
    }),
    session,
    now,
    dryRun: true,
    onPlan: ({ context, plan }) => {
      using file = openFileSync(transcript);
      contents = contextContents(file, context, plan);
    },
  });
  if (contents === undefined) throw new Error("Cannot report: the trim was not planned");
  const wanted = new Set(contents.largest.map(({ offset }) => offset));
  const { lines, system, ...history } = readHistory(transcript, wanted);
  const freed = pressure.level === "ok" ? undefined : freshFreed({
    owner,
    transcript,
    tokens: pressure.tokens,
    isEstimate: pressure.source === "estimate",
    config,
    state: readSessionState(owner),
  });
  return {
    kind: "session",
    session_id: session.id,
    transcript,
    project: projectDir,
    created: now.toISOString(),
    pressure,
    recommendation: recommendationOf(pressure, freed, { inside, nowMs: now.getTime() }),
    levels: {
      warn: config.warn_threshold,
      recommend: config.recommend_threshold,
      urgent: config.urgent_threshold,
    },
    trim,
    contents: withSystemShares(contents, system),
    largest_lines: contents.largest.map(({ offset }) => lines.get(offset) ?? null),
    ...history,
    marks: marksWithCheckpoints(history, { projectDir, sessionId: session.id }),
  };
}

/** @param wanted Byte offsets of the entries whose line numbers are requested. */
export function readHistory(path: string, wanted: ReadonlySet<number> = new Set()): SessionHistory {
  using file = openFileSync(path);
  // Ignores lines that the client appends from now on.
  const limitBytes = file.statSync().size;
  const reader = new RequestReader();
  const prompts = new Map<number, string>();
  const lines = new Map<number, number>();
  let shape = new Uint8Array();
  function* entries(): Generator<NumberedEntry, void, undefined> {
    for (const { bytes, offset, number } of readLines(file, { limitBytes })) {
      for (const { entry, start } of readBriefly(bytes)) {
        if (wanted.has(offset + start)) lines.set(offset + start, number);
        if (entry.type === SHAPE_TYPE) shape = bytes.slice();
        reader.add(entry, number);
        yield { entry, line: number };
      }
    }
  }
  const prompt = (text: string): void => {
    const turn = reader.beginTurn();
    if (turn <= MAX_PROMPTS) prompts.set(turn, excerptLine(text, MAX_PROMPT_CHARS));
  };
  feedSession(entries(), [{ prompt }]);
  const { requests, marks, agents } = reader.finish();
  return {
    requests,
    marks: marks.map((mark) =>
      mark.kind === "trim" ? { ...mark, after: requestsBefore(mark.time, requests) } : mark
    ),
    turns: turnsOf(requests, prompts, agents),
    lines,
    system: systemShares(shape),
  };
}

export function marksWithCheckpoints(
  { marks, requests }: Pick<SessionHistory, "marks" | "requests">,
  { projectDir, sessionId }: StateOwner,
): ReportMark[] {
  const checkpoints = listCheckpoints({ projectDir }).filter((row) => row.session_id === sessionId);
  const added = checkpoints.map(({ id, created, trigger }): ReportMark => ({
    kind: "checkpoint",
    after: requestsBefore(created, requests),
    time: created,
    text: `Checkpoint ${id} (${trigger})`,
  }));
  return [...marks, ...added].sort((a, b) => a.after - b.after);
}

function requestsBefore(time: string | null, requests: readonly ReportRequest[]): number {
  const timeMs = Date.parse(time ?? "");
  if (Number.isNaN(timeMs)) return requests.length;
  return requests.findLastIndex((request) => Date.parse(request.time ?? "") <= timeMs) + 1;
}
