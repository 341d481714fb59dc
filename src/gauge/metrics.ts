import { AGENT_TOOLS, WRITERS } from "../core/tools.ts";
import { blocksOf } from "../transcript/content.ts";
import { asString, type Entry } from "../transcript/entry.ts";
import { readLines } from "../transcript/lines.ts";
import { readBriefly } from "../transcript/long_lines.ts";
import type { ContextMetrics } from "./heuristics.ts";
import { openFileSync } from "../store/read_file.ts";

const READERS: ReadonlySet<unknown> = new Set(["Read", "NotebookRead"]);

/** Counts messages and tool calls since the newest compaction, without subagents, but with all branches. */
export function gatherMetrics(path: string): Required<ContextMetrics> {
  using file = openFileSync(path);
  let gatherer = new Gatherer();
  for (const line of readLines(file, { limitBytes: file.statSync().size })) {
    for (const { entry } of readBriefly(line.bytes)) {
      const { type, subtype, isSidechain } = entry;
      if (isSidechain) continue;
      // Content from before a compaction is not in the window.
      if (type === "system" && subtype === "compact_boundary") gatherer = new Gatherer();
      else gatherer.add(entry);
    }
  }
  return gatherer.metrics;
}

class Gatherer {
  readonly metrics = {
    message_count: 0,
    file_reads: 0,
    file_edits: 0,
    tool_calls: 0,
    subagent_spawns: 0,
  };
  /** Contains all ids, because lines of several messages can be interleaved. */
  readonly #messageIds = new Set<string>();
  readonly #callIds = new Set<string>();

  add(entry: Entry): void {
    if (entry.type === "assistant") this.#addAnswer(entry);
    else if (entry.type === "user" && isPrompt(entry)) this.metrics.message_count++;
  }

  #addAnswer(entry: Entry): void {
    if (addIfNew(this.#messageIds, entry.message?.id)) this.metrics.message_count++;
    for (const { type, id, name } of blocksOf(entry)) {
      if (type === "tool_use" && addIfNew(this.#callIds, id)) this.metrics[kindOf(name)]++;
    }
  }
}

function kindOf(tool: unknown): Exclude<keyof ContextMetrics, "message_count"> {
  if (READERS.has(tool)) return "file_reads";
  if (WRITERS.has(tool)) return "file_edits";
  return AGENT_TOOLS.has(`${tool}`) ? "subagent_spawns" : "tool_calls";
}

function addIfNew(known: Set<string>, value: unknown): boolean {
  const id = asString(value);
  if (id === undefined) return true;
  if (known.has(id)) return false;
  known.add(id);
  return true;
}

/** Excludes tool results, and text that the client added. */
function isPrompt(entry: Entry): boolean {
  if (entry.raw.isMeta === true) return false;
  return typeof entry.message?.content === "string" ||
    blocksOf(entry).some(({ type }) => type === "text" || type === "image");
}
