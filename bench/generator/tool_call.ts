/**
 * The types that all tool calls share.
 *
 * @module
 */

import type { Json, JsonObject } from "./state.ts";
import type { TextKind } from "./text.ts";

/** One call of a tool and its answer. */
export interface ToolCall {
  /** The tool's name. */
  readonly name: string;
  /** Its arguments. */
  readonly input: JsonObject;
  /** Its result: a text or a list of blocks. */
  readonly content: Json;
  /** The same for the screen; undefined when the client wrote none. */
  readonly mirror: Json | undefined;
  /** True when the tool failed. */
  readonly failed: boolean;
  /** The result's kind of text, for counting tokens. */
  readonly kind: TextKind;
  /** Tokens of images in the answer. */
  readonly imageTokens: number;
  /** The edited file, for file-history snapshots. */
  readonly edited: boolean;
  /** The prompt of a subagent, empty for any other tool. */
  readonly agentPrompt: string;
}

/** A call with what most calls have in common filled in: a success whose answer is output. */
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

/** Makes paths of `chars` characters together, newlines included. */
export function paths(chars: number, path: () => string): string[] {
  const list: string[] = [];
  for (let length = 0; length < chars;) {
    const next = path();
    list.push(next);
    length += next.length + 1;
  }
  return list;
}

/** A structured patch of one hunk, as the mirrors of edits hold it. */
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
