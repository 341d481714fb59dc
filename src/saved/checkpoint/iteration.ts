/**
 * The number of a checkpoint among all of its project.
 *
 * @module
 */

import { type AtomicFileSystem, writeFileAtomicSync } from "../../store/atomic.ts";
import { withLockSync } from "../../store/lock.ts";
import { joinPath } from "../../store/paths.ts";
import { ensurePrivateDirSync } from "../../store/private_dir.ts";
import { readCheckpoints } from "./files.ts";
import { readOwnTextSync } from "../../store/own_file.ts";

/** What {@linkcode nextIteration} can be told. */
export interface IterationOptions {
  /** The largest number in the checkpoints' files. @default {largestIteration} */
  readonly largest?: number;
  /** How long to wait for other writers, in milliseconds. @default {5_000} */
  readonly waitMs?: number;
  /** The system calls to write with. @default {Deno} */
  readonly fs?: AtomicFileSystem;
}

/** How long others are waited for: each of them writes one small file. */
const WAIT_MS = 5_000;

/** A counter has no more characters. */
const MAX_CHARS = 20;

/**
 * Counts on.
 *
 * A counter that is lost, damaged or behind goes on from the largest number in the checkpoints'
 * files.
 *
 * Permissions: `--allow-read` and `--allow-write` for `<projectDir>/.claude/trimtab`, and
 * `--allow-read` for `<projectDir>/.claude/checkpoints`.
 *
 * @param projectDir The folder of the project; it must be there.
 * @param options How long to wait.
 * @returns A number that no other call gets, from 1.
 * @throws {Deno.errors.NotFound} When the project's folder is not there.
 * @throws {Error} When another process holds the counter for too long, or whatever the system says
 * when it cannot be written; the number is then not taken.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { nextIteration } from "./iteration.ts";
 *
 * const projectDir = Deno.makeTempDirSync();
 * assertEquals([nextIteration(projectDir), nextIteration(projectDir)], [1, 2]);
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function nextIteration(projectDir: string, options: IterationOptions = {}): number {
  Deno.statSync(projectDir);
  const folder = joinPath(projectDir, ".claude", "trimtab");
  ensurePrivateDirSync(folder);
  const path = joinPath(folder, "iteration");
  const locked = withLockSync(`${path}.lock`, () => {
    const next = Math.max(readCounter(path), options.largest ?? largestIteration(projectDir)) + 1;
    writeFileAtomicSync(path, `${next}\n`, options.fs === undefined ? {} : { fs: options.fs });
    return next;
  }, { waitMs: options.waitMs ?? WAIT_MS });
  if (locked === null) {
    throw new Error(`Cannot count checkpoints: another process holds "${path}.lock"`);
  }
  return locked.value;
}

/**
 * The largest number in the checkpoints' files of a project.
 *
 * Permissions: `--allow-read` for `<projectDir>/.claude/checkpoints`.
 *
 * @param projectDir The folder of the project.
 * @returns The number; 0 when there is no checkpoint.
 */
export function largestIteration(projectDir: string): number {
  return readCheckpoints(projectDir).reduce((most, { iteration }) => Math.max(most, iteration), 0);
}

/** The counter; 0 where it is lost or says something else. */
function readCounter(path: string): number {
  try {
    const text = readOwnTextSync(path, MAX_CHARS)?.trim() ?? "";
    return /^\d{1,15}$/.test(text) ? Number(text) : 0;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return 0;
  }
}
