// While one process writes, a second one writes too, and neither may undo the other's work. Real processes
// rarely overlap at the critical call, so this test runs the second write in the middle of the first.

import { assert, assertNotEquals } from "@std/assert";
import { newFastFolder } from "../folder.ts";
import { newPlace, type Place } from "./place.ts";
import { watchCalls } from "./system_calls.ts";
import { assertIntact, assertKept } from "./intact.ts";
import type { WritePath } from "./write_path.ts";
import { writePathNamed } from "./write_paths.ts";

/** Write paths that rewrite a file from its old contents. */
const SHARED = [
  "checkpoint",
  "checkpoint index",
  "lineage",
  "blackboard",
  "rotating event log",
  "shaping log",
  "session state",
  "left session",
];

/** Write paths that hand out a file name or a handoff only once. Both processes request the same one. */
const UNIQUE = ["snapshot", "handoff claim"];

/** The process that ends last has the later time. */
const [INNER_ROUND, OUTER_ROUND] = [1, 2];

const MAX_CALLS = 20;

interface Overlap {
  readonly outer: unknown;
  /** The result of the second process; undefined if it backed off with an error. */
  readonly inner: unknown;
  readonly isDone: boolean;
}

for (const path of [...SHARED, ...UNIQUE].map(writePathNamed)) {
  const isUnique = UNIQUE.includes(path.name);
  Deno.test(`the write path ${path.name} keeps the data of a concurrent write`, () => {
    const round = isUnique ? OUTER_ROUND : INNER_ROUND;
    let nth = 0;
    while (++nth <= MAX_CALLS) {
      using place = newPlace(newFastFolder());
      // A log rotates only if it has lines, so this first run fills it.
      if (!isUnique) path.run(place, 0);
      const found = overlap(path, { place, nth, round });
      if (found === null) break;
      const { outer, inner, isDone } = found;
      // A process that backed off has no result.
      if (isUnique && inner !== undefined && inner !== null) assertNotEquals(inner, outer);
      path.assertDone(place, OUTER_ROUND);
      if (isDone) path.assertDone(place, round);
      assertKept(place, assertIntact(place));
    }
    assert(nth > 1 && nth <= MAX_CALLS, `${nth - 1} calls`);
  });
}

/**
 * Runs a write path, and runs it again before the nth write or rename, as another process would. Returns null
 * if there are fewer writes and renames.
 */
function overlap(
  path: WritePath,
  { place, nth, round }: { readonly place: Place; readonly nth: number; readonly round: number },
): Overlap | null {
  let left = nth;
  const innerRuns: Omit<Overlap, "outer">[] = [];
  using _watch = watchCalls((call) => {
    if ((call !== "writeSync" && call !== "renameSync") || --left !== 0) return;
    innerRuns.push(withFastClock(() => {
      try {
        const inner = path.run(place, round);
        return { inner, isDone: passes(() => path.assertDone(place, round)) };
      } catch {
        return { inner: undefined, isDone: false };
      }
    }));
  });
  const outer = path.run(place, OUTER_ROUND);
  const [innerRun] = innerRuns;
  return innerRun === undefined ? null : { outer, ...innerRun };
}

/** Makes a wait for the lock end at once, because the holder cannot release it before `work` returns. */
function withFastClock<T>(work: () => T): T {
  const { now } = performance;
  let ms = now.call(performance);
  performance.now = () => ms += 60_000;
  try {
    return work();
  } finally {
    performance.now = now;
  }
}

function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
