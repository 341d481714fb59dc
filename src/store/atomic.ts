/** Writes files atomically: a file has either its old or its new content, never a part. */

import { refuseTracked } from "./git_tracked.ts";
import { PRIVATE_FILE_MODE } from "./modes.ts";

/** Prefix of the names of temporary files, to find those that killed processes left. */
export const TEMPORARY_PREFIX = ".trimtab-tmp-";

/** Advice for a failed write, by the code of the system error. */
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
  /** Creates a file; fails if it exists. */
  openSync(path: string, options: Deno.OpenOptions): AtomicFile;
  /** Renames a file; replaces an existing file at the new path. */
  renameSync(from: string, to: string): void;
  /** Removes a file. */
  removeSync(path: string): void;
}

interface WriteFileAtomicOptions {
  /** Permission bits of the file, before the umask. @default {0o600} */
  readonly mode?: number;
  /** Folder for the temporary file, on the same disk as `path`. @default {parentPath(path)} */
  readonly temporaryIn?: string;
  /** The system calls to use. @default {Deno} */
  readonly fs?: AtomicFileSystem;
}

/** A unique name for a temporary file, in the folder of its target. */
export function temporaryPathFor(path: string): string {
  const slash = Deno.build.os === "windows"
    ? Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"))
    : path.lastIndexOf("/");
  return `${path.slice(0, slash + 1)}${TEMPORARY_PREFIX}${crypto.randomUUID()}`;
}

/** Writes a file so that a reader sees either the old content or the new. */
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
      // Closed before the rename, because Windows does not rename an open file.
      file.close();
    }
    fs.renameSync(temporary, path);
  } catch (error) {
    removeQuietly(fs, temporary);
    throw explainWrite(error, path);
  }
}

/** Adds the path and advice to an error, since the error of a full disk names no file. */
export function explainWrite(error: unknown, path: string): unknown {
  const isFolderMissing = error instanceof Deno.errors.NotFound;
  const advice = isFolderMissing ? "Make its folder first" : adviceOn(error);
  if (!(error instanceof Error) || advice === null || error.message.startsWith("Cannot ")) {
    return error;
  }
  // Removes the system call from the message, since it names the temporary file.
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

/** Writes all bytes, even if the system writes only a part at a time. */
export function writeAll(file: AtomicFile, bytes: Uint8Array, path: string): void {
  let written = 0;
  while (written < bytes.length) {
    const count = file.writeSync(bytes.subarray(written));
    // A full device that reports no error would keep the loop running forever.
    if (count <= 0) {
      const progress = `stopped after ${written} of ${bytes.length} bytes`;
      throw new Error(`Cannot write ${JSON.stringify(path)}: ${progress}`);
    }
    written += count;
  }
}

/** Removes a file; ignores errors, which would hide the original error. */
function removeQuietly(fs: AtomicFileSystem, path: string): void {
  try {
    fs.removeSync(path);
  } catch {
    // `trimtab clean` removes the file later.
  }
}
