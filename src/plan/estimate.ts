import { unlessFailed } from "../store/exists.ts";
import { resolvePath } from "../store/paths.ts";
import { readTextSync } from "../store/read_file.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import type { BatchTask } from "./task.ts";

/** Verb, factor, and pattern of the verb's inflections. The highest factor comes first. */
const KEYWORDS: readonly (readonly [string, number, RegExp])[] = [
  ["refactor", 2, wordPattern("refactor(?:s|ed|ings?)?")],
  ["implement", 1.5, wordPattern("implement(?:s|ed|ing|ations?)?")],
  ["add", 1.2, wordPattern("add(?:s|ed|ing)?")],
  ["fix", 1, wordPattern("fix(?:es|ed|ing)?")],
  ["update", 1, wordPattern("updat(?:es?|ed|ing)")],
];

/** Matches whole words. Does not use `\b`, which recognizes only ASCII letters. */
function wordPattern(forms: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}\\p{N}_])(?:${forms})(?![\\p{L}\\p{M}\\p{N}_])`, "iu");
}

/** Returns a file's tokens; null if measuring is off, or the file is not a readable regular file. */
export type FileMeter = (file: string) => number | null;

/** Options for measuring files. */
export interface MeasureOptions {
  /**
   * Whether listed files that exist are measured instead of counted as 2,000 tokens each. @default {false}
   */
  readonly measureFiles?: boolean | undefined;
  /** Folder for relative paths. @default {Deno.cwd()} */
  readonly projectDir?: string | undefined;
}

/** Larger files are estimated by their size. */
const MAX_READ_BYTES = 256 * 1024;

const BYTES_PER_TOKEN = 4;

export function fileMeter(options: MeasureOptions = {}): FileMeter {
  if (options.measureFiles !== true) return () => null;
  const projectDir = options.projectDir ?? Deno.cwd();
  const known = new Map<string, number | null>();
  return (file) => {
    const path = resolvePath(file, projectDir);
    if (!known.has(path)) known.set(path, measure(path));
    return known.get(path) ?? null;
  };
}

/** Returns null for a missing or unreadable file. The task may create the file. */
function measure(path: string): number | null {
  return unlessFailed(() => {
    const { isFile, size } = Deno.statSync(path);
    // Folders, pipes and devices have no meaningful size.
    if (!isFile) return null;
    if (size > MAX_READ_BYTES) return Math.ceil(size / BYTES_PER_TOKEN);
    return Math.ceil(estimateTextTokens(readTextSync(path, MAX_READ_BYTES)));
  });
}

/** Tokens assumed for a file that is not measured. */
const TOKENS_PER_FILE = 2_000;

/** Number of files assumed for a task with neither `files` nor `estimated_files`. */
const DEFAULT_FILES = 3;

const CHARACTERS_PER_DESCRIPTION_TOKEN = 4;

export interface TaskEstimate {
  readonly id: string | null;
  readonly tokens: number;
  readonly multiplier: number;
  /** The verb that sets the factor; null if the description has no known verb. */
  readonly keyword: string | null;
  readonly files: number;
  readonly file_tokens: number;
  readonly measured_files: number;
  readonly source: "formula" | "measured";
}

/**
 * Estimates the tokens that a task needs: trunc((floor(length / 4) + files * 2000) * multiplier).
 *
 * `length` is the length of the description. `files` is the task's `estimated_files`; without it, the
 * number of listed files; without a list, 3. `multiplier` is the largest factor of the verbs in the
 * description: refactor 2.0, implement 1.5, add 1.2, and 1.0 for all others. A measured file counts with its
 * own tokens instead of 2000. If `estimated_files` is less than the number of listed files, their tokens are
 * reduced in proportion.
 *
 * Permissions: with `measureFiles`, `--allow-read` for the files and the current folder.
 *
 * @param task The task.
 * @param options Whether listed files are measured.
 * @returns The estimated tokens, a whole number.
 * @throws {TypeError} When the description is not a string.
 * @throws {RangeError} When `estimated_files` is not a number of 0 or more.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { estimateTaskTokens } from "./estimate.ts";
 *
 * const description = "Implement user authentication with OAuth2";
 * assertEquals(estimateTaskTokens({ description, estimated_files: 5 }), 15_015);
 * ```
 */
export function estimateTaskTokens(task: BatchTask, options: MeasureOptions = {}): number {
  return describeEstimate(task, fileMeter(options)).tokens;
}

export function describeEstimate(
  task: BatchTask,
  meter: FileMeter = fileMeter(),
): TaskEstimate {
  const { id = null, description, files = [], estimated_files: estimated } = task;
  checkTask(task);
  const sizes = files.map(meter);
  const listedTokens = sizes.reduce<number>((sum, size) => sum + (size ?? TOKENS_PER_FILE), 0);
  const measured = sizes.filter((size) => size !== null).length;
  // An explicit empty list means no files.
  const touched = estimated ?? (task.files === undefined ? DEFAULT_FILES : files.length);
  const fileTokens = touched >= files.length
    ? listedTokens + (touched - files.length) * TOKENS_PER_FILE
    : Math.round((listedTokens * touched) / files.length);
  const [keyword, multiplier] = KEYWORDS.find(([, , pattern]) => pattern.test(description)) ??
    [null, 1];
  const base = Math.floor(description.length / CHARACTERS_PER_DESCRIPTION_TOKEN);
  return {
    id,
    tokens: Math.trunc((base + fileTokens) * multiplier),
    multiplier,
    keyword,
    files: touched,
    file_tokens: fileTokens,
    measured_files: measured,
    source: measured > 0 ? "measured" : "formula",
  };
}

/** Validates values that may come from outside the program, where types are not checked. */
function checkTask({ description, estimated_files: estimated }: BatchTask): void {
  if (typeof description !== "string") {
    throw new TypeError("Cannot estimate task: its description is not a string");
  }
  if (estimated !== undefined && !(Number.isFinite(estimated) && estimated >= 0)) {
    throw new RangeError(`Cannot estimate task: ${estimated} files, expected 0 or more`);
  }
}
