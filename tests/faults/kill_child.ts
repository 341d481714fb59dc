/**
 * Writes in one of the ways of writing, and stops at a place of its work that it is told, or goes on
 * until somebody kills it.
 *
 * @module
 */

import { stopAtPlace } from "../kill.ts";
import { placeIn } from "./place.ts";
import { isLooking, watchCalls } from "./system_calls.ts";
import { WRITE_PATHS } from "./write_paths.ts";

/** Whoever is to be killed at any time writes no more often. */
const MAX_LOOPS = 20;

const [root = "", name = "", firstRound = "0", stopAt = "0"] = Deno.args;
const place = placeIn(root);
const path = WRITE_PATHS.find((one) => one.name === name);
if (path === undefined) throw new RangeError(`Cannot write ${name}: no such way`);

const stop = stopAtPlace(0);

if (stopAt === "any") {
  Deno.stdout.writeSync(new TextEncoder().encode("ready\n"));
  for (let n = 0; n < MAX_LOOPS; n++) path.run(place, Number(firstRound) + n);
  // Killed while it waits, if not before.
  Deno.stdin.readSync(new Uint8Array(1));
} else {
  let left = Number(stopAt);
  using _watch = watchCalls((call) => {
    if (isLooking(call) || --left >= 0) return undefined;
    // A write is torn in two first; what comes next is never done.
    if (left === -1 && call === "writeSync") return "half";
    stop();
    return undefined;
  });
  path.run(place, Number(firstRound));
  Deno.stdout.writeSync(new TextEncoder().encode("done\n"));
}
