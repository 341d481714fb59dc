/** Writes files atomically: a reader sees either the old content or the new. */

import { refuseTracked } from "./git_tracked.ts";
import { PRIVATE_FILE_MODE } from "./modes.ts";

/** Starts the names of temporary files, so that files left by killed processes can be found. */
export const TEMPORARY_PREFIX = ".trimtab-tmp-";

const ADVICE = new Map([
  ["ENOSPC", "Free disk space and try again"],
  ["EDQUOT", "Free disk space and try again"],
  ["EACCES", "Make its folder writable and try again"],
  ["EPERM", "Make its folder writable and try again"],
  ["EROFS", "The disk is read-only; make it writable and try again"],
  ["EIO", "The disk may be failing; try again, and check it if that does not help"],
  ["EMFILE", "Close some programs and try again"],
  ["ENFILE", "Close some programs and try again"],
]);

/** An open file with the functions that an atomic write needs. */
export interface AtomicFile {
  /** Writes some or all of the bytes; returns their number. */
  writeSync(bytes: Uint8Array): number;
  /** Waits until the written bytes are on the disk. */
  syncSync(): void;
  /** Closes the file. */
  close(): void;
}

/** The system calls of an atomic write; tests replace them to simulate failures. */
export interface AtomicFileSystem {
  /** Creates a file; fails if the file exists. */
  openSync(path: string, options: Deno.OpenOptions): AtomicFile;
  /** Renames a file, and replaces an existing file at the new path. */
  renameSync(from: string, to: string): void;
  /** Removes a file. */
  removeSync(path: string): void;
}

interface WriteFileAtomicOptions {
  /** Permission bits before the umask. @default {0o600} */
  readonly mode?: number;
  /** Folder for the temporary file, on the same disk as the target. @default {parentPath(path)} */
  readonly temporaryIn?: string;
  readonly fs?: AtomicFileSystem;
}

export function temporaryPathFor(path: string): string {
  const slash = Deno.build.os === "windows"
    ? Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"))
    : path.lastIndexOf("/");
  return `${path.slice(0, slash + 1)}${TEMPORARY_PREFIX}${crypto.randomUUID()}`;
}

export function writeFileAtomicSync(
  path: string,
  data: string | Uint8Array,
  options: WriteFileAtomicOptions = {},
): void {
  refuseTracked(path);
  const fs = options.fs ?? Deno;
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  const { temporaryIn } = options;
  const temporary = temporaryPathFor(temporaryIn === undefined ? path : `${temporaryIn}/`);
  const mode = options.mode ?? PRIVATE_FILE_MODE;
  let file: AtomicFile;
  try {
    file = fs.openSync(temporary, { write: true, createNew: true, mode });
  } catch (error) {
    throw explainWrite(error, path);
  }
  try {
    try {
      writeAll(file, bytes, path);
      file.syncSync();
    } finally {
      // The file is closed before the rename, because Windows does not rename an open file.
      file.close();
    }
    fs.renameSync(temporary, path);
  } catch (error) {
    removeQuietly(fs, temporary);
    throw explainWrite(error, path);
  }
}

/** Adds the path and advice, because the error for a full disk names no file. */
export function explainWrite(error: unknown, path: string): unknown {
  const isFolderMissing = error instanceof Deno.errors.NotFound;
  const advice = isFolderMissing ? "Make its folder first" : adviceOn(error);
  if (!(error instanceof Error) || advice === null || error.message.startsWith("Cannot ")) {
    return error;
  }
  // The system call in the message names the temporary file.
  const [words = ""] = error.message.split(/: (?:open|rename|copy|link) '/);
  error.message = `Cannot write ${JSON.stringify(path)}: ${words}. ${advice}`;
  return error;
}

export function adviceOn(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return ADVICE.get(String(error.code)) ?? null;
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isDenied = error instanceof Deno.errors.NotCapable;
  return isDenied ? error.message.replace(/, run again.*$/s, "") : error.message;
}

export function writeAll(file: AtomicFile, bytes: Uint8Array, path: string): void {
  let written = 0;
  while (written < bytes.length) {
    const count = file.writeSync(bytes.subarray(written));
    // On a full device that reports no error, the loop would never end.
    if (count <= 0) {
      const progress = `stopped after ${written} of ${bytes.length} bytes`;
      throw new Error(`Cannot write ${JSON.stringify(path)}: ${progress}`);
    }
    written += count;
  }
}

/** Ignores errors, which would hide the original error. */
function removeQuietly(fs: AtomicFileSystem, path: string): void {
  try {
    fs.removeSync(path);
  } catch {
    // `trimtab clean` removes the file later.
  }
}
