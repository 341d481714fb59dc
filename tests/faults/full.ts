/**
 * Runs every fault-injection and kill test, and prints the numbers of runs and failures.
 *
 * `deno run -A tests/faults/full.ts [ROUNDS] [SEED]`
 *
 * @module
 */

import { failCalls } from "./fail_calls.ts";
import { HOOK_PATHS } from "./hook_paths.ts";
import { rounds } from "./kill_rounds.ts";
import { WRITE_PATHS } from "./write_paths.ts";

const [count = "500", seed = "20261122"] = Deno.args;

let [cases, thrown] = [0, 0];
for (const path of [...WRITE_PATHS, ...HOOK_PATHS]) {
  const figures = await failCalls(path, Infinity);
  console.log(
    `${path.name}: ${figures.cases} cases, ${figures.thrown} of them said why they failed`,
  );
  cases += figures.cases;
  thrown += figures.thrown;
}
console.log(`faults: ${cases} cases, ${thrown} of them said why they failed, none did harm`);

const startMs = performance.now();
const killFigures = await rounds(Number(count), Number(seed));
const seconds = Math.round((performance.now() - startMs) / 1000);
console.log(
  `kills: ${count} rounds in ${seconds} s, seed ${seed}: ${killFigures.killedAtCall} killed at a system ` +
    `call, ${killFigures.killedAtTime} at a random time, ${killFigures.finished} ended before; ` +
    `${killFigures.temporaries} temporary files left and cleaned up; no harm`,
);
