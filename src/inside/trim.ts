/** Plans a trim in place. A copy of the same conversation has the same cuts. */

import { countChars } from "../core/chars.ts";
import { type MarkedPart, shortId } from "../core/marks.ts";
import type { JsonObject } from "../core/record.ts";
import { isTooSmall } from "../gauge/advice.ts";
import { answerLimit } from "../gauge/limit.ts";
import { type InsideFill, nonMessageTokens } from "../store/inside_record.ts";
import { contentParts, markedTexts } from "../transcript/content.ts";
import { isRebuilt } from "../transcript/in_place.ts";
import { estimateTextTokens, type TokenScale } from "../transcript/tokens/tokens.ts";
import { usageOfEntry } from "../transcript/tokens/usage.ts";
import { type CutPlan, CutPlanner, type CutRules } from "../trim/cut_planner.ts";
import { cutArguments } from "../trim/inputs.ts";
import { remainderText } from "../trim/remainder.ts";
import type { TrimSettings } from "../trim/trim_options.ts";
import { SpanReader } from "../trim/spans.ts";
import type { ApiMessage, CallRow, ContextFill, Row, Rows } from "./client.ts";
import { countLosses, type Losses, type SessionMedia } from "./media.ts";
import { changeRows } from "./rows.ts";
import type { SessionLine, SessionLines } from "./session_lines.ts";

export interface InsideOptions extends TrimSettings {
  /** Line numbers in the transcript. Calls and results on other lines are not cut. @default {all} */
  readonly entries?: ReadonlySet<number> | undefined;
  readonly targetPercent?: number | undefined;
}

export interface RunningSession {
  readonly id: string;
  readonly rows: Rows;
  readonly messages: readonly ApiMessage[];
  readonly lines: SessionLines;
  readonly fill: MeasuredFill;
  readonly model: string;
  readonly media: SessionMedia;
}

interface RowRules extends CutRules {
  lineOf(id: string, kind: "call" | "result"): number | undefined;
  /** Returns the text blocks of a result in its line; the last of several is all of them joined. */
  textsOf?(id: string): readonly string[] | undefined;
  /** Tokens to free; `undefined` frees as many as possible. */
  readonly excessTokens: number | undefined;
  readonly scale: number;
}

interface Cuts extends Omit<CutPlan, "cuts"> {
  readonly results: Map<string, string>;
  readonly inputs: Map<string, JsonObject>;
  readonly byTool: readonly (readonly [name: string, count: number])[];
}

export interface InsideTrim {
  readonly rows: Row[];
  readonly cuts: Cuts;
  readonly losses: Losses;
  readonly media: Pick<SessionMedia, "count" | "tokens">;
  /** Images and documents of the newest turn that the trim would replace; 0 if the user allows that. */
  readonly mediaInUse: number;
  readonly tokens: { readonly before: number; readonly after: number };
  readonly scale: number;
  readonly lineOf: RowRules["lineOf"];
  readonly limit: number;
  readonly target: { readonly percent: number; readonly tokens: number } | undefined;
  readonly isReached: boolean;
}

export interface MeasuredFill extends ContextFill {
  /** The limit in the configured window or, if lower, the client's; absent if no window is configured. */
  readonly ownLimit?: number;
}

/** Without a configured window, returns the compaction point, else the point where no answer fits. */
export function limitOf({ window, breakdown, ownLimit }: MeasuredFill): number {
  return ownLimit ?? compactionPoint(breakdown) ?? answerLimit(window);
}

/** The client reserves a buffer only when its threshold applies, which 2.1.330 omits for Haiku 4.5. */
export function compactionPoint(breakdown: ContextFill["breakdown"]): number | undefined {
  const hasBuffer = breakdown?.categories.some(({ kind }) => kind === "buffer") === true;
  return hasBuffer ? breakdown?.autoCompactThreshold : undefined;
}

/** Whether a trim frees too little to justify the loss of the prompt cache and of thinking. */
export function isTooSmallTrim({ cuts, media, tokens: { before } }: InsideTrim): boolean {
  return isTooSmall({ before, after: before - cuts.savedTokens - media.tokens });
}

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
  const find = lineFinder([...lines.before, ...lines.active]);
  const lineOf: RowRules["lineOf"] = (id, kind) => find(id, kind)?.number;
  const { entries } = options;
  const cuts = chooseCuts(rows, {
    ...options,
    isSelected: entries && ((id, kind) => entries.has(lineOf(id, kind) ?? 0)),
    parentFile: shortId(session.id),
    lineOf,
    textsOf: (id) => {
      const line = find(id, "result");
      return line && markedTexts(line.entry, { id, kind: "result" });
    },
    excessTokens: excess,
    scale,
  });
  const after = Math.max(0, Math.round(before - cuts.savedTokens - lost));
  return {
    rows: changeRows(rows, cuts),
    cuts,
    losses,
    media,
    mediaInUse: options.dropsImages ? 0 : media.inUse,
    tokens: { before, after },
    scale,
    lineOf,
    limit,
    target,
    isReached: target === undefined || after <= target.tokens,
  };
}

