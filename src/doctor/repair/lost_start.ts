import { isObject } from "../../core/record.ts";
import { openFileSync } from "../../store/read_file.ts";
import { findActiveContext, readNodes } from "../../transcript/tree/active_context.ts";

/**
 * Whether a conversation begins with an answer whose prompt is not in the file. The client's request would
 * then begin with that answer.
 */
export function startsWithAnswer(path: string): boolean {
  using file = openFileSync(path);
  const { nodes, cutOff } = findActiveContext(file, file.statSync().size);
  if (cutOff !== "absent") return false;
  for (const { entry } of readNodes(file, nodes)) {
    if (isObject(entry.message)) return entry.type === "assistant";
  }
  return false;
}
