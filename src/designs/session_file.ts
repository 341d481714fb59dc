/** Trimming step by step, for programs that put a session together by themselves. */

import { AtomicStream } from "../store/atomic_stream.ts";
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

/** Names of tools; a single string is refused, although it is iterable. */
export type ToolNameList = Iterable<string> & object;

/** A session to trim, and how. */
export interface TrimSessionFileOptions {
  /** The session's file; it is only read. */
  inputFile: string;
  /** The copy; it must not be there yet. */
  outputFile: string;
  /** Characters of a result that stay. @default {500} */
  threshold?: number;
  /** The tools whose results are cut. @default {["Read", "Bash", "Grep", "Glob"]} */
  targetTools?: ToolNameList;
}

/** The cuts that were made. */
export interface TrimStats {
  /** The number of results that were cut. */
  trimmed_count: number;
  /** The size of the session's file, in bytes. */
  original_size: number;
  /** The size of the copy, in bytes. */
  new_size: number;
  /** The difference, in bytes. */
  bytes_saved: number;
  /** Characters that the results lost. */
  chars_saved: number;
  /** Characters of a result that stay. */
  threshold: number;
}

/**
 * Cuts the long results of a session's file. Notices name the parent by its whole path.
 *
 * Permissions: `--allow-read` for the input, `--allow-read` and `--allow-write` for the output's
 * folder.
 *
 * @param options The session, its copy, and the settings of the trim.
 * @returns The counts of the cuts.
 * @throws {RangeError} When the threshold is not a whole number from 0.
 * @throws {TypeError} When `targetTools` is one text.
 * @throws {Deno.errors.NotFound} When there is no file at `inputFile`.
 * @throws {Deno.errors.AlreadyExists} When there is a file at `outputFile`.
 */
export function trimSessionFile(options: TrimSessionFileOptions): TrimStats {
  const { inputFile, outputFile, threshold = DEFAULT_THRESHOLD_CHARS, targetTools } = options;
  const result = trimTranscript({
    input: inputFile,
    output: outputFile,
    threshold,
    parentFile: absolutePath(inputFile),
    keep: "head",
    // A string is iterable as well; it is passed on so that `trimTranscript()` rejects it.
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
 * Maps the ids of tool calls to the names of the tools, over a whole session.
 *
 * Permissions: `--allow-read` for the file.
 *
 * @param path The session's file.
 * @returns Names by id.
 * @throws {Deno.errors.NotFound} When there is no such file.
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
 * Writes onto the first entry of a copy where it comes from.
 *
 * Permissions: `--allow-read` and `--allow-write` for the copy and its folder.
 *
 * @param outputFile The copy, which is replaced as a whole.
 * @param parentFile The session that it was made from.
 * @param stats The counts of the cuts.
 * @param now The time that the metadata names; left out, now.
 * @throws {SyntaxError} When no line of the copy holds an entry.
 */
export function injectTrimMetadata(
  outputFile: string,
  parentFile: string,
  stats: Pick<TrimStats, "trimmed_count" | "bytes_saved"> & Partial<TrimStats>,
  now: Date = new Date(),
): void {
  if (!hasEntry(outputFile)) {
    throw new SyntaxError(`Cannot mark ${outputFile}: it contains no entry`);
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
  rewriteInPlace(outputFile, { sessionId: undefined, metadata: JSON.stringify(metadata) });
}

/**
 * Gives every entry of a copy a new session id.
 *
 * Permissions: `--allow-read` and `--allow-write` for the copy and its folder.
 *
 * @param path The copy, which is replaced as a whole.
 * @param sessionId The new id.
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
  rewriteInPlace(path, { sessionId, metadata: undefined });
}

function rewriteInPlace(
  path: string,
  change: { sessionId: string | undefined; metadata: string | undefined },
): void {
  using source = openFileSync(path);
  using stream = new AtomicStream(path);
  writeCopy(source, source.statSync().size, stream, {
    sessionId: change.sessionId,
    joints: "any",
    ...(change.metadata === undefined
      ? {}
      : { metadata: { key: "trim_metadata", text: change.metadata } }),
  });
  stream.commit();
}

function hasEntry(path: string): boolean {
  using file = openFileSync(path);
  for (const line of readLines(file)) {
    if (readEntries(line.bytes).length > 0) return true;
  }
  return false;
}
