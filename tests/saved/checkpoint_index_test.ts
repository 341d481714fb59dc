import { assert, assertEquals } from "@std/assert";
import { saveFolder } from "../../src/saved/store.ts";
import { indexCheckpoint, indexPath, readIndex } from "../../src/saved/project_index.ts";
import { writeCheckpoint } from "../../src/designs/write_checkpoint.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import { NOON_MS, projectTest, saveOptions } from "./checkpoints.ts";

interface Projects {
  readonly a: string;
  readonly b: string;
  readonly configDir: string;
  readonly path: string;
  /** Indexes project `a` again. */
  readonly index: () => void;
}

/** Declares a test with two projects, each of which has two checkpoints. */
function test(name: string, run: (projects: Projects) => void): void {
  projectTest(name, ({ projectDir: a, configDir }) => {
    const b = `${a}-b`;
    Deno.mkdirSync(b);
    for (const [second, projectDir] of [a, b, a, b].entries()) save(projectDir, configDir, second);
    const index = (): unknown => indexCheckpoint({ projectDir: a, configDir, nowMs: NOON_MS });
    run({ a, b, configDir, path: indexPath(configDir), index });
  });
}

function save(projectDir: string, configDir: string, second: number): void {
  const now = (): number => NOON_MS + second * 1000;
  writeCheckpoint(emptyState(), saveOptions({ projectDir, configDir }, { now }));
}

function idsIn({ configDir }: Projects): string[] {
  return readIndex(configDir).checkpoints.map(({ id, project }) => `${id} ${project.slice(-2)}`);
}

const ALL = ["120003 -b", "120002 ct", "120001 -b", "120000 ct"].map((one) => `2026-03-01-${one}`);

test("indexCheckpoint() keeps the checkpoints of all projects, newest first", (projects) => {
  assertEquals(idsIn(projects), ALL);
  const raw = JSON.parse(Deno.readTextFileSync(projects.path));
  assertEquals(Object.keys(raw), ["version", "checkpoints", "last_updated"]);
  assertEquals([raw.version, raw.last_updated], ["1.0", "2026-03-01T12:00:03.000Z"]);
  const keys = "id,path,project,created,trigger,verified,iteration,summary,session_id";
  assertEquals(Object.keys(raw.checkpoints[0]).join(), keys);
});

test("indexCheckpoint() orders projects by time, however many checkpoints each has", (projects) => {
  const c = `${projects.a}-c`;
  Deno.mkdirSync(c);
  save(c, projects.configDir, 5);
  assertEquals(idsIn(projects), ["2026-03-01-120005 -c", ...ALL]);
});

test("indexCheckpoint() lists the newer of two checkpoints with the same time first", (projects) => {
  const { a, configDir } = projects;
  for (let n = 0; n < 2; n++) save(a, configDir, 5);
  assertEquals(idsIn(projects).slice(0, 2), ["2026-03-01-120005-2 ct", "2026-03-01-120005 ct"]);
});

test("indexCheckpoint() rebuilds the project's rows when the index is missing or has no valid content", (projects) => {
  Deno.removeSync(`${projects.configDir}/trimtab`, { recursive: true });
  projects.index();
  assertEquals(idsIn(projects), [ALL[1], ALL[3]]);
  for (const damage of ["", "[]", "null", "7", '"project": "', '"project": "\\x"', "{}"]) {
    Deno.writeTextFileSync(projects.path, damage);
    projects.index();
    assertEquals(idsIn(projects), [ALL[1], ALL[3]], damage);
  }
});

test("indexCheckpoint() drops invalid rows and repairs outdated ones", (projects) => {
  const { a, path } = projects;
  const index = JSON.parse(Deno.readTextFileSync(path));
  // One row of this project is lost, one is outdated, and some are invalid.
  index.checkpoints = index.checkpoints.filter((row: { id: string }) => !row.id.endsWith("120002"));
  for (const row of index.checkpoints) if (row.project === a) row.verified = false;
  const [row] = index.checkpoints;
  index.checkpoints.push(null, 7, {}, { ...row, trigger: "never" });
  // Objects that cannot be converted to a string.
  index.checkpoints.push({ ...row, trigger: { toString: null } }, { ...row, created: [[[]]] });
  Deno.writeTextFileSync(path, JSON.stringify(index));
  projects.index();
  assertEquals(idsIn(projects), ALL);
  assert(readIndex(projects.configDir).checkpoints.every(({ verified }) => verified));
});

test("indexCheckpoint() drops rows of deleted files, even of another project", (projects) => {
  const folder = saveFolder("checkpoint", { projectDir: projects.b });
  Deno.removeSync(`${folder}/2026-03-01-120001.md`);
  projects.index();
  assertEquals(idsIn(projects), [ALL[0], ALL[1], ALL[3]]);
  Deno.removeSync(folder, { recursive: true });
  projects.index();
  assertEquals(idsIn(projects), [ALL[1], ALL[3]]);
});
