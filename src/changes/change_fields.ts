/** Derives the fields of a changed file from a call and its patch. */

import { isObject } from "../core/record.ts";
import type { FileChange, FinishedCall } from "../core/work_state.ts";
import type { LineSpan, TextPatch } from "../inject/patches.ts";

export const NO_CHANGE: Omit<FileChange, "from"> = {
  file: "",
  action: "modified",
  count: 0,
  first_line: null,
  last_line: null,
  what: "",
  why: "",
};

export function actionOf(call: FinishedCall, patch: TextPatch): FileChange["action"] {
  if (call.name !== "Write" && !patch.isWholeFile) return "modified";
  const kind = isObject(call.mirror) ? call.mirror.type : undefined;
  const isCreated = kind === "create" || (kind !== "update" && /^File created\b/.test(call.result));
  return isCreated ? "created" : "modified";
}

/** Returns the line range that spans both changes; `null` if unknown. */
export function mergeLines(
  earlier: FileChange | undefined,
  lines: LineSpan | null,
): LineSpan | null {
  const { first_line: first, last_line: last } = earlier ?? {};
  if (typeof first !== "number" || typeof last !== "number") return lines;
  if (lines === null) return { first, last };
  return { first: Math.min(first, lines.first), last: Math.max(last, lines.last) };
}
