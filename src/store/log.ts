/** Files that grow by whole lines, to which several processes add. */

import { PRIVATE_FILE_MODE } from "./modes.ts";
import { explainWrite } from "./atomic.ts";
import { infoOf } from "./exists.ts";
import { withLockSync } from "./lock.ts";
import { refuseTracked } from "./git_tracked.ts";
import { refuseOthers } from "./own_file.ts";
import { ensurePrivateDirSync } from "./private_dir.ts";

/** Size at which a new log is started, and one older log is kept; in bytes. */
export const MAX_LOG_BYTES = 1024 * 1024;

const NEWLINE = 0x0a;

interface LogOptions {
  /** Size at which a new log is started, in bytes. @default {MAX_LOG_BYTES} */
  readonly maxBytes?: number;
}

/** Adds a line to a log, in one write, so that the lines of several writers never mix. */
export function addToLogSync(path: string, line: string, options: LogOptions = {}): void {
  const { maxBytes = MAX_LOG_BYTES } = options;
  ensurePrivateDirSync(path.slice(0, path.lastIndexOf("/")));
  refuseOthers(path);
  const bytes = new TextEncoder().encode(line);
  const locked = withLockSync(`${path}.lock`, () => {
    const size = infoOf(path)?.size ?? 0;
    if (size > 0 && size + bytes.length > maxBytes) Deno.renameSync(path, olderLogPath(path));
    append(path, bytes, { isAlone: true });
  });
  // Better a line in a log that is a little too long than none: the next writer puts it aside.
  if (locked === null) append(path, bytes, { isAlone: false });
}

/** Where a log is kept when a new one has begun. */
export function olderLogPath(path: string): string {
  return path.replace(/\.jsonl$/, ".1.jsonl");
}

/** Without the lock, what another writes at that moment is seen in part: nothing is done about it. */
function append(path: string, lines: Uint8Array, { isAlone }: { isAlone: boolean }): void {
  refuseTracked(path);
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
  // Half a line is useless; but a writer that did not wait for the lock may have written behind it.
  if (isAlone && file.statSync().size === size + count) file.truncateSync(size);
  throw new Error(
    `Cannot write to ${JSON.stringify(path)}: the disk took ${count} of ${bytes.length} bytes. ` +
      "Free disk space and try again",
  );
}

/** Whether the last line has its end; a writer may have been killed, or the disk was full. */
function isWhole(file: Deno.FsFile, size: number): boolean {
  if (size === 0) return true;
  file.seekSync(size - 1, Deno.SeekMode.Start);
  const last = new Uint8Array(1);
  return file.readSync(last) === null || last[0] === NEWLINE;
}
