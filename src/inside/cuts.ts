/** Chooses what a trim in place cuts: what the copy of the same conversation would cut. */

import { regretOf } from "../core/need.ts";
import { countChars } from "../core/chars.ts";
import type { JsonObject } from "../transcript/entry.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import { fixedUnitsOf } from "../trim/marks/fixed_units.ts";
import { cutArguments } from "../trim/input_texts.ts";
import { maskText } from "../trim/mask_text.ts";
import { type FileUse, fileUseOf, supersededUses } from "../trim/superseded.ts";
import { truncateContent } from "../trim/truncate.ts";
import type { CutRules } from "./cut_rules.ts";
import type { CallRow, ResultRow, Row } from "./client.ts";
import { type NeedCuts, needCuts } from "./need_cuts.ts";

export interface Cuts {
  /** The texts of results that are cut, by the id of the call. */
  readonly results: Map<string, string>;
  /** The arguments that are cut, by the id of the call. */
  readonly inputs: Map<string, JsonObject>;
  /** How many results of each tool are cut, what saves most first. */
  readonly byTool: readonly (readonly [name: string, count: number])[];
  /** How many characters the model gets less. */
  readonly savedChars: number;
  /** How many tokens it gets less, by the calibrated estimate. */
  readonly savedTokens: number;
  /** How many results stay whole just because they are recent. */
  readonly keptCount: number;
  /** How many stay whole just because they are about protected files. */
  readonly protectedCount: number;
}

/** Something that can be cut as a whole. */
interface Piece {
  readonly id: string;
  readonly tool: string;
  readonly kind: "call" | "result";
  readonly text?: string;
  readonly input?: JsonObject;
  readonly chars: number;
  readonly tokens: number;
}

export function chooseCuts(rows: readonly Readonly<Row>[], rules: CutRules): Cuts {
  const calls = new Map(rows.flatMap(({ toolUses }) => toolUses).map((c) => [c.tool_use_id, c]));
  const resultIds = rows.flatMap(({ toolResults = [] }) => toolResults)
    .map(({ tool_use_id: id }) => id)
    // The client's stand-in for the result of an open call is in no line.
    .filter((id) => calls.has(id) && rules.lineOf(id, "result") !== undefined);
  const kept = new Set(rules.keepRecent === 0 ? [] : resultIds.slice(-rules.keepRecent));
  const isProtected = (id: string): boolean => {
    const call = calls.get(id);
    return call !== undefined && rules.isProtected?.(call.tool, call.input) === true;
  };
  const cuts = rules.style === "need" ? needCuts(rows, calls, rules) : undefined;
  const pieces = rows.flatMap((row) => piecesOf(row, calls, rules, cuts));
  const { entries } = rules;
  const isFree = ({ id, kind }: Piece): boolean =>
    entries === undefined
      ? !kept.has(id) && !isProtected(id)
      : entries.has(rules.lineOf(id, kind) ?? 0);
  const held = pieces.filter((piece) => piece.kind === "result" && !isFree(piece));
  const free = pieces.filter(isFree);
  const { excessTokens: excess } = rules;
  const chosen = excess === undefined ? free : choose(inOrder(free, rows, cuts), excess);
  return {
    results: mapOf(chosen, ({ text }) => text),
    inputs: mapOf(chosen, ({ input }) => input),
    byTool: countByTool(chosen),
    savedChars: chosen.reduce((sum, { chars }) => sum + chars, 0),
    savedTokens: chosen.reduce((sum, { tokens }) => sum + tokens, 0),
    keptCount: held.filter(({ id }) => !isProtected(id)).length,
    protectedCount: held.filter(({ id }) => isProtected(id)).length,
  };
}

function piecesOf(
  row: Readonly<Row>,
  calls: ReadonlyMap<string, CallRow>,
  rules: CutRules,
  cuts: NeedCuts | undefined,
): Piece[] {
  const inputs = row.toolUses.flatMap((call) => {
    const cut = cuts?.inputs.get(call.tool_use_id);
    if (cut !== undefined) return pieceOfInput(call, cut, rules);
    return rules.cutsInputs ? inputPiece(call, rules) : [];
  });
  const results = (row.toolResults ?? []).flatMap((result) => {
    const call = calls.get(result.tool_use_id);
    return call === undefined ? [] : resultPiece(result, call, rules, cuts);
  });
  return [...inputs, ...results];
}

