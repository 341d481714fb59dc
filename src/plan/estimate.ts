import { type ComplexityKeyword, complexityOf } from "./complexity.ts";
import { type FileMeter, fileMeter, type MeasureOptions } from "./measure.ts";
import type { BatchTask } from "./task.ts";

/** Tokens assumed for a file that is not measured. */
export const TOKENS_PER_FILE = 2_000;

/** Number of files assumed for a task with neither `files` nor `estimated_files`. */
const DEFAULT_FILES = 3;

const CHARACTERS_PER_DESCRIPTION_TOKEN = 4;

export interface TaskEstimate {
  readonly id: string | null;
  readonly tokens: number;
  readonly multiplier: number;
  readonly keyword: ComplexityKeyword | null;
  readonly files: number;
  /** Tokens of the files, before the factor is applied. */
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
  const fileTokens = fileTokensOf({ listed: files.length, listedTokens, touched });
  const { multiplier, keyword } = complexityOf(description);
  return {
    id,
    tokens: tokensFor(description.length, fileTokens, multiplier),
    multiplier,
    keyword,
    files: touched,
    file_tokens: fileTokens,
    measured_files: measured,
    source: measured > 0 ? "measured" : "formula",
  };
}

export function fileTokensOf(
  { listed, listedTokens, touched }: Record<"listed" | "listedTokens" | "touched", number>,
): number {
  if (touched >= listed) return listedTokens + (touched - listed) * TOKENS_PER_FILE;
  return Math.round((listedTokens * touched) / listed);
}

export function tokensFor(
  descriptionChars: number,
  fileTokens: number,
  multiplier: number,
): number {
  const base = Math.floor(descriptionChars / CHARACTERS_PER_DESCRIPTION_TOKEN);
  return Math.trunc((base + fileTokens) * multiplier);
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
