/**
 * Lays out sessions as the client hands them to the module.
 *
 * @module
 */

import { isObject, type JsonObject } from "../../src/core/record.ts";
import type { ApiMessage, Row } from "../../src/inside/client.ts";
import { layOutRows } from "../../src/inside/rows.ts";
import { queuedPrompt, resultTexts } from "../../src/transcript/content.ts";
import { type Entry, viewEntry } from "../../src/transcript/entry.ts";
import { findActiveContext, readNodes } from "../../src/transcript/tree/active_context.ts";

/** Lays out the conversation of a session as the module does with the client's messages. */
export function rowsOf(path: string): Row[] {
  using file = Deno.openSync(path);
  const { nodes } = findActiveContext(file, file.statSync().size);
  const entries = [...readNodes(file, nodes)].map(({ entry }) => withQueued(entry))
    // The client never sends its errors of the API.
    .filter(({ raw, message }) =>
      raw.isApiErrorMessage !== true || message?.model !== "<synthetic>"
    );
  const rows = entries.flatMap(rowOf);
  const reminders = { keep: (text: string) => [text], isState: () => false };
  return layOutRows({ rows, messages: messagesOf(entries) }, reminders, { textsOf: () => [] });
}

/** Makes a user's message of a prompt that waited while the assistant worked. */
function withQueued(entry: Entry): Entry {
  const queued = queuedPrompt(entry);
  return queued === undefined
    ? entry
    : viewEntry({ type: "user", message: { role: "user", content: queued } });
}

/** Groups the blocks by answer, each followed by all its results in the order of their lines. */
function messagesOf(entries: readonly Entry[]): ApiMessage[] {
  const results = new Map<string, JsonObject>();
  const answers = new Map<string, JsonObject[]>();
  for (const { type, message } of entries) {
    const blocks = Array.isArray(message?.content) ? message.content.filter(isObject) : [];
    for (const block of blocks.filter((block) => block.type === "tool_result")) {
      results.set(`${block.tool_use_id}`, block);
    }
    if (type !== "assistant") continue;
    const id = `${message?.id}`;
    answers.set(id, [...answers.get(id) ?? [], ...blocks]);
  }
  const seen = new Set<string>();
  return entries.flatMap(({ type, message }): ApiMessage[] => {
    if (type === "user") {
      const { content = "" } = message ?? {};
      const blocks = Array.isArray(content) ? content.filter(isObject) : [{
        type: "text",
        text: content,
      }];
      return [{ role: "user", content: blocks.filter((block) => block.type === "text") }];
    }
    const id = `${message?.id}`;
    if (type !== "assistant" || seen.has(id)) return [];
    seen.add(id);
    const content = answers.get(id) ?? [];
    const calls = content.filter((block) => block.type === "tool_use").map(({ id }) => `${id}`);
    const answered = [
      ...[...results].filter(([id]) => calls.includes(id)).map(([, block]) => block),
      ...calls.filter((id) => !results.has(id)).map(interruptedResult),
    ];
    return [{ role: "assistant", content }, { role: "user", content: answered }];
  });
}

function rowOf({ type, message }: Entry): Row[] {
  if ((type !== "user" && type !== "assistant") || message === undefined) return [];
  const { content } = message;
  const blocks = Array.isArray(content)
    ? content.filter(isObject)
    : [{ type: "text", text: content }];
  const of = (kind: string): JsonObject[] => blocks.filter((block) => block.type === kind);
  const text = of("text").map((block) => `${block.text}`).join("\n");
  const toolUses = of("tool_use").map(({ id, name, input }) => ({
    tool_use_id: `${id}`,
    tool: `${name}`,
    input: isObject(input) ? input : {},
  }));
  const toolResults = of("tool_result").map((block) => ({
    tool_use_id: `${block.tool_use_id}`,
    text: resultTexts(block.content).join("\n"),
    isError: block.is_error === true,
  }));
  return [{ role: type, text, toolUses, ...(toolResults.length > 0 ? { toolResults } : {}) }];
}

/** Makes the client's result for a call that was open when the client was killed. */
function interruptedResult(id: string): JsonObject {
  return {
    type: "tool_result",
    tool_use_id: id,
    content: "[Tool call interrupted]",
    is_error: true,
  };
}

/** Finds the lines of calls and results by their ids. */
export function placesIn(
  path: string,
): (id: string, kind: "call" | "result") => number | undefined {
  const found = new Map<string, number>();
  for (const [index, line] of Deno.readTextFileSync(path).split("\n").entries()) {
    for (const [, kind, id] of line.matchAll(/"(id|tool_use_id)":"(toolu_[^"]+)"/g)) {
      const key = `${kind === "id" ? "call" : "result"} ${id}`;
      if (!found.has(key)) found.set(key, index + 1);
    }
  }
  return (id, kind) => found.get(`${kind} ${id}`);
}
