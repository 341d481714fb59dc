/** Writes a file piece by piece. The file appears under its name only once it is complete. */

import { PRIVATE_FILE_MODE } from "./modes.ts";
import {
  type AtomicFile,
  type AtomicFileSystem,
  explainWrite,
  temporaryPathFor,
  writeAll,
} from "./atomic.ts";

const BUFFER_BYTES = 256 * 1024;

export interface StreamFileSystem extends AtomicFileSystem {
  openSync(path: string, options: Deno.OpenOptions): StreamFile;
}

export interface StreamFile extends AtomicFile {
  seekSync(offset: number, whence: Deno.SeekMode): number;
}

export class AtomicStream implements Disposable {
  bytesWritten = 0;

  readonly #path: string;
  readonly #temporary: string;
  readonly #fs: StreamFileSystem;
  readonly #file: StreamFile;
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  #filled = 0;
  #isOpen = true;
  #isCommitted = false;

  constructor(path: string, fs: StreamFileSystem = Deno) {
    this.#path = path;
    this.#fs = fs;
    this.#temporary = temporaryPathFor(path);
    try {
      this.#file = fs.openSync(this.#temporary, {
        write: true,
        createNew: true,
        mode: PRIVATE_FILE_MODE,
      });
    } catch (error) {
      throw explainWrite(error, path);
    }
  }

  write(bytes: Uint8Array): void {
    this.bytesWritten += bytes.length;
    if (this.#filled + bytes.length > BUFFER_BYTES) {
      this.#flush();
      if (bytes.length >= BUFFER_BYTES) {
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
      this.#file.syncSync();
      this.#close();
      this.#fs.renameSync(this.#temporary, this.#path);
    } catch (error) {
      throw explainWrite(error, this.#path);
    }
    this.#isCommitted = true;
  }

  [Symbol.dispose](): void {
    // Errors during the clean-up would hide the original error.
    try {
      this.#close();
    } catch {
      // The file is removed even if it could not be closed.
    }
    if (this.#isCommitted) return;
    try {
      this.#fs.removeSync(this.#temporary);
    } catch {
      // `trimtab clean` removes the file later.
    }
  }

  #flush(): void {
    const filled = this.#filled;
    this.#filled = 0;
    this.#writeAll(this.#buffer.subarray(0, filled));
  }

  #writeAll(bytes: Uint8Array): void {
    try {
      writeAll(this.#file, bytes, this.#path);
    } catch (error) {
      throw explainWrite(error, this.#path);
    }
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#file.close();
  }
}
