/**
 * Makes rows and transcript lines, and lays out sessions as the module does.
 *
 * @module
 */

import type { JsonObject } from "../../src/core/record.ts";
import type { CallRow, Row } from "../../src/inside/client.ts";
import { layOutRows } from "../../src/inside/rows.ts";
import { type SessionLines, SessionReader } from "../../src/inside/session_lines.ts";
import { queuedPrompt } from "../../src/transcript/content.ts";
import { type Entry, viewEntry } from "../../src/transcript/entry.ts";
import { findActiveContext, readNodes } from "../../src/transcript/tree/active_context.ts";
import { messagesOf, rowOf } from "./play_client.ts";

export function textRow(role: Row["role"], text: string): Row {
  return { role, text, toolUses: [] };
}

export function callRow(...toolUses: CallRow[]): Row {
  return { role: "assistant", text: "", toolUses };
}

/** @param texts Texts of results by call id. */
export function resultRow(texts: Record<string, string>): Row {
  const toolResults = Object.entries(texts)
    .map(([tool_use_id, text]) => ({ tool_use_id, text, isError: false }));
  return { ...textRow("user", ""), toolResults };
}

/** Reads transcript lines as the module does; a line without a parent is a root. */
export function sessionLines(
  lines: readonly JsonObject[],
  conversation?: Parameters<SessionReader["finish"]>[0],
): SessionLines {
  const reader = new SessionReader();
  for (const line of lines) reader.add(JSON.stringify({ parentUuid: null, ...line }));
  return reader.finish(conversation);
}

export function messageLine(
  role: string,
  content: unknown,
  [uuid, parentUuid = null]: readonly [uuid?: string, parentUuid?: string | null] = [],
): JsonObject {
  return { type: role, uuid, parentUuid, message: { role, content } };
}

/** Returns a hook's context as an attachment. The client does not send blank context. */
export function hookContext(content: string): JsonObject {
  const attachment = { type: "hook_additional_context" };
  return { type: "attachment", attachment, rendered: [{ content }] };
}

export function reminder(words: string): string {
  return `<system-reminder>\n${words}\n</system-reminder>`;
}

export function hidden(words: string): string {
  return `<local-command-caveat>${reminder(words)}</local-command-caveat>`;
}

/** Lays out the conversation of a session as the module does with the client's messages. */
export function rowsOf(path: string): Row[] {
  using file = Deno.openSync(path);
  const { nodes } = findActiveContext(file, file.statSync().size);
  const entries = [...readNodes(file, nodes)].map(({ entry }) => withQueued(entry))
    // The client never sends the API errors that it wrote itself.
    .filter(({ raw, message }) =>
      raw.isApiErrorMessage !== true || message?.model !== "<synthetic>"
    );
  const rows = entries.flatMap(rowOf);
  const reminders = { keep: (text: string) => [text], isState: () => false, cleared: new Map() };
  return layOutRows({ rows, messages: messagesOf(entries) }, reminders, { textsOf: () => [] });
}

function withQueued(entry: Entry): Entry {
  const queued = queuedPrompt(entry);
  return queued === undefined
    ? entry
    : viewEntry({ type: "user", message: { role: "user", content: queued } });
}

export function lineNumbersIn(
  path: string,
): (id: string, kind: "call" | "result") => number | undefined {
  const found = new Map<string, number>();
  for (const [index, line] of Deno.readTextFileSync(path).split("\n").entries()) {
    for (const [, kind, id] of line.matchAll(/"(id|tool_use_id)":"([^"]+)"/g)) {
      const key = `${kind === "id" ? "call" : "result"} ${id}`;
      if (!found.has(key)) found.set(key, index + 1);
    }
  }
  return (id, kind) => found.get(`${kind} ${id}`);
}
