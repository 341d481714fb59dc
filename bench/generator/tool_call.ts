/**
 * Defines the type and the helpers that all tool calls share.
 *
 * @module
 */

import type { Json, JsonObject } from "./state.ts";
import type { TextKind } from "./text.ts";

export interface ToolCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly content: Json;
  /** The copy for the client's screen; undefined if the client wrote no copy. */
  readonly mirror: Json | undefined;
  readonly failed: boolean;
  /** The kind of text in the result, to count its tokens. */
  readonly kind: TextKind;
  readonly imageTokens: number;
  /** Whether a file was edited, for file-history snapshots. */
  readonly edited: boolean;
  /** The prompt of a subagent; empty for other tools. */
  readonly agentPrompt: string;
}

/** Makes a call that succeeds, with a result of kind `output`. */
export function call(
  name: string,
  input: JsonObject,
  content: Json,
  mirror: Json | undefined,
  options: Partial<Omit<ToolCall, "name" | "input" | "content" | "mirror">> = {},
): ToolCall {
  const rest = { failed: false, kind: "output", imageTokens: 0, edited: false, agentPrompt: "" };
  return { ...rest, kind: "output", ...options, name, input, content, mirror };
}

/** Makes paths with a total of `chars` characters, including newlines. */
export function paths(chars: number, path: () => string): string[] {
  const list: string[] = [];
  for (let length = 0; length < chars;) {
    const next = path();
    list.push(next);
    length += next.length + 1;
  }
  return list;
}

export function patch(before: string, after: string, line: number): Json {
  const removed = before.split("\n").map((text) => `-${text}`);
  const added = after.split("\n").map((text) => `+${text}`);
  return [{
    oldStart: line,
    oldLines: removed.length,
    newStart: line,
    newLines: added.length,
    lines: [...removed, ...added],
  }];
}
