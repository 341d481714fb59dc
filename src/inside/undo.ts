/** Takes back the last trim in place: what it cut still stands before the boundary. */

import { asString, isObject, type JsonObject } from "../transcript/entry.ts";
import { resultTexts } from "../transcript/content.ts";
import type { Row } from "./client.ts";
import type { RowChanges } from "./rows.ts";
import type { SessionLine } from "./session_lines.ts";

/** Finds what calls and results were before the last trim, where they are something else now. */
export function findCutAway(
  rows: readonly Readonly<Row>[],
  before: readonly SessionLine[],
): RowChanges {
  const old = collectBlocks(before);
  const results = new Map<string, string>();
  const inputs = new Map<string, JsonObject>();
  for (const { tool_use_id: id, text } of rows.flatMap(({ toolResults = [] }) => toolResults)) {
    const was = old.results.get(id);
    // References to tools have no text, and cannot be put back.
    if (was !== undefined && was !== "" && was !== text) results.set(id, was);
  }
  for (const { tool_use_id: id, input } of rows.flatMap(({ toolUses }) => toolUses)) {
    const was = old.inputs.get(id);
    if (was !== undefined && JSON.stringify(was) !== JSON.stringify(input)) inputs.set(id, was);
  }
  return { results, inputs };
}

/** The newest form of each call and result. */
function collectBlocks(
  lines: readonly SessionLine[],
): { results: Map<string, string>; inputs: Map<string, JsonObject> } {
  const results = new Map<string, string>();
  const inputs = new Map<string, JsonObject>();
  for (const { entry } of lines) {
    const content = entry.message?.content;
    for (const block of Array.isArray(content) ? content.filter(isObject) : []) {
      const id = asString(block.tool_use_id) ?? asString(block.id);
      if (id === undefined) continue;
      if (block.type === "tool_result") results.set(id, resultTexts(block.content).join("\n"));
      if (block.type === "tool_use" && isObject(block.input)) inputs.set(id, block.input);
    }
  }
  return { results, inputs };
}
