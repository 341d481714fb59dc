import { AGENT_TOOLS, WRITERS } from "../core/tools.ts";
import { blocksOf } from "../transcript/content.ts";
import type { Entry } from "../transcript/entry.ts";
import { readLines } from "../transcript/lines.ts";
import { readBriefly } from "../transcript/long_lines.ts";
import type { ContextMetrics } from "./heuristics.ts";
import { openFileSync } from "../store/read_file.ts";

const READERS: ReadonlySet<unknown> = new Set(["Read", "NotebookRead"]);

const NONE = { message_count: 0, file_reads: 0, file_edits: 0, tool_calls: 0, subagent_spawns: 0 };

/** Counts messages and tool calls since the newest compaction, without subagents, but with all branches. */
export function gatherMetrics(path: string): Required<ContextMetrics> {
  using file = openFileSync(path);
  let metrics = { ...NONE };
  // Contains all ids of messages and calls, because lines of several messages can be interleaved.
  const ids = new Set<unknown>();
  const isNew = (id: unknown): boolean => {
    const isKnown = id !== undefined && ids.has(id);
    ids.add(id);
    return !isKnown;
  };
  for (const line of readLines(file, { limitBytes: file.statSync().size })) {
    for (const { entry } of readBriefly(line.bytes)) {
      const { type, subtype, isSidechain, message } = entry;
      if (isSidechain) continue;
      if (type === "system" && subtype === "compact_boundary") {
        // Content from before a compaction is not in the window.
        metrics = { ...NONE };
        ids.clear();
      } else if (type === "user") {
        if (isPrompt(entry)) metrics.message_count++;
      } else if (type === "assistant") {
        if (isNew(message?.id)) metrics.message_count++;
        for (const { type, id, name } of blocksOf(entry)) {
          if (type === "tool_use" && isNew(id)) metrics[kindOf(name)]++;
        }
      }
    }
  }
  return metrics;
}

function kindOf(tool: unknown): Exclude<keyof ContextMetrics, "message_count"> {
  if (READERS.has(tool)) return "file_reads";
  if (WRITERS.has(tool)) return "file_edits";
  return AGENT_TOOLS.has(`${tool}`) ? "subagent_spawns" : "tool_calls";
}

/** Excludes tool results, and text that the client added. */
function isPrompt(entry: Entry): boolean {
  if (entry.raw.isMeta === true) return false;
  return typeof entry.message?.content === "string" ||
    blocksOf(entry).some(({ type }) => type === "text" || type === "image");
}
