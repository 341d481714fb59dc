import { assert, assertEquals } from "@std/assert";
import { listCheckpoints, saveFolder } from "../../src/saved/store.ts";
import { indexCheckpoint, indexPath, readIndex } from "../../src/saved/project_index.ts";
import { writeCheckpoint } from "../../src/designs/write_checkpoint.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import { NOON_MS, saveOptions, tempProject } from "./checkpoints.ts";
import "../own_config.ts";

function twoProjects(): Disposable & { a: string; b: string; configDir: string } {
  const place = tempProject();
  const [a, b] = [place.projectDir, `${place.projectDir}-b`];
  Deno.mkdirSync(b);
  for (const [index, projectDir] of [a, b, a, b].entries()) {
    const now = (): number => NOON_MS + index * 1000;
    writeCheckpoint(emptyState(), saveOptions({ ...place, projectDir }, { now }));
  }
  return { a, b, configDir: place.configDir, [Symbol.dispose]: () => place[Symbol.dispose]() };
}

function idsIn(configDir: string): string[] {
  return readIndex(configDir).checkpoints.map(({ id, project }) => `${id} ${project.slice(-2)}`);
}

const ALL = ["120003 -b", "120002 ct", "120001 -b", "120000 ct"].map((one) => `2026-03-01-${one}`);

Deno.test("indexCheckpoint() keeps the checkpoints of all projects, newest first", () => {
  using projects = twoProjects();
  assertEquals(idsIn(projects.configDir), ALL);
  const raw = JSON.parse(Deno.readTextFileSync(indexPath(projects.configDir)));
  assertEquals(Object.keys(raw), ["version", "checkpoints", "last_updated"]);
  assertEquals([raw.version, raw.last_updated], ["1.0", "2026-03-01T12:00:03.000Z"]);
  assertEquals(
    Object.keys(raw.checkpoints[0]).join(),
    "id,path,project,created,trigger,verified,iteration,summary,session_id",
  );
});

Deno.test("indexCheckpoint() orders projects by time, however many checkpoints each has", () => {
  using projects = twoProjects();
  const { a, configDir } = projects;
  const c = `${a}-c`;
  Deno.mkdirSync(c);
  const now = (): number => NOON_MS + 5_000;
  writeCheckpoint(emptyState(), saveOptions({ configDir, projectDir: c }, { now }));
  assertEquals(idsIn(configDir), ["2026-03-01-120005 -c", ...ALL]);
});

Deno.test("indexCheckpoint() rebuilds the project's rows when the index is missing", () => {
  using projects = twoProjects();
  const { a, configDir } = projects;
  Deno.removeSync(`${configDir}/trimtab`, { recursive: true });
  indexCheckpoint({ projectDir: a, configDir, nowMs: NOON_MS });
  assertEquals(idsIn(configDir), [ALL[1], ALL[3]]);
});

Deno.test("indexCheckpoint() ignores an index without valid content", () => {
  using projects = twoProjects();
  const { a, configDir } = projects;
  for (const damage of ["", "[]", "null", "7", '"project": "', '"project": "\\x"', "{}"]) {
    Deno.writeTextFileSync(indexPath(configDir), damage);
    indexCheckpoint({ projectDir: a, configDir, nowMs: NOON_MS });
    assertEquals(idsIn(configDir), [ALL[1], ALL[3]], damage);
  }
});

Deno.test("indexCheckpoint() drops invalid rows and repairs outdated ones", () => {
  using projects = twoProjects();
  const { a, configDir } = projects;
  const path = indexPath(configDir);
  const index = JSON.parse(Deno.readTextFileSync(path));
  // One row of this project is lost, one is outdated, and some are invalid.
  index.checkpoints = index.checkpoints.filter((row: { id: string }) => !row.id.endsWith("120002"));
  for (const row of index.checkpoints) if (row.project === a) row.verified = false;
  const [row] = index.checkpoints;
  index.checkpoints.push(null, 7, {}, { ...row, trigger: "never" });
  // Objects that cannot be converted to a string.
  index.checkpoints.push({ ...row, trigger: { toString: null } }, { ...row, created: [[[]]] });
  Deno.writeTextFileSync(path, JSON.stringify(index));
  indexCheckpoint({ projectDir: a, configDir, nowMs: NOON_MS });
  assertEquals(idsIn(configDir), ALL);
  assert(readIndex(configDir).checkpoints.every(({ verified }) => verified));
});

Deno.test("indexCheckpoint() drops rows of deleted files, even of another project", () => {
  using projects = twoProjects();
  const { a, b, configDir } = projects;
  Deno.removeSync(`${saveFolder("checkpoint", { projectDir: b })}/2026-03-01-120001.md`);
  indexCheckpoint({ projectDir: a, configDir, nowMs: NOON_MS });
  assertEquals(idsIn(configDir), [ALL[0], ALL[1], ALL[3]]);
  Deno.removeSync(saveFolder("checkpoint", { projectDir: b }), { recursive: true });
  indexCheckpoint({ projectDir: a, configDir, nowMs: NOON_MS });
  assertEquals(idsIn(configDir), [ALL[1], ALL[3]]);
});

Deno.test("listCheckpoints() reads the files, not the index", () => {
  using projects = twoProjects();
  const { a, configDir } = projects;
  Deno.writeTextFileSync(indexPath(configDir), "damaged");
  const rows = listCheckpoints({ projectDir: a }).map(({ id, project }) => [id, project]);
  assertEquals(rows, [["2026-03-01-120002", a], ["2026-03-01-120000", a]]);
});
