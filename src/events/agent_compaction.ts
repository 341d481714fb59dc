import { unlessFailed } from "../store/exists.ts";
import { AGENT_TOOLS } from "../core/tools.ts";
import { openFileSync } from "../store/read_file.ts";
import { blocksOf } from "../transcript/content.ts";
import { asString, readEntries } from "../transcript/entry.ts";
import { readLinesBackward } from "../transcript/lines.ts";
import { type Call, isSubagent } from "./call.ts";

const MAX_TAIL_BYTES = 4 * 1024 * 1024;

/** Inferred, because Claude Code 2.1.197 does not report it: a session that waits for an agent is not compacted. */
export function isSubagentCompaction(call: Call): boolean {
  if (isSubagent(call)) return true;
  const { transcript } = call;
  // If the transcript is unreadable, the code that saves the work reports the problem.
  return transcript !== undefined && unlessFailed(() => waitsForAgent(transcript)) === true;
}

/** Whether the conversation ends with a message that started an agent whose result is still missing. */
function waitsForAgent(transcript: string): boolean {
  using file = openFileSync(transcript);
  const { size } = file.statSync();
  const answered = new Set<unknown>();
  let newest: string | undefined;
  for (const { bytes } of readLinesBackward(file, size, MAX_TAIL_BYTES)) {
    for (const entry of readEntries(bytes).reverse()) {
      if (entry.isSidechain || entry.message === undefined) continue;
      const blocks = blocksOf(entry);
      const results = blocks.filter(({ type }) => type === "tool_result");
      if (entry.type !== "assistant") {
        if (results.length === 0) return false;
        for (const { tool_use_id: id } of results) answered.add(id);
        continue;
      }
      const id = asString(entry.message.id) ?? "";
      if (id !== (newest ??= id)) return false;
      const isOpen = blocks.some(({ type, name, id: call }) =>
        type === "tool_use" && AGENT_TOOLS.has(asString(name) ?? "") && !answered.has(call)
      );
      if (isOpen) return true;
    }
  }
  return false;
}
