/**
 * Runs a write path once and stops at a given system call, or repeats it until the process is killed.
 */

import { stopAtCall } from "../kill.ts";
import { placeIn } from "./place.ts";
import { isReadCall, watchCalls } from "./system_calls.ts";
import { writePathNamed } from "./write_paths.ts";

/** Maximum number of writes by a process that is killed at a random time. */
const MAX_LOOPS = 20;

const [root = "", name = "", firstRound = "0", stopAt = "0"] = Deno.args;
const place = placeIn(root);
const path = writePathNamed(name);

const stop = stopAtCall(0);

if (stopAt === "any") {
  Deno.stdout.writeSync(new TextEncoder().encode("ready\n"));
  for (let n = 0; n < MAX_LOOPS; n++) path.run(place, Number(firstRound) + n);
  // Waits for the kill signal if it has not arrived yet.
  Deno.stdin.readSync(new Uint8Array(1));
} else {
  let left = Number(stopAt);
  using _watch = watchCalls((call) => {
    if (isReadCall(call) || --left >= 0) return undefined;
    // Tears a write in half before the process stops.
    if (left === -1 && call === "writeSync") return "half";
    stop();
    return undefined;
  });
  path.run(place, Number(firstRound));
  Deno.stdout.writeSync(new TextEncoder().encode("done\n"));
}
