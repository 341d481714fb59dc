/** Repairs an entry without looking at others, and finds entries that cannot be repaired. */

import { isObject, type JsonObject } from "../../core/record.ts";
import { asString, parseExactly } from "../../transcript/entry.ts";
import { attachmentProblem } from "./attachment.ts";
import { repairContent } from "./blocks.ts";
import type { RescueNote } from "./finding.ts";

/** New values of an entry's top-level fields, by name. */
export type MemberChanges = Map<string, unknown>;

export function reasonToLeaveOut(raw: JsonObject): RescueNote | undefined {
  const { type, message } = raw;
  if (type === "attachment") {
    const what = attachmentProblem(raw.attachment);
    return what === undefined ? undefined : { kind: "attachment", action: "left_out", what };
  }
  if ((type !== "user" && type !== "assistant") || isObject(message)) return undefined;
  return { kind: "content", action: "left_out", what: "a line without its message" };
}

export function repairMessage(
  raw: JsonObject,
  dropsThinking: boolean,
  changes: MemberChanges,
): RescueNote[] {
  const { type, message } = raw;
  if ((type !== "user" && type !== "assistant") || !isObject(message)) return [];
  const { content, notes } = repairContent(message.content, { role: type, dropsThinking });
  if (notes.length > 0) changes.set("message", { ...message, content });
  return notes;
}

export interface CallIds {
  calls: string[];
  results: string[];
}

export function callIdsOf(raw: JsonObject): CallIds {
  const ids: CallIds = { calls: [], results: [] };
  const content = isObject(raw.message) ? raw.message.content : undefined;
  for (const block of Array.isArray(content) ? content : []) {
    if (!isObject(block)) continue;
    if (block.type === "tool_use") ids.calls.push(asString(block.id) ?? "");
    if (block.type === "tool_result") ids.results.push(asString(block.tool_use_id) ?? "");
  }
  return ids;
}

export function changeMembers(bytes: Uint8Array, changes: MemberChanges): Uint8Array {
  const raw = parseExactly(new TextDecoder().decode(bytes));
  const text = JSON.stringify({ ...raw, ...Object.fromEntries(changes) });
  return new TextEncoder().encode(text);
}