export function chooseCuts(rows: Rows, rules: RowRules): Cuts {
  const planner = new CutPlanner(rules);
  const calls = new Map<string, CallRow>();
  const texts = new Map<string, readonly string[]>();
  for (const [index, row] of rows.entries()) {
    if (row.role === "assistant") planner.addAnswer(row.text);
    if (row.text !== "") planner.addText(row.text);
    for (const call of row.toolUses) {
      const { tool_use_id: id, tool: toolName, input } = call;
      calls.set(id, call);
      const hasNoLine = rules.lineOf(id, "call") === undefined;
      planner.addCall({ id, toolName, input, index, hasNoLine });
    }
    for (const { tool_use_id: id, text, isError } of row.toolResults ?? []) {
      // The client adds a placeholder as the result of an unanswered call. The transcript has no line for it.
      if (rules.lineOf(id, "result") === undefined) continue;
      const fromLine = rules.textsOf?.(id) ?? [];
      const blocks = fromLine.length > 1 && fromLine.at(-1) === text
        ? fromLine.slice(0, -1)
        : [text];
      texts.set(id, blocks);
      planner.addResult({ id, texts: blocks, isError, index });
    }
  }
  const { cuts, ...counts } = planner.finish(rules.excessTokens, rules.scale);
  const results = new Map<string, string>();
  const inputs = new Map<string, JsonObject>();
  const freed = new Map<string, { count: number; chars: number }>();
  for (const cut of cuts) {
    const call = calls.get(cut.id ?? "");
    if (call === undefined) continue;
    const { tool_use_id: id, tool, input } = call;
    const kind = cut.kind === "call" ? "call" : "result";
    const place = { ...rules, lineNumber: rules.lineOf(id, kind) ?? 0 };
    if (kind === "call") {
      inputs.set(id, cutArguments(tool, input, { ...place, argumentNames: cut.argumentNames }));
      continue;
    }
    const blocks = texts.get(id) ?? [];
    const text = blocks.map((block, index) => {
      const rest = cut.remainders?.[index];
      return rest === undefined ? block : remainderText(block, rest, place);
    }).join("\n");
    const { count, chars } = freed.get(tool) ?? { count: 0, chars: 0 };
    const saved = countChars(blocks.join("\n")) - countChars(text);
    if (saved === 0) continue;
    results.set(id, text);
    freed.set(tool, { count: count + 1, chars: chars + saved });
  }
  return {
    ...counts,
    results,
    inputs,
    byTool: [...freed].sort(([, a], [, b]) => b.chars - a.chars)
      .map(([tool, { count }]) => [tool, count]),
  };
}

/** An original is the first of the longest texts: a trim keeps it earlier, an undo in a copy later. */
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

export function measure(
  { before, active, boundaries }: SessionLines,
  fill: ContextFill,
  model: string,
): { scale: number; tokens: number } {
  const spans = new SpanReader();
  let billed = fill.tokens;
  // In the middle of a turn, no reported figure includes the results since the newest answer.
  let [estimateSince, isAnswered] = [0, false];
  for (const { entry } of active) {
    const parts = contentParts(entry);
    spans.add(entry, parts);
    const usage = usageOfEntry(entry)?.tokens;
    if (usage !== undefined) [billed, estimateSince, isAnswered] = [fill.tokens ?? usage, 0, true];
    const results = parts.filter(({ kind }) => kind === "tool_result");
    estimateSince += results.reduce((sum, { text }) => sum + estimateTextTokens(text), 0);
  }
  const nonMessage = nonMessageTokens(usedCategories(fill.breakdown));
  const sinceBoundary = spans.scale(model, nonMessage);
  // Soon after a boundary there are too few answers, so the lines before the boundary are used.
  const { scale } = sinceBoundary.source === "prior"
    ? scaleBefore([...before, ...boundaries.map(({ line }) => line)], model) ?? sinceBoundary
    : sinceBoundary;
  // Before the first answer after a boundary, `billed` is the trim's estimate, with the results.
  const since = isAnswered ? estimateSince * scale : 0;
  const tokens = billed === undefined
    ? spans.priorTokens * scale + spans.mediaTokens + nonMessage
    : billed + since;
  return { scale, tokens: Math.round(tokens) };
}

export function usedCategories(breakdown: ContextFill["breakdown"]): InsideFill["categories"] {
  const used = (breakdown?.categories ?? []).filter(({ kind }) => kind === "used");
  return Object.fromEntries(used.map(({ name, tokens }) => [name, tokens]));
}

function scaleBefore(lines: readonly SessionLine[], model: string): TokenScale | undefined {
  const spans = new SpanReader();
  // Includes the boundaries, so that usage before a boundary is not compared with usage after it.
  for (const { entry } of lines.toSorted((a, b) => a.number - b.number)) {
    if (!isRebuilt(entry)) spans.add(entry, contentParts(entry));
  }
  const found = spans.calibration.result(model);
  return found.source === "prior" ? undefined : found;
}
