import { assert, assertEquals } from "@std/assert";
import { ensureDirSync, existsSync } from "@std/fs";
import { clean, type CleanOptions, type CleanResult } from "../../../src/doctor/clean/plan.ts";
import { indexCheckpoint, readIndex } from "../../../src/saved/project_index.ts";
import { emptyState } from "../../../src/extract/empty_state.ts";
import { emitEvent } from "../../../src/designs/emit_event.ts";
import { snapshotOf } from "../../../src/saved/save.ts";
import { saveSnapshot } from "../../../src/designs/save_snapshot.ts";
import { temporaryPathFor } from "../../../src/store/atomic.ts";
import { isMarkedAsOwn, markFolder } from "../../../src/store/own_marks.ts";
import { updateSessionState } from "../../../src/store/state_update.ts";
import { putHandoff } from "../../saved/lineage/sessions.ts";
import {
  DAY_MS,
  NOON_MS,
  OTHER_SESSION,
  plantCheckpoint,
  type Project as Place,
  SESSION,
  tempProject,
} from "../../saved/checkpoints.ts";
import { writeTrusted } from "../../trusted.ts";
import { namesIn, writeFile } from "../../folder.ts";

function age(path: string, days: number): string {
  const time = new Date(NOON_MS - days * DAY_MS);
  Deno.utimeSync(path, time, time);
  return path;
}

function plantOld(place: Place, days: number, session = SESSION): string {
  return plantCheckpoint(place, new Date(NOON_MS - days * DAY_MS).toISOString(), session);
}

function plantSnapshot({ projectDir, configDir }: Place, days: number, session = SESSION): string {
  const state = { ...emptyState(), session_id: session };
  const now = new Date(NOON_MS - days * DAY_MS);
  return saveSnapshot(snapshotOf(state), { projectDir, configDir, now }).path;
}

function plantHandoff({ projectDir, configDir }: Place, days: number, parent: string): string[] {
  const created = new Date(NOON_MS - days * DAY_MS);
  const prompt = putHandoff(projectDir, parent, { created, configDir });
  return [prompt, prompt.replace(/md$/, "json")].map((path) => age(path, days));
}

function plantState({ projectDir }: Place, days: number, sessionId: string): string {
  updateSessionState({ projectDir, sessionId }, () => ({ window_tokens: 200_000 }));
  return age(`${projectDir}/.claude/trimtab/state/${sessionId}.json`, days);
}

function plantSession({ configDir }: Place, id: string): string {
  return plant(`${configDir}/projects/-p/${id}.jsonl`);
}

function plantTemporary(folder: string, days: number): string {
  return plant(temporaryPathFor(`${folder}/x`), days);
}

function plant(path: string, days = 0): string {
  return age(writeFile(path, "text"), days);
}

function run(place: Place, options: Partial<CleanOptions> = {}): CleanResult {
  const { projectDir, configDir } = place;
  return clean({ projectDir, configDir, retentionDays: 7, nowMs: NOON_MS, ...options });
}

function pathsOf({ items }: CleanResult): string[] {
  return items.map(({ path }) => path).sort();
}

function contents(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    // Marks are deleted with their files and are not listed.
    if (name === "marks") return [];
    return isDirectory ? contents(path) : [`${path} ${Deno.readTextFileSync(path)}`];
  }).sort();
}

