/**
 * A file system whose calls can fail.
 *
 * @module
 */

import type { AtomicFile, AtomicFileSystem } from "../../src/store/atomic.ts";

export function withFile(calls: (file: Deno.FsFile) => Partial<AtomicFile>): AtomicFileSystem {
  return {
    openSync(path, options): AtomicFile {
      const file = Deno.openSync(path, options);
      return {
        writeSync: (bytes) => file.writeSync(bytes),
        seekSync: (offset, whence) => file.seekSync(offset, whence),
        syncSync: () => file.syncSync(),
        close: () => file.close(),
        ...calls(file),
      };
    },
    renameSync: Deno.renameSync,
    removeSync: Deno.removeSync,
  };
}

export function failing(message: string): () => never {
  return () => {
    throw new Error(message);
  };
}
