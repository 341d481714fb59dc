import { assertEquals, assertThrows } from "@std/assert";
import { writeCheckpoint } from "../../src/saved/checkpoint/store.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import { nextIteration } from "../../src/saved/checkpoint/iteration.ts";
import { withLockSync } from "../../src/store/lock.ts";
import { runDeno } from "../../tools/child.ts";
import { saveOptions, tempProject } from "./checkpoints.ts";
import "../own_config.ts";

const WRITERS = 16;
const ROUNDS = 5;

Deno.test("nextIteration() counts from one", () => {
  using place = tempProject();
  assertEquals([1, 2, 3].map(() => nextIteration(place.projectDir)), [1, 2, 3]);
});

Deno.test("nextIteration() goes on from the files when the counter is lost, damaged or behind", () => {
  using place = tempProject();
  const { projectDir } = place;
  const path = `${projectDir}/.claude/trimtab/iteration`;
  for (let times = 0; times < 3; times++) writeCheckpoint(emptyState(), saveOptions(place));
  for (const damage of ["", "many\n", "-7\n", "1e9\n", "2\n", "\0\0\0", "9".repeat(400)]) {
    Deno.writeTextFileSync(path, damage);
    assertEquals(nextIteration(projectDir), 4, JSON.stringify(damage));
  }
  for (const [kept, next] of [[1e9, 1e9 + 1], [1e9 + 1, 4]] as const) {
    Deno.writeTextFileSync(path, `${kept}\n`);
    assertEquals(nextIteration(projectDir), next);
  }
  Deno.removeSync(path);
  assertEquals(nextIteration(projectDir), 4);
  assertEquals(nextIteration(projectDir), 5);
});

Deno.test("nextIteration() takes no number when it cannot keep it", () => {
  using place = tempProject();
  const { projectDir } = place;
  nextIteration(projectDir);
  withLockSync(`${projectDir}/.claude/trimtab/iteration.lock`, () => {
    assertThrows(() => nextIteration(projectDir, { waitMs: 0 }), Error, "another process holds");
  });
  assertEquals(nextIteration(projectDir), 2);
  const gone = `${projectDir}/gone`;
  assertThrows(() => nextIteration(gone), Deno.errors.NotFound);
});

Deno.test("nextIteration() gives no number twice to many processes at once", async () => {
  using place = tempProject();
  const url = JSON.stringify(
    new URL("../../src/saved/checkpoint/iteration.ts", import.meta.url).href,
  );
  const script = `${place.configDir}/count.ts`;
  Deno.writeTextFileSync(
    script,
    `import { nextIteration } from ${url};
    const next = () => nextIteration(Deno.args[0], { waitMs: 60_000 });
    console.log(JSON.stringify(Array.from({ length: ${ROUNDS} }, next)));`,
  );
  const allow = ["--allow-read", `--allow-write=${place.projectDir}`];
  const args = ["run", "--no-prompt", "--no-check", ...allow, script, place.projectDir];
  const ends = await Promise.all(Array.from({ length: WRITERS }, () => runDeno(args)));
  assertEquals(ends.filter(({ code }) => code !== 0), []);
  const numbers = ends.flatMap(({ stdout }) => JSON.parse(stdout)).sort((a, b) => a - b);
  assertEquals(numbers, Array.from({ length: WRITERS * ROUNDS }, (_, number) => number + 1));
});