function resultPiece(
  result: ResultRow,
  call: CallRow,
  rules: CutRules,
  cuts: NeedCuts | undefined,
): Piece[] {
  const { tool_use_id: id, text } = result;
  const lineNumber = rules.lineOf(id, "result");
  // A notice must say where all of it is.
  if (lineNumber === undefined || !rules.isTarget(call.tool)) return [];
  const { threshold, parentFile, record } = rules;
  const fixed = fixedUnitsOf({
    record,
    part: { id, kind: "result" },
    call: { toolName: call.tool, input: call.input },
    allowedChars: rules.style === "mask" ? 0 : threshold,
  });
  const options = { threshold, parentFile, lineNumber, ...fixed };
  // What stays whole just because it is new or protected is counted as if it were cut to its head.
  const cut = cuts !== undefined && cuts.decided.has(id)
    ? cuts.results.get(id) ?? text
    : rules.style === "mask"
    ? maskText(text, { ...options, toolName: call.tool, input: call.input })
    : truncateContent(text, options);
  if (cut === text) return [];
  return [{ id, tool: call.tool, kind: "result", text: cut, ...savings(text, cut, rules.scale) }];
}

function inputPiece(call: CallRow, rules: CutRules): Piece[] {
  const { tool_use_id: id, tool, input } = call;
  const lineNumber = rules.lineOf(id, "call");
  if (lineNumber === undefined) return [];
  const { threshold, parentFile, record } = rules;
  const keep = rules.style === "truncate" ? undefined : 0;
  const part = { id, kind: "call" } as const;
  const fixed = fixedUnitsOf({ record, part, allowedChars: keep ?? threshold });
  const cut = cutArguments(tool, input, {
    threshold,
    parentFile,
    lineNumber,
    keep,
    ...fixed,
  });
  if (cut === input) return [];
  return pieceOfInput(call, cut, rules);
}

function pieceOfInput(call: CallRow, cut: JsonObject, rules: CutRules): Piece[] {
  const { tool_use_id: id, tool, input } = call;
  const saved = savings(JSON.stringify(input), JSON.stringify(cut), rules.scale);
  return [{ id, tool, kind: "call", input: cut, ...saved }];
}

function savings(text: string, cut: string, scale: number): { chars: number; tokens: number } {
  return {
    chars: countChars(text) - countChars(cut),
    tokens: (estimateTextTokens(text) - estimateTextTokens(cut)) * scale,
  };
}

/** What is missed least goes first, or what is superseded; then what is oldest. */
function inOrder(
  pieces: readonly Piece[],
  rows: readonly Readonly<Row>[],
  cuts: NeedCuts | undefined,
): Piece[] {
  if (cuts !== undefined) {
    const rank = ({ id, kind }: Piece): number => regretOf(cuts.reasons.get(`${kind} ${id}`));
    return pieces.toSorted((a, b) => rank(a) - rank(b));
  }
  const superseded = supersededUses(usesOf(rows));
  const isFirst = ({ id, kind }: Piece): boolean => kind === "result" && superseded.has(id);
  return [...pieces.filter(isFirst), ...pieces.filter((piece) => !isFirst(piece))];
}

function usesOf(rows: readonly Readonly<Row>[]): FileUse[] {
  const failed = new Set(
    rows.flatMap(({ toolResults = [] }) => toolResults).filter(({ isError }) => isError)
      .map(({ tool_use_id: id }) => id),
  );
  return rows.flatMap(({ toolUses }) => toolUses).flatMap(({ tool_use_id: id, tool, input }) =>
    fileUseOf({ id, toolName: tool, input, isError: failed.has(id) }) ?? []
  );
}

/** Takes pieces until they save enough, and passes over those that save nothing. */
function choose(pieces: readonly Piece[], excess: number): Piece[] {
  const chosen: Piece[] = [];
  let saved = 0;
  for (const piece of pieces) {
    if (Math.round(saved) >= excess) break;
    if (piece.tokens <= 0) continue;
    saved += piece.tokens;
    chosen.push(piece);
  }
  return chosen;
}

function mapOf<T>(pieces: readonly Piece[], read: (piece: Piece) => T | undefined): Map<string, T> {
  const found = new Map<string, T>();
  for (const piece of pieces) {
    const value = read(piece);
    if (value !== undefined) found.set(piece.id, value);
  }
  return found;
}

function countByTool(pieces: readonly Piece[]): (readonly [string, number])[] {
  const found = new Map<string, { count: number; chars: number }>();
  for (const { tool, kind, chars } of pieces) {
    if (kind !== "result") continue;
    const { count, chars: sum } = found.get(tool) ?? { count: 0, chars: 0 };
    found.set(tool, { count: count + 1, chars: sum + chars });
  }
  return [...found].sort(([, a], [, b]) => b.chars - a.chars)
    .map(([tool, { count }]) => [tool, count]);
}
