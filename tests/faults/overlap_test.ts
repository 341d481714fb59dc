// A second process that comes while one is at work: neither undoes the other's work. In a crowd two
// processes hardly ever meet at the one call where that could happen; here they always do.

import { assert, assertNotEquals } from "@std/assert";
import { newPlace, type Place } from "./place.ts";
import { watchCalls } from "./system_calls.ts";
import { assertKept, assertWhole } from "./whole.ts";
import type { WritePath } from "./write_path.ts";
import { WRITE_PATHS } from "./write_paths.ts";

/** Files that are rewritten from their old contents. */
const SHARED = [
  "checkpoint",
  "index of checkpoints",
  "lineage",
  "blackboard",
  "log of events that begins anew",
  "log of shaped outputs",
  "state of a session",
  "session that was left",
];

/** Operations that assign a unique name or number; both processes ask for the same one. */
const TAKEN = ["snapshot", "taking of a handoff"];

/** The one that ends last has the later time. */
const [INNER_ROUND, OUTER_ROUND] = [1, 2];

/** Places at most where another process could come in between. */
const MAX_PLACES = 20;

interface Overlap {
  /** The result of the first. */
  readonly outer: unknown;
  /** The result of the second; undefined where it threw because it had to give way. */
  readonly inner: unknown;
  /** Whether the second had done its work when it ended. */
  readonly isDone: boolean;
}

for (const path of WRITE_PATHS.filter(({ name }) => [...SHARED, ...TAKEN].includes(name))) {
  const isTaken = TAKEN.includes(path.name);
  Deno.test(`the writing of ${path.name} undoes nothing of one that comes in between`, () => {
    const round = isTaken ? OUTER_ROUND : INNER_ROUND;
    let nth = 0;
    while (++nth <= MAX_PLACES) {
      using place = newPlace();
      // A new log is started only if the old one has lines.
      if (!isTaken) path.run(place, 0);
      const found = overlap(path, { place, nth, round });
      if (found === null) break;
      const { outer, inner, isDone } = found;
      // The process that gave way has no result.
      if (isTaken && inner !== undefined && inner !== null) assertNotEquals(inner, outer);
      path.assertDone(place, OUTER_ROUND);
      if (isDone) path.assertDone(place, round);
      assertKept(place, assertWhole(place));
    }
    assert(nth > 1 && nth <= MAX_PLACES, `${nth - 1} places`);
  });
}

/** Writes, and lets another write at the nth place between reading and writing, if there is one. */
function overlap(
  path: WritePath,
  { place, nth, round }: { readonly place: Place; readonly nth: number; readonly round: number },
): Overlap | null {
  let left = nth;
  const seconds: Omit<Overlap, "outer">[] = [];
  using _watch = watchCalls((call) => {
    if ((call !== "writeSync" && call !== "renameSync") || --left !== 0) return;
    seconds.push(impatiently(() => {
      try {
        const inner = path.run(place, round);
        return { inner, isDone: holds(() => path.assertDone(place, round)) };
      } catch {
        return { inner: undefined, isDone: false };
      }
    }));
  });
  const outer = path.run(place, OUTER_ROUND);
  const [second] = seconds;
  return second === undefined ? null : { outer, ...second };
}

/** Makes time fly: a wait for the lock would never end here. */
function impatiently<T>(work: () => T): T {
  const { now } = performance;
  let ms = now.call(performance);
  performance.now = () => ms += 60_000;
  try {
    return work();
  } finally {
    performance.now = now;
  }
}

function holds(look: () => void): boolean {
  try {
    look();
    return true;
  } catch {
    return false;
  }
}
