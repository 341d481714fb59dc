/** Makes system calls of a write path fail, one in each run, and checks what is left. */

import { assert, assertEquals } from "@std/assert";
import { errorMessage } from "../../cli/trouble.ts";
import { adviceOn, TEMPORARY_PREFIX } from "../../src/store/atomic.ts";
import { newFastFolder } from "../folder.ts";
import { newPlace, originalsOf, type Place, restoreFiles, type Tree, treeOf } from "./place.ts";
import {
  allFaults,
  countCalls,
  type Fault,
  isReadCall,
  isWritingCall,
  watchCalls,
  withDiskFullFrom,
  withFailing,
} from "./system_calls.ts";
import { assertIntact, assertKept } from "./intact.ts";
import type { WritePath } from "./write_path.ts";

/**
 * Outside of full runs, about one in this many failing reads becomes a case, in addition to critical faults.
 */
const READS_PER_CASE = 9;

export interface FaultFigures {
  /** Number of runs, each with one failing call or with a disk that is full from a given call on. */
  readonly cases: number;
  readonly thrown: number;
  /** The cases whose runs neither stored their data nor threw nor returned a report. */
  readonly silent: readonly string[];
}

interface Case {
  readonly name: string;
  readonly run: () => Promise<unknown>;
  /** Whether a temporary file may remain, because its removal fails, too. */
  readonly leavesTemporaries: boolean;
}

/**
 * Runs a write path many times, each time with one failing call or with a disk that is full from a given call
 * on. After each run, the originals are unchanged, every file is intact, no lock is held, the next run
 * succeeds, and no earlier data is lost.
 *
 * @param maxCases Maximum number of cases in addition to the critical ones, chosen evenly; Infinity tries
 * every call with every error.
 * @throws {Error} At the first case that does harm.
 */
export async function failCalls(path: WritePath, maxCases: number): Promise<FaultFigures> {
  using place = newPlace(newFastFolder());
  path.prepare?.(place);
  const before = treeOf(place.root);
  const counts = await countCalls(() => path.run(place, 1));
  path.assertDone(place, 1);
  const writing = [...counts].filter(([call]) => isWritingCall(call));
  const writes = writing.reduce((sum, [, count]) => sum + count, 0);
  const faults = chooseFaults(allFaults(counts), maxCases === Infinity);
  const others = [
    ...faults.filter((fault) => !isCritical(fault)).map((fault) => failing(path, place, fault)),
    ...Array.from({ length: writes }, (_, index) => fullFrom(path, place, index + 1)),
  ];
  const step = Math.max(1, Math.ceil(others.length / maxCases));
  const cases = [
    ...faults.filter(isCritical).map((fault) => failing(path, place, fault)),
    ...others.filter((_, index) => index % step === 0),
  ];
  let thrown = 0;
  const silent: string[] = [];
  let current = treeOf(place.root);
  for (const faultCase of cases) {
    restoreFiles(place, current, before);
    try {
      const { error, value } = await runCase(faultCase);
      if (error !== null) thrown++;
      else if (!isReport(value) && !isDone(path, place)) silent.push(faultCase.name);
      current = await assertHarmless(path, place, { before, ...faultCase });
    } catch (error) {
      throw new Error(`${path.name}, ${faultCase.name}`, { cause: error });
    }
  }
  return { cases: cases.length, thrown, silent };
}

function chooseFaults(faults: readonly Fault[], isFull: boolean): readonly Fault[] {
  if (isFull) return faults;
  const seen = new Set<string>();
  return faults.filter(({ call, nth, kind }, index) => {
    if (isReadCall(call)) return isCritical({ call, nth, kind }) || index % READS_PER_CASE === 0;
    const key = `${call} ${nth}`;
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst || kind === "short";
  });
}

/** A file is most likely to be lost if the first read fails, and torn if the first write is cut short. */
function isCritical({ call, nth, kind }: Fault): boolean {
  return nth === 1 && (isReadCall(call) || kind === "short");
}

function failing(path: WritePath, place: Place, fault: Fault): Case {
  return {
    name: `${fault.kind} at ${fault.call} number ${fault.nth}`,
    run: () => withFailing(fault, () => path.run(place, 1)),
    leavesTemporaries: fault.call === "removeSync",
  };
}

function fullFrom(path: WritePath, place: Place, from: number): Case {
  return {
    name: `a disk that is full from call ${from} on`,
    run: () => withDiskFullFrom(from, () => path.run(place, 1)),
    leavesTemporaries: false,
  };
}

/** Whether a value reports a loss: null, a list with items, or a text with spaces, such as a warning. */
function isReport(value: unknown): boolean {
  if (typeof value === "string") return value.includes(" ");
  return value === null || (Array.isArray(value) && value.length > 0);
}

function isDone(path: WritePath, place: Place): boolean {
  try {
    path.assertDone(place, 1);
    return true;
  } catch {
    return false;
  }
}

/** Returns the value or the error of the run. Asserts that an error's message states the problem and a fix. */
async function runCase({ run }: Case): Promise<{ error: Error | null; value?: unknown }> {
  try {
    return { error: null, value: await run() };
  } catch (error) {
    assert(error instanceof Error, String(error));
    const errorText = errorMessage(error);
    // Deno's message names the file, except for a failed read.
    assert(errorText.includes("/") || errorText.startsWith("Input/output error"), errorText);
    assert(errorText.endsWith(adviceOn(error) ?? ""), errorText);
    assert(/\. |: expected /.test(errorText), `the error suggests no remedy: ${errorText}`);
    return { error };
  }
}

async function assertHarmless(
  path: WritePath,
  place: Place,
  { before, leavesTemporaries }: { readonly before: Tree; readonly leavesTemporaries: boolean },
): Promise<Tree> {
  // The clean-up starts with a temporary file in place.
  const hasTemporary = [...before.keys()].some((name) => name.includes(TEMPORARY_PREFIX));
  const leftovers = { temporaries: leavesTemporaries || hasTemporary };
  const after = assertIntact(place, leftovers);
  assertEquals(originalsOf(place, after), originalsOf(place, before), "an original was changed");
  {
    using _noFlush = watchCalls(() => {});
    await path.run(place, 2);
  }
  path.assertDone(place, 2);
  const repaired = assertIntact(place, { temporaries: leavesTemporaries });
  assertKept(place, repaired);
  assertEquals(originalsOf(place, repaired), originalsOf(place, before), "an original was changed");
  return repaired;
}
