/**
 * Runs a write path once and stops at a given system call, or repeats it until the process is killed.
 */

import { placeIn } from "./place.ts";
import { isReadCall, watchCalls } from "./system_calls.ts";
import { writePathNamed } from "./write_paths.ts";

/** Maximum number of writes by a process that is killed at a random time. */
const MAX_LOOPS = 20;

const [root = "", name = "", firstRound = "0", stopAt = "0"] = Deno.args;
const place = placeIn(root);
const path = writePathNamed(name);

function announce(): void {
  Deno.stdout.writeSync(new TextEncoder().encode("ready\n"));
}

function waitForKill(): void {
  Deno.stdin.readSync(new Uint8Array(1));
}

if (stopAt === "any") {
  announce();
  for (let n = 0; n < MAX_LOOPS; n++) path.run(place, Number(firstRound) + n);
  waitForKill();
} else {
  let left = Number(stopAt);
  using _watch = watchCalls((call) => {
    if (isReadCall(call) || --left >= 0) return undefined;
    // Tears a write in half before the process stops.
    if (left === -1 && call === "writeSync") return "half";
    announce();
    waitForKill();
    return undefined;
  });
  path.run(place, Number(firstRound));
  Deno.stdout.writeSync(new TextEncoder().encode("done\n"));
}
