/**
 * Files that grow by whole lines, to which several processes add.
 *
 * @module
 */

import { explainWrite } from "./atomic.ts";
import { withLockSync } from "./lock.ts";
import { refuseOthers } from "./own_file.ts";
import { ensurePrivateDirSync } from "./private_dir.ts";

/** From this size on a log starts anew, and one older log is kept; in bytes. */
export const MAX_LOG_BYTES = 1024 * 1024;

/** Only the user may read what is written. */
const PRIVATE_FILE_MODE = 0o600;

const NEWLINE = 0x0a;

/** What {@linkcode addToLogSync} can be told. */
export interface LogOptions {
  /** The size at which the log starts anew, in bytes. @default {MAX_LOG_BYTES} */
  readonly maxBytes?: number;
}

/**
 * Adds a line to a log, in one write, so that the lines of several writers never mix. A log that is
 * full is put aside first, in the place of the one that was before.
 *
 * Permissions: `--allow-read` and `--allow-write` for the folder of the log, which is made.
 *
 * @param path The log, in a folder of ours.
 * @param line The line with its break.
 * @param options The size at which the log starts anew.
 * @throws {TypeError} When the name belongs to something that is no file.
 * @throws {Error} Whatever the system says when the log cannot be written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { addToLogSync, olderLogPath } from "./log.ts";
 *
 * const folder = Deno.makeTempDirSync();
 * const path = `${folder}/events.jsonl`;
 * for (const line of ["1\n", "2\n", "3\n"]) addToLogSync(path, line, { maxBytes: 4 });
 * assertEquals(Deno.readTextFileSync(olderLogPath(path)), "1\n2\n");
 * assertEquals(Deno.readTextFileSync(path), "3\n");
 * Deno.removeSync(folder, { recursive: true });
 * ```
 */
export function addToLogSync(path: string, line: string, options: LogOptions = {}): void {
  const { maxBytes = MAX_LOG_BYTES } = options;
  ensurePrivateDirSync(path.slice(0, path.lastIndexOf("/")));
  refuseOthers(path);
  const bytes = new TextEncoder().encode(line);
  const locked = withLockSync(`${path}.lock`, () => {
    const size = sizeOf(path);
    if (size > 0 && size + bytes.length > maxBytes) Deno.renameSync(path, olderLogPath(path));
    append(path, bytes, { isAlone: true });
  });
  // Better a line in a log that is a little too long than none: the next writer puts it aside.
  if (locked === null) append(path, bytes, { isAlone: false });
}

/**
 * Adds lines to a file in one write; only under its lock. They begin on a line of their own even
 * behind one that a killed writer left torn.
 *
 * Permissions: `--allow-read` and `--allow-write` for the file.
 *
 * @param path The file, which need not be there; its folder must.
 * @param lines The lines with their breaks.
 * @throws {Error} Whatever the system says when they cannot be written; then none of them is.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { appendLinesSync } from "./log.ts";
 *
 * const path = Deno.makeTempFileSync();
 * Deno.writeTextFileSync(path, "whole\nto");
 * appendLinesSync(path, "next\n");
 * assertEquals(Deno.readTextFileSync(path), "whole\nto\nnext\n");
 * Deno.removeSync(path);
 * ```
 */
export function appendLinesSync(path: string, lines: string): void {
  append(path, new TextEncoder().encode(lines), { isAlone: true });
}

/**
 * Where a log is kept when a new one has begun.
 *
 * Permissions: none.
 *
 * @param path The log, a `.jsonl`.
 * @returns The path of the older one.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { olderLogPath } from "./log.ts";
 *
 * assertEquals(olderLogPath("/p/events.jsonl"), "/p/events.1.jsonl");
 * ```
 */
export function olderLogPath(path: string): string {
  return path.replace(/\.jsonl$/, ".1.jsonl");
}

/** Without the lock, what another writes at that moment is seen in part: nothing is done about it. */
function append(path: string, lines: Uint8Array, { isAlone }: { isAlone: boolean }): void {
  using file = Deno.openSync(path, {
    read: true,
    append: true,
    create: true,
    mode: PRIVATE_FILE_MODE,
  });
  const { size } = file.statSync();
  const bytes = isAlone && !isWhole(file, size) ? new Uint8Array([NEWLINE, ...lines]) : lines;
  let count: number;
  try {
    count = file.writeSync(bytes);
  } catch (error) {
    throw explainWrite(error, path);
  }
  if (count === bytes.length) return;
  // Half a line is of no use; but a writer that did not wait for the lock may stand behind it.
  if (isAlone && file.statSync().size === size + count) file.truncateSync(size);
  throw new Error(
    `Cannot write to ${JSON.stringify(path)}: the disk took ${count} of ${bytes.length} bytes. ` +
      "Free some space and try again",
  );
}

/** Tells whether the last line has its end; a writer may have been killed, or the disk was full. */
function isWhole(file: Deno.FsFile, size: number): boolean {
  if (size === 0) return true;
  file.seekSync(size - 1, Deno.SeekMode.Start);
  const last = new Uint8Array(1);
  return file.readSync(last) === null || last[0] === NEWLINE;
}

function sizeOf(path: string): number {
  try {
    return Deno.statSync(path).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
}
