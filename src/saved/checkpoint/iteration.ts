/** The number of a checkpoint among all of its project. */

import { type AtomicFileSystem, writeFileAtomicSync } from "../../store/atomic.ts";
import { withLockSync } from "../../store/lock.ts";
import { joinPath } from "../../store/paths.ts";
import { ensurePrivateDirSync } from "../../store/private_dir.ts";
import { readCheckpoints } from "./files.ts";
import { readOwnTextSync } from "../../store/own_file.ts";

interface IterationOptions {
  /** The largest number in the checkpoints' files. @default {largestIteration} */
  readonly largest?: number;
  /** Longest wait for other writers, in milliseconds. @default {5_000} */
  readonly waitMs?: number;
  readonly fs?: AtomicFileSystem;
}

/** Longest wait for other writers: each writes one small file. */
const WAIT_MS = 5_000;

/** What counts on from a larger number is not ours, and could not be counted on from. */
const MAX_ITERATION = 1_000_000_000;

const MAX_CHARS = 20;

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

export function largestIteration(projectDir: string): number {
  return readCheckpoints(projectDir).reduce(
    (most, { iteration }) => iteration > MAX_ITERATION ? most : Math.max(most, iteration),
    0,
  );
}

/** The counter; 0 where it is lost or says something else. */
function readCounter(path: string): number {
  try {
    const text = readOwnTextSync(path, MAX_CHARS)?.trim() ?? "";
    return /^\d{1,10}$/.test(text) && Number(text) <= MAX_ITERATION ? Number(text) : 0;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return 0;
  }
}
