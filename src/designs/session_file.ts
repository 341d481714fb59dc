/** The steps of a trim as separate functions. */

import { AtomicStream } from "../store/atomic.ts";
import { absolutePath } from "../store/paths.ts";
import { blocksOf } from "../transcript/content.ts";
import { readEntries } from "../transcript/entry.ts";
import { sessionIdOf } from "../transcript/find.ts";
import { readLines } from "../transcript/lines.ts";
import { VERSION } from "../version.ts";
import { writeCopy } from "../trim/copy.ts";
import { DEFAULT_THRESHOLD_CHARS } from "../trim/trim_options.ts";
import { trimTranscript } from "../trim/trim_transcript.ts";
import { openFileSync } from "../store/read_file.ts";

/** Names of tools. A plain string is also iterable, but is not accepted. */
export type ToolNameList = Iterable<string> & object;

/** Options for {@linkcode trimSessionFile}. */
export interface TrimSessionFileOptions {
  /** The session's file, which is only read. */
  inputFile: string;
  /** The path of the copy, which must not exist yet. */
  outputFile: string;
  /** Characters to keep of each longer result. @default {500} */
  threshold?: number;
  /** The tools whose results are cut. @default {["Read", "Bash", "Grep", "Glob"]} */
  targetTools?: ToolNameList;
}

/** Counts and sizes of a trim. */
export interface TrimStats {
  /** Number of cut results. */
  trimmed_count: number;
  /** Size of the session's file, in bytes. */
  original_size: number;
  /** Size of the copy, in bytes. */
  new_size: number;
  /** `original_size` minus `new_size`, in bytes. */
  bytes_saved: number;
  /** Characters removed from results. */
  chars_saved: number;
  /** Characters kept of each cut result. */
  threshold: number;
}

/**
 * Writes a copy of a session's file with long results cut. The notices in the copy contain the full path of the
 * session's file.
 *
 * Permissions: `--allow-read` for the input, `--allow-read` and `--allow-write` for the output's folder.
 *
 * @throws {RangeError} When the threshold is not a whole number of 0 or more.
 * @throws {TypeError} When `targetTools` is a string.
 * @throws {Deno.errors.NotFound} When `inputFile` does not exist.
 * @throws {Deno.errors.AlreadyExists} When `outputFile` exists.
 */
export function trimSessionFile(options: TrimSessionFileOptions): TrimStats {
  const { inputFile, outputFile, threshold = DEFAULT_THRESHOLD_CHARS, targetTools } = options;
  const result = trimTranscript({
    input: inputFile,
    output: outputFile,
    threshold,
    parentFile: absolutePath(inputFile),
    keep: "head",
    // A string is also iterable, so it is passed on for `trimTranscript()` to reject.
    tools: targetTools === undefined || typeof targetTools === "string"
      ? targetTools
      : [...targetTools],
  });
  const chars = Object.values(result.by_tool).reduce((sum, tool) => sum + tool.chars_saved, 0);
  return {
    trimmed_count: result.trimmed_count,
    original_size: result.bytes.before,
    new_size: result.bytes.after,
    bytes_saved: result.bytes.before - result.bytes.after,
    chars_saved: chars,
    threshold,
  };
}

/**
 * Maps the ids of a session's tool calls to the names of the tools.
 *
 * Permissions: `--allow-read` for the file.
 *
 * @returns Tool names by call id.
 * @throws {Deno.errors.NotFound} When the file does not exist.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { buildToolNameMapping } from "./session_file.ts";
 *
 * const path = Deno.makeTempFileSync();
 * const content = [{ type: "tool_use", id: "tool-123", name: "Read" }];
 * Deno.writeTextFileSync(path, JSON.stringify({ type: "assistant", message: { content } }));
 * assertEquals(buildToolNameMapping(path), new Map([["tool-123", "Read"]]));
 * Deno.removeSync(path);
 * ```
 */
export function buildToolNameMapping(path: string): Map<string, string> {
  using file = openFileSync(path);
  const names = new Map<string, string>();
  for (const { bytes } of readLines(file)) {
    for (const entry of readEntries(bytes)) {
      for (const { type, id, name } of entry.type === "assistant" ? blocksOf(entry) : []) {
        if (type === "tool_use" && typeof id === "string" && typeof name === "string") {
          names.set(id, name);
        }
      }
    }
  }
  return names;
}

/**
 * Adds metadata about a copy's origin to its first entry.
 *
 * Permissions: `--allow-read` and `--allow-write` for the copy and its folder.
 *
 * @param outputFile The copy, which is rewritten as a whole.
 * @param parentFile The session's file that the copy was made from.
 * @param now The time of the trim in the metadata; defaults to the current time.
 * @throws {SyntaxError} When the copy contains no entry.
 */
export function injectTrimMetadata(
  outputFile: string,
  parentFile: string,
  stats: Pick<TrimStats, "trimmed_count" | "bytes_saved"> & Partial<TrimStats>,
  now: Date = new Date(),
): void {
  if (!hasEntry(outputFile)) {
    throw new SyntaxError(`Cannot add trim metadata to ${outputFile}: it contains no entry`);
  }
  const metadata = {
    parent_file: absolutePath(parentFile),
    parent_session_id: sessionIdOf(parentFile),
    trimmed_at: now.toISOString(),
    threshold: stats.threshold ?? DEFAULT_THRESHOLD_CHARS,
    trimmed_count: stats.trimmed_count,
    bytes_saved: stats.bytes_saved,
    chars_saved: stats.chars_saved ?? 0,
    trimtab_version: VERSION,
  };
  const text = JSON.stringify(metadata);
  rewriteInPlace(outputFile, { metadata: { key: "trim_metadata", text } });
}

/**
 * Replaces the session id in each entry of a copy. Entries without an id are unchanged.
 *
 * Permissions: `--allow-read` and `--allow-write` for the copy and its folder.
 *
 * @param path The copy, which is rewritten as a whole.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { updateSessionIdInFile } from "./session_file.ts";
 *
 * const path = Deno.makeTempFileSync();
 * Deno.writeTextFileSync(path, '{"sessionId":"old","n":1}\n{"n":2}\n');
 * updateSessionIdInFile(path, "new");
 * assertEquals(Deno.readTextFileSync(path), '{"sessionId":"new","n":1}\n{"n":2}\n');
 * Deno.removeSync(path);
 * ```
 */
export function updateSessionIdInFile(path: string, sessionId: string): void {
  rewriteInPlace(path, { sessionId });
}

function rewriteInPlace(path: string, change: Parameters<typeof writeCopy>[3]): void {
  using source = openFileSync(path);
  using stream = new AtomicStream(path);
  writeCopy(source, source.statSync().size, stream, { ...change, multiEntryLines: "any" });
  stream.commit();
}

function hasEntry(path: string): boolean {
  using file = openFileSync(path);
  return readLines(file).some(({ bytes }) => readEntries(bytes).length > 0);
}
