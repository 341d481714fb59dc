/** Appends complete lines to logs that several processes write. */

import { PRIVATE_FILE_MODE } from "./modes.ts";
import { explainWrite } from "./atomic.ts";
import { infoOf } from "./exists.ts";
import { withLockSync } from "./lock.ts";
import { refuseTracked } from "./git_tracked.ts";
import { refuseNonFiles } from "./own_file.ts";
import { parentPath } from "./paths.ts";
import { ensurePrivateDirSync } from "./private_dir.ts";

/** A log that would exceed this size is renamed, and replaces the previously renamed log. */
export const MAX_LOG_BYTES = 1024 * 1024;

const NEWLINE = 0x0a;

/** Writes a line at once, so that lines never mix. Rotates a full log if the lock is free. */
export function addToLogSync(
  path: string,
  line: string,
  { maxBytes = MAX_LOG_BYTES }: { readonly maxBytes?: number } = {},
): void {
  ensurePrivateDirSync(parentPath(path));
  refuseNonFiles(path);
  const bytes = new TextEncoder().encode(line);
  const locked = withLockSync(`${path}.lock`, () => {
    const size = infoOf(path)?.size ?? 0;
    if (size > 0 && size + bytes.length > maxBytes) Deno.renameSync(path, olderLogPath(path));
    append(path, bytes, { hasLock: true });
  });
  // Without the lock, the line is still appended, so that it is not lost, but the log is not rotated.
  if (locked === null) append(path, bytes, { hasLock: false });
}

export function olderLogPath(path: string): string {
  return path.replace(/\.jsonl$/, ".1.jsonl");
}

/** Terminates an incomplete last line only with the lock, because another writer may still be writing it. */
function append(path: string, lines: Uint8Array, { hasLock }: { hasLock: boolean }): void {
  refuseTracked(path);
  using file = Deno.openSync(path, {
    read: true,
    append: true,
    create: true,
    mode: PRIVATE_FILE_MODE,
  });
  const { size } = file.statSync();
  const bytes = hasLock && !isLastLineComplete(file, size)
    ? new Uint8Array([NEWLINE, ...lines])
    : lines;
  let count: number;
  try {
    count = file.writeSync(bytes);
  } catch (error) {
    throw explainWrite(error, path);
  }
  if (count === bytes.length) return;
  // With the lock, removes the incomplete line, unless a writer without the lock has appended to it.
  if (hasLock && file.statSync().size === size + count) file.truncateSync(size);
  const progress = `only ${count} of ${bytes.length} bytes were written`;
  throw new Error(
    `Cannot write to ${JSON.stringify(path)}: ${progress}. Free disk space and try again`,
  );
}

/** A killed writer or a full disk can leave an incomplete line. */
function isLastLineComplete(file: Deno.FsFile, size: number): boolean {
  if (size === 0) return true;
  file.seekSync(size - 1, Deno.SeekMode.Start);
  const last = new Uint8Array(1);
  return file.readSync(last) === null || last[0] === NEWLINE;
}
