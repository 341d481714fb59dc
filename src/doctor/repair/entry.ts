/** Repairs one entry by itself, and says which cannot be. */

import { asString, isObject, type JsonObject, latin1Text } from "../../transcript/entry.ts";
import { MemberWalker, skipSpace, skipValue } from "../../transcript/json_scan.ts";
import { EditList } from "../../trim/edit/edits.ts";
import { attachmentProblem } from "./attachment.ts";
import { repairContent } from "./blocks.ts";
import type { RescueNote } from "./finding.ts";

/** Changed members of an entry's top level, by name. */
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

/** Writes changed members into an entry. All else stays byte for byte. */
export function changeMembers(bytes: Uint8Array, changes: MemberChanges): Uint8Array {
  const text = latin1Text(bytes);
  const edits = new EditList();
  const open = skipSpace(text, 0, text.length);
  const walker = new MemberWalker();
  const missing = new Map(changes);
  let isEmpty = true;
  walker.start(text, open, text.length);
  while (walker.next()) {
    isEmpty = false;
    const key: unknown = JSON.parse(text.slice(walker.keyStart - 1, walker.keyEnd + 1));
    if (typeof key !== "string" || !changes.has(key)) continue;
    edits.add(walker.valueStart, walker.skip(), JSON.stringify(changes.get(key)));
    missing.delete(key);
  }
  const close = skipValue(text, open, text.length) - 1;
  const added = [...missing].map(([key, value]) => `"${key}":${JSON.stringify(value)}`).join(",");
  if (added !== "") edits.add(close, close, isEmpty ? added : `,${added}`);
  return applied(bytes, edits);
}

function applied(bytes: Uint8Array, { edits }: EditList): Uint8Array {
  const grown = edits.reduce((sum, edit) => sum + edit.bytes.length - (edit.end - edit.start), 0);
  const result = new Uint8Array(bytes.length + grown);
  let from = 0;
  let to = 0;
  for (const edit of edits) {
    for (const part of [bytes.subarray(from, edit.start), edit.bytes]) {
      result.set(part, to);
      to += part.length;
    }
    from = edit.end;
  }
  result.set(bytes.subarray(from), to);
  return result;
}
