/**
 * Runs a large crowd in a project, and prints figures.
 *
 * `deno run -A tests/load/full.ts [PROCESSES] [SECONDS] [SEED]`
 *
 * @module
 */

import { crowd } from "./crowd.ts";

const [processes = "32", seconds = "60", seed = "20261122"] = Deno.args;

const figures = await crowd({
  processes: Number(processes),
  durationMs: Number(seconds) * 1000,
  seed: Number(seed),
});
console.log(
  `load: ${processes} processes at a time for ${seconds} s, seed ${seed}: ` +
    `${figures.processes} processes; written and found: ${JSON.stringify(figures.written)}`,
);
console.log("command".padEnd(32), "count", " busy", "p50 ms", "p99 ms");
for (const { command, count, busy, p50Ms, p99Ms } of figures.times) {
  const cells = [count, busy].map((value) => String(value).padStart(5));
  const times = [p50Ms, p99Ms].map((value) => String(value).padStart(6));
  console.log(command.padEnd(32), ...cells, ...times);
}