Deno.test("clean() deletes old files only with `apply`, and keeps the newest saves of each session", () => {
  using place = tempProject();
  const { projectDir, configDir } = place;
  plantSession(place, OTHER_SESSION);
  const deletedPaths = [
    plantOld(place, 8),
    plantSnapshot(place, 9),
    ...plantHandoff(place, 8, SESSION),
    plantState(place, 8, SESSION),
    ...[`${projectDir}/.claude/trimtab`, `${projectDir}/.claude`, `${configDir}/projects/-p`]
      .concat(["tasks/s", "file-history/s", "trimtab/checkpoints"].map((n) => `${configDir}/${n}`))
      .map((folder) => plantTemporary(folder, 1)),
  ];
  plantOld(place, 1);
  plantOld(place, 30, OTHER_SESSION);
  plantSnapshot(place, 1);
  plantSnapshot(place, 30, OTHER_SESSION);
  plantHandoff(place, 6, OTHER_SESSION);
  plantState(place, 8, OTHER_SESSION);
  plantTemporary(`${projectDir}/.claude/trimtab/state`, 0);
  const log = age(emitEvent({ type: "a", payload: {}, source: "b" }, { projectDir }), 8);
  deletedPaths.push(plant(log.replace(".jsonl", ".1.jsonl"), 8));
  indexCheckpoint({ projectDir, configDir, nowMs: NOON_MS });
  const before = contents(projectDir);

  const preview = run(place);
  assertEquals(pathsOf(preview), deletedPaths.sort());
  assertEquals([preview.applied, preview.index_rows, preview.others], [false, 1, []]);
  const bytes = deletedPaths.reduce((sum, path) => sum + Deno.statSync(path).size, 0);
  assertEquals(preview.bytes, bytes);
  assertEquals(contents(projectDir), before);

  const isMarked = (): boolean => namesIn(markFolder(projectDir)).includes(`${SESSION}.handoff`);
  assertEquals(isMarked(), true);
  assertEquals(pathsOf(run(place, { apply: true })), deletedPaths);
  assertEquals(isMarked(), false, "the mark of a deleted file");
  const kept = before.filter((line) => !deletedPaths.includes(line.split(" ")[0] ?? ""));
  assertEquals(contents(projectDir), kept);
  assertEquals(readIndex(configDir).checkpoints.length, 2);
  assertEquals(run(place, { apply: true }).count, 0);
  assert(existsSync(`${configDir}/projects/-p/${OTHER_SESSION}.jsonl`));
});

Deno.test("clean() keeps every state file when the sessions cannot be listed", () => {
  using place = tempProject();
  plantState(place, 30, SESSION);
  assertEquals(run(place).count, 0);
  assertEquals(run(place, { configDir: undefined }).count, 0);
  plantSession(place, OTHER_SESSION);
  assertEquals(run(place).count, 1);
});

Deno.test("clean() keeps the mark of a handoff when it deletes the old state of the handoff's session", () => {
  using place = tempProject();
  const [prompt = ""] = plantHandoff(place, 1, SESSION);
  plantState(place, 30, SESSION);
  plantSession(place, OTHER_SESSION);
  assertEquals(run(place, { apply: true }).count, 1);
  assert(isMarkedAsOwn(place, `${SESSION}.handoff`, Deno.readTextFileSync(prompt)));
});

Deno.test("clean() finds sessions in a linked folder", () => {
  using place = tempProject();
  plantState(place, 30, SESSION);
  const path = plantSession(place, SESSION);
  const folder = path.slice(0, path.lastIndexOf("/"));
  Deno.renameSync(folder, `${place.configDir}/elsewhere`);
  Deno.symlinkSync(`${place.configDir}/elsewhere`, folder);
  assertEquals(run(place).count, 0);
});

Deno.test("clean() with `all` removes all of trimtab's files from the project, and the project's rows from the index", () => {
  using place = tempProject();
  const { projectDir, configDir } = place;
  const session = plantSession(place, SESSION);
  const other = tempProject();
  plantOld(other, 1);
  indexCheckpoint({ projectDir: other.projectDir, configDir, nowMs: NOON_MS });
  plantOld(place, 0);
  plantSnapshot(place, 0);
  plantHandoff(place, 0, SESSION);
  plantState(place, 0, SESSION);
  emitEvent({ type: "a", payload: {}, source: "b" }, { projectDir });
  plant(`${projectDir}/.claude/trimtab/spill/${SESSION}/output.txt`);
  plant(`${projectDir}/.claude/trimtab/live.jsonl`);
  plantTemporary(`${projectDir}/.claude`, 0);
  indexCheckpoint({ projectDir, configDir, nowMs: NOON_MS });
  assertEquals(readIndex(configDir).checkpoints.length, 2);

  const { count, others, index_rows: rows } = run(place, { all: true, apply: true });
  assert(count >= 8);
  assertEquals([others, rows], [[], 1]);
  assertEquals(namesIn(projectDir), []);
  const projects = readIndex(configDir).checkpoints.map(({ project }) => project);
  assertEquals(projects, [other.projectDir]);
  assert(existsSync(session));
  other[Symbol.dispose]();
});

