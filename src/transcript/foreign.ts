/** Recognizes session files of other agents, which also end in `.jsonl`. */

import { isObject, type JsonObject } from "../core/record.ts";
import { readHead } from "../store/read_file.ts";

const HEAD_BYTES = 256 * 1024;

const MAX_LINES = 20;

/** Every Claude Code line without a message has one of these fields, regardless of its type. */
const IDENTIFIERS = ["sessionId", "uuid", "leafUuid", "messageId", "contextTokens"];

/** Matches a line that begins like an object. A damaged line can begin with NUL bytes. */
const OBJECT_START = /^[\s\0]*\{/m;

/**
 * Whether the first lines show that Claude Code did not write the file. A file is not foreign if it is empty,
 * or if none of its lines can be parsed but one of them begins like an object.
 */
export function isOtherAgentFile(path: string): boolean {
  const head = readHead(path, HEAD_BYTES);
  const objects = firstObjects(head);
  // A line that is longer than the head is cut off, so it cannot be parsed.
  if (objects.length === 0) return head.trim() !== "" && !OBJECT_START.test(head);
  return !objects.some(isClaudeCodeLine);
}

function isClaudeCodeLine(line: JsonObject): boolean {
  const { type, message } = line;
  // Qwen Code writes the same fields, but its messages have `parts`.
  if (isObject(message)) return (type === "user" || type === "assistant") && !("parts" in message);
  return typeof type === "string" && IDENTIFIERS.some((name) => name in line);
}

function firstObjects(head: string): JsonObject[] {
  const found = head.split("\n", MAX_LINES).flatMap(parseObjects);
  return found.length > 0 ? found : parseObjects(head);
}

function parseObjects(text: string): JsonObject[] {
  try {
    const value: unknown = JSON.parse(text);
    return (Array.isArray(value) ? value.slice(0, MAX_LINES) : [value]).filter(isObject);
  } catch {
    return [];
  }
}
