/** Trims the running session in place: rows in, rows out. */

import { type MarkedPart, type MarkRecord, SHORT_ID_CHARS } from "../core/marks.ts";
import { isTooSmall, WORTHWHILE_PERCENT } from "../gauge/advice.ts";
import { answerLimit } from "../gauge/limit.ts";
import { type InsideFill, unsaidTokens } from "../store/inside_record.ts";
import { contentParts, markedTexts } from "../transcript/content.ts";
import { isRebuilt } from "../transcript/in_place.ts";
import { estimateTextTokens, type TokenScale } from "../transcript/tokens/tokens.ts";
import { usageOfEntry } from "../transcript/tokens/usage.ts";
import type { TrimSettings } from "../trim/trim_options.ts";
import { SpanReader } from "../trim/spans.ts";
import type { ApiMessage, ContextFill, Row } from "./client.ts";
import { chooseCuts, type Cuts, type RowRules } from "./cuts.ts";
import { countLosses, type Losses, referenceTexts } from "./losses.ts";
import type { SessionMedia } from "./media.ts";
import { changeRows } from "./rows.ts";
import type { SessionLine, SessionLines } from "./session_lines.ts";

/** Options for trimming a running session. */
export interface InsideOptions extends TrimSettings {
  /** The only lines of the transcript whose calls and results are cut. @default {all} */
  readonly entries?: ReadonlySet<number> | undefined;
  /** Target of the context, in percent of the limit. */
  readonly targetPercent?: number | undefined;
}

export interface RunningSession {
  readonly id: string;
  /** Its conversation, from {@linkcode layOutRows}. */
  readonly rows: readonly Readonly<Row>[];
  /** The same as the next request would hold it. */
  readonly messages: readonly ApiMessage[];
  readonly lines: SessionLines;
  /** Fill of the window and the client's limit. */
  readonly fill: ContextFill;
  readonly model: string;
  readonly media: SessionMedia;
  /** Marks of earlier trims. @default {undefined: a mark is recognized by its text} */
  readonly record?: MarkRecord;
}

/** Result of a trim in place. */
export interface InsideTrim {
  /** The conversation from then on. */
  readonly rows: Row[];
  readonly cuts: Cuts;
  /** Parts that no row can hold. */
  readonly losses: Losses;
  /** Pictures and documents, each replaced by a line. */
  readonly media: Pick<SessionMedia, "count" | "tokens">;
  /** Pictures and documents that stay because they are in use, unless the user released them. */
  readonly mediaInUse: number;
  readonly tokens: { readonly before: number; readonly after: number };
  /** Error of estimates in this session. */
  readonly scale: number;
  /** The line of the transcript that holds a call or its result. */
  readonly lineOf: RowRules["lineOf"];
  /** The client's limit, in tokens. */
  readonly limit: number;
  /** The target size of the context; undefined without one. */
  readonly target: { readonly percent: number; readonly tokens: number } | undefined;
  /** Whether the target size is reached; true without a target. */
  readonly isReached: boolean;
}

/** Where the client compacts by itself; where it does not, up to where an answer has room. */
export function limitOf({ window, breakdown }: ContextFill): number {
  return compactionPoint(breakdown) ?? answerLimit(window);
}

/**
 * Where the client compacts by itself, in tokens.
 *
 * The client names a threshold for every model, but reserves a buffer only if it applies it (2.1.330: not
 * for Haiku 4.5, unless a compaction window is set).
 */
export function compactionPoint(breakdown: ContextFill["breakdown"]): number | undefined {
  const hasBuffer = breakdown?.categories.some(({ kind }) => kind === "buffer") === true;
  return hasBuffer ? breakdown?.autoCompactThreshold : undefined;
}

/** Whether a trim is not worth the cache and the thinking that it costs. */
export function isVainTrim({ cuts, media, tokens: { before } }: InsideTrim): boolean {
  return isTooSmall({ before, after: before - cuts.savedTokens - media.tokens });
}

/** Whether a trim frees enough that it may happen without being asked for. */
export function isWorthwhile({ tokens: { before, after } }: InsideTrim): boolean {
  return (before - after) * 100 >= WORTHWHILE_PERCENT * before;
}

