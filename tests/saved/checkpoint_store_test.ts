import { assert, assertEquals, assertThrows } from "@std/assert";
import { findSave, listCheckpoints, saveFolder } from "../../src/saved/store.ts";
import { readIndex } from "../../src/saved/project_index.ts";
import { writeCheckpoint } from "../../src/designs/write_checkpoint.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import { verifyCheckpoint } from "../../src/saved/verify.ts";
import { posixTest } from "../posix.ts";
import {
  DAY_MS,
  NOON_MS,
  OTHER_SESSION,
  projectTest as test,
  sampleState,
  saveOptions,
  SESSION,
  tempProject,
} from "./checkpoints.ts";
import { modeOf, namesIn } from "../folder.ts";

test("writeCheckpoint() writes, verifies, numbers and indexes a checkpoint", (place) => {
  const saved = writeCheckpoint(sampleState(), saveOptions(place));
  const path = `${place.projectDir}/.claude/checkpoints/2026-03-01-120000.md`;
  assertEquals(saved, {
    id: "2026-03-01-120000",
    path,
    trigger: "auto",
    iteration: 1,
    verified: true,
    summary: "Implement auth with tokens, then: Also log out - 2 files modified",
    created: "2026-03-01T12:00:00Z",
  });
  const { valid, meta } = verifyCheckpoint(path);
  assert(valid);
  assertEquals([meta?.verified, meta?.usage_percent, meta?.parent], [true, 81, null]);
  const { path: _, ...row } = { ...saved, project: place.projectDir, session_id: SESSION };
  assertEquals(readIndex(place.configDir).checkpoints, [{ ...row, path }]);
  const names = [".gitignore", ".ignore", ".lock", `${saved.id}.json`, `${saved.id}.md`];
  assertEquals(namesIn(saveFolder("checkpoint", place)), names);
});

posixTest("writeCheckpoint() keeps its files private and out of git", () => {
  using place = tempProject();
  const { path } = writeCheckpoint(sampleState(), saveOptions(place));
  const { projectDir, configDir } = place;
  assertEquals(modeOf(path), 0o600);
  assertEquals(modeOf(saveFolder("checkpoint", { projectDir })), 0o700);
  assertEquals(modeOf(`${projectDir}/.claude/trimtab/iteration`), 0o600);
  assertEquals(modeOf(`${configDir}/trimtab/checkpoints/index.json`), 0o600);
  for (const folder of [`${projectDir}/.claude/checkpoints`, `${configDir}/trimtab/checkpoints`]) {
    assertEquals(Deno.readTextFileSync(`${folder}/.gitignore`), "*\n");
  }
  assertEquals(namesIn(`${projectDir}/.claude`), ["checkpoints", "trimtab"]);
});

test("writeCheckpoint() adds a suffix to the id of another checkpoint in the same second, and records the previous checkpoint as the parent", (place) => {
  const save = (changes = {}) => writeCheckpoint(sampleState(), saveOptions(place, changes)).id;
  const ids = [save(), save(), save()];
  const expected = ["2026-03-01-120000", "2026-03-01-120000-2", "2026-03-01-120000-3"] as const;
  assertEquals(ids, [...expected]);
  const rows = listCheckpoints(place).map(({ id, iteration }) => [id, iteration]);
  assertEquals(rows, [[expected[2], 3], [expected[1], 2], [expected[0], 1]]);
  const parentOf = (id: string) => findSave(id, ["checkpoint"], place)?.meta?.parent;
  assertEquals(ids.map(parentOf), [null, expected[0], expected[1]]);
  assertEquals(parentOf(save({ parent: "an earlier one" })), "an earlier one");
  assertEquals(parentOf(save({ sessionId: OTHER_SESSION })), null);
});

