/** Writes files atomically: a reader sees either the old content or the new. */

import { fileName } from "./paths.ts";
import { refuseTracked } from "./git_tracked.ts";
import { PRIVATE_FILE_MODE } from "./modes.ts";

/** Prefix of temporary file names, so that files left by killed processes can be found. */
export const TEMPORARY_PREFIX = ".trimtab-tmp-";

const BUFFER_BYTES = 256 * 1024;

const ADVICE = new Map([
  ["ENOSPC", "Free disk space and try again"],
  ["EDQUOT", "Free disk space and try again"],
  ["EACCES", "Make its folder writable and try again"],
  ["EPERM", "Make its folder writable and try again"],
  ["EROFS", "The disk is read-only; make it writable and try again"],
  ["EIO", "The disk may be failing; try again, and check it if that does not help"],
  ["EMFILE", "Raise the limit on open files (ulimit -n) and try again"],
  ["ENFILE", "Close some programs and try again"],
]);

/** An open file with the functions that an atomic write needs. */
export interface AtomicFile {
  /** Writes some or all of the bytes; returns the number written. */
  writeSync(bytes: Uint8Array): number;
  /** Moves to a position in the file; returns the position. */
  seekSync(offset: number, whence: Deno.SeekMode): number;
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

interface AtomicOptions {
  readonly mode?: number | undefined;
  /** Folder for the temporary file, on the same disk as the target. @default {parentPath(path)} */
  readonly temporaryIn?: string | undefined;
  readonly isSynced?: boolean;
  readonly fs?: AtomicFileSystem | undefined;
  /** Size of the buffer for small pieces; 0 writes each piece immediately. @default {262_144} */
  readonly bufferBytes?: number;
}

export function temporaryPathFor(path: string): string {
  const folder = path.slice(0, path.length - fileName(path).length);
  return `${folder}${TEMPORARY_PREFIX}${crypto.randomUUID()}`;
}

export function writeFileAtomicSync(
  path: string,
  data: string | Uint8Array,
  options: AtomicOptions = {},
): void {
  refuseTracked(path);
  using stream = new AtomicStream(path, { ...options, bufferBytes: 0 });
  stream.write(typeof data === "string" ? new TextEncoder().encode(data) : data);
  stream.commit();
}

export class AtomicStream implements Disposable {
  bytesWritten = 0;

  readonly #path: string;
  readonly #temporary: string;
  readonly #fs: AtomicFileSystem;
  readonly #file: AtomicFile;
  readonly #buffer: Uint8Array;
  readonly #isSynced: boolean;
  #filled = 0;
  #isCommitted = false;

  constructor(path: string, options: AtomicOptions = {}) {
    const { fs = Deno, mode = PRIVATE_FILE_MODE, temporaryIn } = options;
    const { bufferBytes = BUFFER_BYTES, isSynced = true } = options;
    this.#path = path;
    this.#fs = fs;
    this.#isSynced = isSynced;
    this.#buffer = new Uint8Array(bufferBytes);
    this.#temporary = temporaryPathFor(temporaryIn === undefined ? path : `${temporaryIn}/`);
    try {
      this.#file = fs.openSync(this.#temporary, { write: true, createNew: true, mode });
    } catch (error) {
      throw explainWrite(error, path);
    }
  }

  write(bytes: Uint8Array): void {
    this.bytesWritten += bytes.length;
    if (this.#filled + bytes.length > this.#buffer.length) {
      this.#flush();
      if (bytes.length >= this.#buffer.length) {
        this.#writeAll(bytes);
        return;
      }
    }
    this.#buffer.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  overwrite(offset: number, bytes: Uint8Array): void {
    this.#flush();
    this.#file.seekSync(offset, Deno.SeekMode.Start);
    this.#writeAll(bytes);
    this.#file.seekSync(this.bytesWritten, Deno.SeekMode.Start);
  }

  commit(): void {
    this.#flush();
    try {
      if (this.#isSynced) this.#file.syncSync();
      // Windows does not rename an open file.
      this.#file.close();
      this.#fs.renameSync(this.#temporary, this.#path);
    } catch (error) {
      throw explainWrite(error, this.#path);
    }
    this.#isCommitted = true;
  }

  [Symbol.dispose](): void {
    if (this.#isCommitted) return;
    const cleanUps = [() => this.#file.close(), () => this.#fs.removeSync(this.#temporary)];
    for (const cleanUp of cleanUps) {
      try {
        cleanUp();
      } catch {
        // Would hide the original error. `trimtab clean` removes the file later.
      }
    }
  }

  #flush(): void {
    const filled = this.#filled;
    this.#filled = 0;
    this.#writeAll(this.#buffer.subarray(0, filled));
  }

  #writeAll(bytes: Uint8Array): void {
    try {
      for (let written = 0; written < bytes.length;) {
        const count = this.#file.writeSync(bytes.subarray(written));
        // Prevents an endless loop on a full device that does not report an error.
        if (count <= 0) {
          const progress = `stopped after ${written} of ${bytes.length} bytes`;
          throw new Error(`Cannot write ${JSON.stringify(this.#path)}: ${progress}`);
        }
        written += count;
      }
    } catch (error) {
      throw explainWrite(error, this.#path);
    }
  }
}

/** Adds the path and advice to a known error, because the message for a full disk does not name the file. */
export function explainWrite(error: unknown, path: string): unknown {
  const isFolderMissing = error instanceof Deno.errors.NotFound;
  const advice = isFolderMissing ? "Make its folder first" : adviceOn(error);
  if (!(error instanceof Error) || advice === null || error.message.startsWith("Cannot ")) {
    return error;
  }
  // Drops the system call from the message, because it contains the path of the temporary file.
  const [reason = ""] = error.message.split(/: (?:open|rename|copy|link|writefile) '/);
  error.message = `Cannot write ${JSON.stringify(path)}: ${reason}. ${advice}`;
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