/** Plans a trim in place. */
export function trimInside(session: RunningSession, options: InsideOptions): InsideTrim {
  const { rows, lines, fill, model, media } = session;
  const { scale, tokens: before } = measure(lines, fill, model);
  const limit = limitOf(fill);
  const losses = countLosses(session.messages);
  const lost = losses.thinkingTokens * scale + media.tokens;
  const { targetPercent } = options;
  const target = targetPercent === undefined
    ? undefined
    : { percent: targetPercent, tokens: Math.floor((targetPercent * limit) / 100) };
  const excess = target === undefined ? undefined : before - lost - target.tokens;
  const rules = rulesOf(session, options);
  const cuts = chooseCuts(rows, { ...rules, excessTokens: excess, scale });
  const results = new Map([...referenceTexts(session.messages), ...cuts.results]);
  const after = Math.max(0, Math.round(before - cuts.savedTokens - lost));
  return {
    rows: changeRows(rows, { ...cuts, results }),
    cuts,
    losses,
    media,
    mediaInUse: options.dropsImages ? 0 : media.newest,
    tokens: { before, after },
    scale,
    lineOf: rules.lineOf,
    limit,
    target,
    isReached: target === undefined || after <= target.tokens,
  };
}

/** Plans the first trim that reaches its target, else the one that frees most. */
export function trimToTarget(
  session: RunningSession,
  [first, ...others]: readonly [InsideOptions, ...InsideOptions[]],
): InsideTrim {
  let best = trimInside(session, first);
  let { isReached } = best;
  for (const options of others) {
    if (isReached) break;
    const trim = trimInside(session, options);
    if (trim.tokens.after < best.tokens.after) best = trim;
    ({ isReached } = trim);
  }
  return best;
}

function rulesOf(
  session: RunningSession,
  options: InsideOptions,
): Omit<RowRules, "excessTokens" | "scale"> {
  const find = lineFinder([...session.lines.before, ...session.lines.active]);
  const lineOf: RowRules["lineOf"] = (id, kind) => find(id, kind)?.number;
  const { entries } = options;
  return {
    ...options,
    isNamed: entries && ((id, kind) => entries.has(lineOf(id, kind) ?? 0)),
    record: session.record,
    parentFile: session.id.slice(0, SHORT_ID_CHARS),
    lineOf,
    textsOf: (id) => {
      const line = find(id, "result");
      return line && markedTexts(line.entry, { id, kind: "result" });
    },
  };
}

/**
 * Finds the line of a call or a result: the first with the most text. A trim in place leaves the whole in an
 * earlier line, and an undo in a copy brings it back in a later one.
 */
function lineFinder(
  lines: readonly SessionLine[],
): (id: string, kind: MarkedPart["kind"]) => SessionLine | undefined {
  const found = new Map<string, { line: SessionLine; length: number }>();
  for (const line of lines) {
    for (const { kind, id = "", text: { length } } of contentParts(line.entry)) {
      const key = kind + id;
      if (length > (found.get(key)?.length ?? -1)) found.set(key, { line, length });
    }
  }
  return (id, kind) => found.get((kind === "call" ? "tool_use" : "tool_result") + id)?.line;
}

/** Error of estimates in this session, and size of the next request. */
export function measure(
  { before, active }: SessionLines,
  fill: ContextFill,
  model: string,
): { scale: number; tokens: number } {
  const spans = new SpanReader();
  let billed = fill.tokens;
  // Results that came in since the newest answer: in the middle of a turn they are in no figure yet.
  let [priorSince, isAnswered] = [0, false];
  for (const { entry } of active) {
    const parts = contentParts(entry);
    spans.add(entry, parts);
    const usage = usageOfEntry(entry)?.tokens;
    if (usage !== undefined) [billed, priorSince, isAnswered] = [fill.tokens ?? usage, 0, true];
    const results = parts.filter(({ kind }) => kind === "tool_result");
    priorSince += results.reduce((sum, { text }) => sum + estimateTextTokens(text), 0);
  }
  const own = spans.scale(model);
  // Soon after a boundary too few answers tell: those before it were of the same text.
  const { scale } = own.source === "prior" ? scaleBefore(before, model) ?? own : own;
  // Behind a boundary that nothing has answered yet the figure is that of a trim, of all there is.
  const since = isAnswered ? priorSince * scale : 0;
  const tokens = billed === undefined
    ? spans.priorTokens * scale + spans.mediaTokens + unsaidTokens(usedCategories(fill.breakdown))
    : billed + since;
  return { scale, tokens: Math.round(tokens) };
}

/** Tokens in use, by the client's categories. */
export function usedCategories(breakdown: ContextFill["breakdown"]): InsideFill["categories"] {
  const used = (breakdown?.categories ?? []).filter(({ kind }) => kind === "used");
  return Object.fromEntries(used.map(({ name, tokens }) => [name, tokens]));
}

function scaleBefore(lines: readonly SessionLine[], model: string): TokenScale | undefined {
  const spans = new SpanReader();
  for (const { entry } of lines) {
    if (!isRebuilt(entry)) spans.add(entry, contentParts(entry));
  }
  const found = spans.calibration.result(model);
  return found.source === "prior" ? undefined : found;
}