test("writeCheckpoint() deletes expired checkpoints and their index rows", (place) => {
  const at = (day: number, sessionId = SESSION): string => {
    const options = saveOptions(place, { sessionId, now: () => NOON_MS + day * DAY_MS });
    return writeCheckpoint(emptyState(), options).id;
  };
  const [, ...kept] = [at(0), at(1, OTHER_SESSION), at(2), at(8)];
  for (const rows of [listCheckpoints(place), readIndex(place.configDir).checkpoints]) {
    assertEquals(rows.map(({ id }) => id), kept.toReversed());
  }
});

test("writeCheckpoint() keeps its new file when the clock was set back", (place) => {
  writeCheckpoint(emptyState(), saveOptions(place));
  let calls = 0;
  // The clock is correct again when the store looks for old checkpoints.
  const now = (): number => calls++ === 0 ? NOON_MS - 30 * DAY_MS : NOON_MS;
  const { path } = writeCheckpoint(emptyState(), saveOptions(place, { now }));
  assert(verifyCheckpoint(path).valid);
});

test("writeCheckpoint() saves even if the index cannot be written, and reports the problem", (place) => {
  Deno.writeTextFileSync(`${place.configDir}/trimtab`, "in the way");
  const saved = writeCheckpoint(sampleState(), saveOptions(place));
  assert(saved.verified);
  assert(saved.warning?.startsWith("The checkpoint is saved but not marked as yours: "));
  assert(saved.warning?.includes(" The checkpoint is saved but not in the index: "));
  assert(verifyCheckpoint(saved.path).valid);
  const options = saveOptions(place, { configDir: undefined });
  assertEquals(writeCheckpoint(sampleState(), options).warning, undefined);
});

test("writeCheckpoint() saves even if the counter cannot be written, and continues counting", (place) => {
  writeCheckpoint(emptyState(), saveOptions(place));
  Deno.removeSync(`${place.projectDir}/.claude/trimtab`, { recursive: true });
  Deno.writeTextFileSync(`${place.projectDir}/.claude/trimtab`, "in the way");
  const saved = writeCheckpoint(emptyState(), saveOptions(place));
  assertEquals([saved.iteration, saved.verified], [2, true]);
  assert(saved.warning?.startsWith("The checkpoint counter was not saved: "));
});

test("writeCheckpoint() never creates a missing project folder", (place) => {
  const missing = { ...place, projectDir: `${place.projectDir}/gone` };
  assertThrows(() => writeCheckpoint(emptyState(), saveOptions(missing)), Deno.errors.NotFound);
  assertEquals(namesIn(place.projectDir), []);
});

test("writeCheckpoint() refuses a trigger that could not be read back, and writes nothing", ({ projectDir, configDir }) => {
  const given: unknown = JSON.parse('{"trigger":"hourly"}');
  const options = { projectDir, configDir, ...Object(given) };
  assertThrows(() => writeCheckpoint(emptyState(), options), RangeError, 'trigger is "hourly"');
  assertEquals(listCheckpoints({ projectDir }), []);
});

test("writeCheckpoint() continues counting when the counter is lost, damaged, too low or too high", (place) => {
  const path = `${place.projectDir}/.claude/trimtab/iteration`;
  const next = (): number => writeCheckpoint(emptyState(), saveOptions(place)).iteration;
  Deno.mkdirSync(`${place.projectDir}/.claude/trimtab`, { recursive: true });
  Deno.writeTextFileSync(path, `${1e9 + 1}\n`);
  assertEquals([next(), next()], [1, 2]);
  let number = 2;
  for (const damage of ["", "many\n", "-7\n", "1e9\n", "2\n", "\0\0\0", "9".repeat(400)]) {
    Deno.writeTextFileSync(path, damage);
    assertEquals(next(), ++number, JSON.stringify(damage));
  }
  Deno.removeSync(path);
  assertEquals(next(), ++number);
  for (const [kept, expected] of [[1e9 + 1, ++number], [1e9, 1e9 + 1]] as const) {
    Deno.writeTextFileSync(path, `${kept}\n`);
    assertEquals(next(), expected);
  }
});
