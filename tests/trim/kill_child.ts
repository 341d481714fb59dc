/**
 * Trims sessions, and stops in each trim at one system call between the first write and the rename,
 * where the process that started it kills it.
 *
 * @module
 */

import type { StreamFile, StreamFileSystem } from "../../src/store/atomic_stream.ts";
import { trimTranscript } from "./by_length.ts";

const [input = "", output = "", stopAt = "0"] = Deno.args;
let calls = 0;

/** Says that the place is reached, and waits for the end, which comes from outside. */
function passPlace(): void {
  if (calls++ !== Number(stopAt)) return;
  Deno.stdout.writeSync(new TextEncoder().encode("ready\n"));
  Deno.stdin.readSync(new Uint8Array(1));
}

const fs: StreamFileSystem = {
  openSync(path, options): StreamFile {
    const file = Deno.openSync(path, options);
    return {
      writeSync(bytes): number {
        // Half of the first piece is written: a kill leaves a line torn in two.
        const length = calls === 0 ? bytes.length >> 1 : bytes.length;
        const count = file.writeSync(bytes.subarray(0, length));
        passPlace();
        return count;
      },
      seekSync: (offset, whence) => file.seekSync(offset, whence),
      syncSync(): void {
        file.syncSync();
        passPlace();
      },
      close: () => file.close(),
    };
  },
  renameSync(from, to): void {
    passPlace();
    Deno.renameSync(from, to);
  },
  removeSync: (path) => Deno.removeSync(path),
};

trimTranscript({ input, output, sessionId: "the copy", metadata: true, fs });
