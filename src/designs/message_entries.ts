import { isObject, type JsonObject, parseObject } from "../core/record.ts";
import { asString, type Entry, viewEntry } from "../transcript/entry.ts";

/**
 * Converts messages in the format of common APIs to transcript entries. Keeps items without a role, which are
 * transcript entries already. Skips system messages and messages with an unknown role.
 */
export function* messageEntries(
  conversation: readonly object[],
): Generator<Entry, void, undefined> {
  for (const item of conversation) {
    if (!isObject(item)) continue;
    const raw = item.role === undefined ? item : rawEntry(item);
    if (raw !== null) yield viewEntry(raw);
  }
}

function rawEntry(message: JsonObject): JsonObject | null {
  switch (message.role) {
    case "user":
      return { type: "user", message: { role: "user", content: message.content } };
    case "assistant":
      return { type: "assistant", message: { role: "assistant", content: blocksOf(message) } };
    case "tool":
      return { type: "user", message: { role: "user", content: [resultBlock(message)] } };
    default:
      return null;
  }
}

function blocksOf(message: JsonObject): unknown[] {
  const { content } = message;
  const textBlocks = Array.isArray(content)
    ? content
    : typeof content === "string"
    ? [{ type: "text", text: content }]
    : [];
  const calls = [message.toolCalls, message.tool_calls].flatMap((list) =>
    Array.isArray(list) ? list.filter(isObject) : []
  );
  return [...textBlocks, ...calls.map(callBlock)];
}

function callBlock(call: JsonObject): JsonObject {
  const inner = isObject(call.function) ? call.function : call;
  const input = inner.input ?? inner.arguments;
  return {
    type: "tool_use",
    id: call.id,
    name: asString(inner.name) ?? "unknown",
    input: typeof input === "string" ? parseObject(input) ?? {} : input,
  };
}

function resultBlock(message: JsonObject): JsonObject {
  return {
    type: "tool_result",
    tool_use_id: message.toolCallId ?? message.tool_call_id,
    content: message.content,
    is_error: message.isError === true || message.is_error === true,
  };
}
