/** Cuts the rows of a conversation. A copy of the same conversation has the same cuts. */

import { countChars } from "../core/chars.ts";
import type { JsonObject } from "../core/record.ts";
import { type CutPlan, CutPlanner, type CutRules } from "../trim/cut_planner.ts";
import { cutArguments } from "../trim/inputs.ts";
import { remainderText } from "../trim/remainder.ts";
import type { CallRow, Rows } from "./client.ts";

export interface RowRules extends CutRules {
  /** Returns the number of the transcript line, or `undefined` if the transcript has no such line. */
  lineOf(id: string, kind: "call" | "result"): number | undefined;
  /**
   * Returns the text blocks of a result in its transcript line. If there are several, the last element is all
   * of them joined, as in a row.
   */
  textsOf?(id: string): readonly string[] | undefined;
  /** Tokens to free; `undefined` frees as many as possible. */
  readonly excessTokens: number | undefined;
  readonly scale: number;
}

export interface Cuts extends Omit<CutPlan, "cuts"> {
  /** Shortened results, by call id. */
  readonly results: Map<string, string>;
  /** Shortened arguments, by call id. */
  readonly inputs: Map<string, JsonObject>;
  /** Cut results per tool. The tool with the most freed characters comes first. */
  readonly byTool: readonly (readonly [name: string, count: number])[];
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
    if (cut.kind === "call") {
      const lineNumber = rules.lineOf(id, "call") ?? 0;
      inputs.set(
        id,
        cutArguments(tool, input, { ...rules, lineNumber, argumentNames: cut.argumentNames }),
      );
      continue;
    }
    const place = { ...rules, lineNumber: rules.lineOf(id, "result") ?? 0 };
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
