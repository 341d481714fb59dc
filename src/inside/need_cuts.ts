/** Finds what a trim by need cuts of a conversation in rows. */

import type { NeedReason } from "../core/need.ts";
import { NeedWatch } from "../core/need_watch.ts";
import { cutArguments } from "../trim/input_texts.ts";
import { fixedInputUnits, inputSizes, watchOptions, withDigestNotice } from "../trim/need_texts.ts";
import type { JsonObject } from "../transcript/entry.ts";
import type { CallRow, Row } from "./client.ts";
import type { CutRules } from "./cut_rules.ts";

/** What stands in the place of what. */
export interface NeedCuts {
  /** The results that are looked at, neither among the newest nor protected. */
  readonly decided: ReadonlySet<string>;
  /** Why, by `call` or `result` and the id of the call. */
  readonly reasons: ReadonlyMap<string, NeedReason>;
  /** Texts of results, by the id of the call. */
  readonly results: ReadonlyMap<string, string>;
  /** Arguments, by the id of the call. */
  readonly inputs: ReadonlyMap<string, JsonObject>;
}

/** Goes through a conversation. */
export function needCuts(
  rows: readonly Readonly<Row>[],
  calls: ReadonlyMap<string, CallRow>,
  rules: CutRules,
): NeedCuts {
  const { parentFile, threshold, record } = rules;
  const texts = new Map<string, string>();
  const results = new Map<string, string>();
  const inputs = new Map<string, JsonObject>();
  const decided = new Set<string>();
  const reasons = new Map<string, NeedReason>();
  const watch = new NeedWatch({
    ...watchOptions(rules),
    decide: ({ id, kept: [left], reason }) => {
      if (reason !== "newest") decided.add(id);
      reasons.set(`result ${id}`, reason);
      const text = texts.get(id);
      const lineNumber = rules.lineOf(id, "result");
      if (left === undefined || text === undefined || lineNumber === undefined) return;
      results.set(id, withDigestNotice(text, left, { lineNumber, parentFile }));
    },
    decideInput: ({ id, texts: names, reason }) => {
      reasons.set(`call ${id}`, reason);
      const call = calls.get(id);
      const lineNumber = rules.lineOf(id, "call");
      if (call === undefined || lineNumber === undefined || rules.cutsInputs) return;
      const fixed = fixedInputUnits(id, record);
      const options = { ...inputSizes(threshold), texts: names, ...fixed };
      const cut = cutArguments(call.tool, call.input, { ...options, parentFile, lineNumber });
      if (cut !== call.input) inputs.set(id, cut);
    },
  });
  for (const row of rows) {
    if (row.text !== "") watch.addText(row.text);
    for (const { tool_use_id: id, tool: toolName, input } of row.toolUses) {
      watch.addCall({ id, toolName, input });
    }
    for (const { tool_use_id: id, text, isError } of row.toolResults ?? []) {
      if (rules.lineOf(id, "result") === undefined) continue;
      const call = calls.get(id);
      texts.set(id, text);
      const isFree = call !== undefined && rules.isTarget(call.tool) &&
        rules.isProtected?.(call.tool, call.input) !== true;
      watch.addResult({ id, texts: [text], isError, isFree });
    }
  }
  watch.finish();
  return { decided, reasons, results, inputs };
}
