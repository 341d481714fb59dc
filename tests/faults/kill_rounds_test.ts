// Kills writing processes at random system calls and at random times, and checks what is left.

import { assert, assertEquals } from "@std/assert";
import { walkSync } from "@std/fs";
import { clean } from "../../src/doctor/clean/plan.ts";
import { TEMPORARY_PREFIX } from "../../src/store/atomic.ts";
import { randomFrom } from "../../tools/random.ts";
import { IS_FULL } from "../full.ts";
import { newPlace, originalsOf, type Place } from "./place.ts";
import { countCalls, isReadCall } from "./system_calls.ts";
import { assertIntact, assertKept } from "./intact.ts";
import type { WritePath } from "./write_path.ts";
import { writePathNamed } from "./write_paths.ts";

const KILLED = [
  "trim",
  "checkpoint",
  "lineage",
  "checkpoint index",
  "blackboard",
  "snapshot",
  "handoff",
  "session state",
  "event log",
];

/** Writers of permanent files. The files are checked again after all rounds in a home folder. */
const PERMANENT = ["trim", "checkpoint", "lineage", "blackboard", "snapshot"];

const ROUNDS_PER_HOME = 27;

/** One round in this many is killed at a random time instead of a random call. */
const RANDOM_TIME_EVERY = 3;

/** Maximum delay between the ready message of a process and its kill. */
const MAX_DELAY_MS = 120;

/** Round numbers reserved for each kill; more than the child's MAX_LOOPS, so that no number is used twice. */
const ROUNDS_PER_KILL = 30;

/** The clean-up runs this long after the kills, so that leftovers count as old. */
const CLEAN_UP_DELAY_MS = 2 * 60 * 60 * 1000;

const CHILD = new URL("kill_child.ts", import.meta.url);

/** Enough to kill each write path once; a full run kills each of them at many calls. */
const ROUNDS = IS_FULL ? 495 : 9;

const SEED = 20_261_122;

type End = "killedAtCall" | "killedAtTime" | "finished";

// A kill may leave temporary files and a torn line at the end of a log, but no other damage.
Deno.test("kill -9 at random points leaves all files intact, no held lock and no file that blocks the next run", async () => {
  const random = randomFrom(SEED);
  const ends: End[] = [];
  let temporaries = 0;
  const calls = await callCounts();
  for (let first = 0; first < ROUNDS; first += ROUNDS_PER_HOME) {
    using place = newPlace();
    const originals = originalsOf(place);
    const done: (readonly [path: WritePath, round: number])[] = [];
    for (let index = first; index < Math.min(ROUNDS, first + ROUNDS_PER_HOME); index++) {
      const path = writePathNamed(KILLED[index % KILLED.length]);
      const round = (index - first + 1) * ROUNDS_PER_KILL;
      const stopAt = index % RANDOM_TIME_EVERY === RANDOM_TIME_EVERY - 1
        ? "any"
        : String(Math.floor(random() * (calls.get(path.name) ?? 1)));
      try {
        const delayMs = random() * MAX_DELAY_MS;
        ends.push(await killOne(place, path, { round, stopAt, delayMs }));
        assertEquals(originalsOf(place), originals, "an original was changed");
        const leftovers = { temporaries: true, tornLines: index - first + 1 };
        assertIntact(place, leftovers);
        path.run(place, round + ROUNDS_PER_KILL - 1);
        path.assertDone(place, round + ROUNDS_PER_KILL - 1);
        assertKept(place, assertIntact(place, leftovers));
      } catch (error) {
        const where = `round ${index} of seed ${SEED}: ${path.name}, killed at ${stopAt}`;
        throw new Error(where, { cause: error });
      }
      if (PERMANENT.includes(path.name)) done.push([path, round + ROUNDS_PER_KILL - 1]);
    }
    for (const [path, round] of done) path.assertDone(place, round);
    temporaries += cleanUp(place);
    assertEquals(originalsOf(place), originals, "an original was changed");
  }
  const count = (wanted: End): number => ends.filter((end) => end === wanted).length;
  const kills = `${count("killedAtCall")} at a call, ${count("killedAtTime")} at a time`;
  console.log(`kills: seed ${SEED}, ${kills}; ${temporaries} temporary files left and cleaned up`);
  assertEquals(count("killedAtTime"), ROUNDS / RANDOM_TIME_EVERY);
  assert(count("finished") <= ROUNDS / 9, "too few processes were killed");
});

async function callCounts(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  using place = newPlace();
  for (const name of KILLED) {
    const calls = await countCalls(() => writePathNamed(name).run(place, 1));
    const changing = [...calls].filter(([call]) => !isReadCall(call));
    counts.set(name, changing.reduce((sum, [, count]) => sum + count, 0));
  }
  return counts;
}

/** Starts a process that announces its call or its first write, and kills it `delayMs` later. */
async function killOne(
  place: Place,
  path: WritePath,
  { round, stopAt, delayMs }: { round: number; stopAt: string; delayMs: number },
): Promise<End> {
  const flags = ["--no-prompt", "--no-check", "--cached-only"];
  // The lineage needs the environment.
  const permissions = ["--allow-read", "--allow-write", "--allow-env"];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags, ...permissions, CHILD.href, place.root, path.name, `${round}`, stopAt],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.getReader();
  const isStopped = new TextDecoder().decode((await reader.read()).value) === "ready\n";
  if (stopAt === "any") await new Promise((resolve) => setTimeout(resolve, delayMs));
  if (isStopped) child.kill("SIGKILL");
  const { success, signal } = await child.status;
  await reader.cancel();
  await child.stdin.abort();
  assert(isStopped ? signal === "SIGKILL" : success && stopAt !== "any");
  return stopAt === "any" ? "killedAtTime" : isStopped ? "killedAtCall" : "finished";
}

function cleanUp(place: Place): number {
  const before = temporariesIn(place);
  clean({ ...place, retentionDays: 36_500, nowMs: Date.now() + CLEAN_UP_DELAY_MS, apply: true });
  assertEquals(temporariesIn(place), []);
  return before.length;
}

/** Leaves out temporary files among the client's task lists, because the client cleans those up. */
function temporariesIn({ root, configDir }: Place): string[] {
  const paths = [...walkSync(root, { includeDirs: false })].map(({ path }) => path);
  return paths.filter((path) =>
    path.includes(`/${TEMPORARY_PREFIX}`) && !path.startsWith(`${configDir}/tasks`)
  );
}
