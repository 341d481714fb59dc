/**
 * Saves a checkpoint, and stops at one system call, where the process that started it kills it.
 *
 * @module
 */

import type { AtomicFile, AtomicFileSystem } from "../../src/store/atomic.ts";
import { writeCheckpoint } from "../../src/designs/write_checkpoint.ts";
import { sampleState, saveOptions } from "./checkpoints.ts";
import { stopAtPlace } from "../kill.ts";
import "../own_config.ts";

const [projectDir = "", configDir = "", stopAt = "0"] = Deno.args;

const passPlace = stopAtPlace(Number(stopAt));

const fs: AtomicFileSystem = {
  openSync(path, options): AtomicFile {
    const file = Deno.openSync(path, options);
    return {
      writeSync(bytes): number {
        // Half is written: a kill leaves a file torn in two.
        const count = file.writeSync(bytes.subarray(0, Math.ceil(bytes.length / 2)));
        if (count < bytes.length) passPlace();
        return count;
      },
      syncSync: () => file.syncSync(),
      close: () => file.close(),
    };
  },
  renameSync(from, to): void {
    passPlace();
    Deno.renameSync(from, to);
    passPlace();
  },
  removeSync: Deno.removeSync,
};

writeCheckpoint(sampleState(), saveOptions({ projectDir, configDir }, { fs }));
Deno.stdout.writeSync(new TextEncoder().encode("done\n"));