Deno.test("clean() finds a session's shaped outputs once the newest one has expired, and an expired log of shaped outputs", () => {
  using place = tempProject();
  const trimtab = `${place.projectDir}/.claude/trimtab`;
  const outputs = [[SESSION, 9], [SESSION, 8], [OTHER_SESSION, 9], [OTHER_SESSION, 6]] as const;
  const paths = outputs.map(([session, days]) =>
    plant(`${trimtab}/spill/${session}/toolu_${days}.txt`, days)
  );
  const olderLog = plant(`${trimtab}/live.1.jsonl`, 8);
  assertEquals(pathsOf(run(place)), [...paths.slice(0, 2), olderLog].sort());
});

Deno.test("clean() keeps the mark of a trusted configuration file above the project while that file exists", () => {
  using place = tempProject();
  const { root, projectDir, configDir } = place;
  Deno.mkdirSync(`${root}/.git`);
  writeTrusted(`${root}/.work.toml`, "[context]\n", { projectDir, configDir });
  const mark = age(`${projectDir}/.claude/trimtab/marks/work.toml`, 8);
  assertEquals(pathsOf(run(place)), []);
  Deno.removeSync(`${root}/.work.toml`);
  assertEquals(pathsOf(run(place)), [mark]);
});

Deno.test("clean() deletes old report pages", () => {
  using place = tempProject();
  const folder = `${place.projectDir}/.claude/trimtab/reports`;
  const [old] = [plant(`${folder}/${SESSION}.html`, 9), plant(`${folder}/project.html`, 7)];
  const { items, others } = run(place, { apply: true });
  assertEquals([items.map(({ path, kind }) => [path, kind]), others], [[[old, "report"]], []]);
  assertEquals(namesIn(folder), ["project.html"]);
});

Deno.test("clean() with `all` keeps and reports foreign files", () => {
  using place = tempProject();
  const { projectDir } = place;
  const claude = `${projectDir}/.claude`;
  plantOld(place, 0);
  plantState(place, 0, SESSION);
  const mine = [
    `${claude}/checkpoints/notes.md`,
    `${claude}/trimtab/.gitignore`,
    `${claude}/trimtab/state/secret.json`,
    `${claude}/trimtab/work/a.txt`,
  ];
  const kept = [...mine, `${claude}/settings.json`, `${claude}/trimtab.toml`];
  for (const path of kept) plant(path);
  const { others } = run(place, { all: true, apply: true });
  assertEquals(others, [...mine.slice(0, 3), `${claude}/trimtab/work`]);
  assertEquals(contents(claude).map((line) => line.split(" ")[0]), kept.sort());
});

Deno.test("clean() does not follow links to files or folders", () => {
  using place = tempProject();
  const { projectDir } = place;
  const claude = `${projectDir}/.claude`;
  const outside = `${projectDir}/outside`;
  ensureDirSync(`${outside}/checkpoints`);
  const old = plantOld(place, 30);
  const name = old.slice(old.lastIndexOf("/") + 1);
  Deno.renameSync(old, `${outside}/checkpoints/${name}`);
  Deno.symlinkSync(`${outside}/checkpoints/${name}`, old);
  plantState(place, 30, SESSION);
  Deno.removeSync(`${claude}/trimtab/state`, { recursive: true });
  plant(`${outside}/state/${SESSION}.json`);
  Deno.symlinkSync(`${outside}/state`, `${claude}/trimtab/state`);
  Deno.symlinkSync(outside, `${claude}/runtime`);
  const before = contents(outside);
  const { others } = run(place, { all: true, apply: true });
  assertEquals(others, [old, `${claude}/trimtab/state`]);
  assertEquals(contents(outside), before);
  for (const path of [old, `${claude}/trimtab/state`, `${claude}/runtime`]) {
    assert(Deno.lstatSync(path).isSymlink);
  }
});
