import { WRITERS } from "../core/tools.ts";
import { blocksOf } from "../transcript/content.ts";
import { asString, type Entry } from "../transcript/entry.ts";
import { readLines } from "../transcript/lines.ts";
import { readBriefly } from "../transcript/long_lines.ts";
import type { ContextMetrics } from "./heuristics.ts";
import { openFileSync } from "../store/read_file.ts";

const READERS = new Set(["Read", "NotebookRead"]);

const SPAWNERS = new Set(["Task", "Agent"]);

/**
 * Counts messages and tool calls since the newest compaction, in one pass over the whole file.
 *
 * A model message counts once, however many lines it has. Prompts count as messages; tool results
 * do not. A call counts as a read, an edit, a subagent or another tool call. Lines of
 * subagents are left out. Abandoned branches are included, because leaving them out would take a
 * second pass.
 *
 * Permissions: `--allow-read` for the transcript.
 *
 * @param path The transcript.
 * @returns The counts.
 * @throws {Deno.errors.NotFound} When the file does not exist.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { gatherMetrics } from "./metrics.ts";
 *
 * const path = Deno.makeTempFileSync();
 * const message = { id: "m", content: [{ type: "tool_use", id: "t", name: "Read", input: {} }] };
 * Deno.writeTextFileSync(path, JSON.stringify({ type: "assistant", message }) + "\n");
 * const { message_count, file_reads, tool_calls } = gatherMetrics(path);
 * assertEquals([message_count, file_reads, tool_calls], [1, 1, 0]);
 * Deno.removeSync(path);
 * ```
 */
export function gatherMetrics(path: string): Required<ContextMetrics> {
  using file = openFileSync(path);
  const gatherer = new Gatherer();
  for (const line of readLines(file, { limitBytes: file.statSync().size })) {
    for (const { entry } of readBriefly(line.bytes)) gatherer.add(entry);
  }
  return gatherer.metrics();
}

class Gatherer {
  #messages = 0;
  #reads = 0;
  #edits = 0;
  #calls = 0;
  #spawns = 0;
  /** Contains all ids, because lines of several messages can be interleaved. */
  #messageIds = new Set<string>();
  #callIds = new Set<string>();

  add(entry: Entry): void {
    if (entry.isSidechain) return;
    if (entry.type === "system" && entry.subtype === "compact_boundary") this.#reset();
    else if (entry.type === "assistant") this.#addAnswer(entry);
    else if (entry.type === "user" && isPrompt(entry)) this.#messages++;
  }

  metrics(): Required<ContextMetrics> {
    return {
      message_count: this.#messages,
      file_reads: this.#reads,
      file_edits: this.#edits,
      tool_calls: this.#calls,
      subagent_spawns: this.#spawns,
    };
  }

  /** Resets the counts, because content from before a compaction is not in the window. */
  #reset(): void {
    this.#messages =
      this.#reads =
      this.#edits =
      this.#calls =
      this.#spawns =
        0;
    this.#messageIds.clear();
    this.#callIds.clear();
  }

  #addAnswer(entry: Entry): void {
    const id = asString(entry.message?.id);
    if (id === undefined || isNew(this.#messageIds, id)) this.#messages++;
    for (const block of blocksOf(entry)) {
      if (block.type !== "tool_use") continue;
      const callId = asString(block.id);
      if (callId === undefined || isNew(this.#callIds, callId)) this.#addCall(block.name);
    }
  }

  #addCall(name: unknown): void {
    if (typeof name !== "string") this.#calls++;
    else if (READERS.has(name)) this.#reads++;
    else if (WRITERS.has(name)) this.#edits++;
    else if (SPAWNERS.has(name)) this.#spawns++;
    else this.#calls++;
  }
}

function isNew(known: Set<string>, id: string): boolean {
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
