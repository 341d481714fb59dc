/**
 * Rolls a session over, and stops at one system call, where the process that started it kills it.
 *
 * @module
 */

import { rollOver } from "../../../src/saved/lineage/roll_over.ts";
import type { AtomicFile, AtomicFileSystem } from "../../../src/store/atomic.ts";
import { rollOptions, SUMMARY } from "./sessions.ts";
import { stopAtPlace } from "../../kill.ts";
import "../../own_config.ts";

const [root = "", sessionId = "", stopAt = "0", round = "0"] = Deno.args;
const projectDir = `${root}/project`;

const passPlace = stopAtPlace(Number(stopAt));

const fs: AtomicFileSystem = {
  openSync(path, options): AtomicFile {
    passPlace();
    const file = Deno.openSync(path, options);
    let isTorn = false;
    return {
      writeSync(bytes): number {
        if (isTorn) return file.writeSync(bytes);
        // Half is written: a kill leaves a file torn in two.
        isTorn = true;
        const count = file.writeSync(bytes.subarray(0, Math.ceil(bytes.length / 2)));
        passPlace();
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

const summary = `${SUMMARY}\nRound ${round}.`;
rollOver(rollOptions({ root, projectDir }, { owner: { projectDir, sessionId }, summary, fs }));
Deno.stdout.writeSync(new TextEncoder().encode("done\n"));
