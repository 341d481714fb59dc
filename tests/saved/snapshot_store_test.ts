import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import fc from "fast-check";
import { type ContextSnapshot, snapshotOf } from "../../src/saved/save.ts";
import { restoreContext } from "../../src/designs/compacted_context.ts";
import { findSaveToRestore } from "../../src/saved/restore_point.ts";
import { MAX_SAVE_BYTES, readSave, SaveNotFoundError } from "../../src/saved/read.ts";
import { listSaves, saveFolder, SNAPSHOT_DIR } from "../../src/saved/store.ts";
import { saveSnapshot } from "../../src/designs/save_snapshot.ts";
import { POSIX } from "../posix.ts";
import { inFolder } from "../folder.ts";
import { sampleState } from "./checkpoints.ts";
import { anySnapshot, NOW } from "./snapshots.ts";

const RUNS = { numRuns: 100, seed: 20261122 };

function save(projectDir: string, name: string | null, seconds = 0): string {
  const now = new Date(NOW.getTime() + seconds * 1000);
  return saveSnapshot(snapshotOf(sampleState(), { name, now }), { projectDir, now }).path;
}

function idsIn(projectDir: string): string[] {
  return listSaves("snapshot", { projectDir }).map(({ id }) => id);
}

Deno.test("SNAPSHOT_DIR is the folder that other programs look in", () => {
  assertEquals(SNAPSHOT_DIR, ".claude/runtime/context-snapshots/");
  const folderOf = (place = {}) => saveFolder("snapshot", { projectDir: "/p", ...place });
  assertEquals(folderOf(), "/p/.claude/runtime/context-snapshots");
  assertEquals(folderOf({ snapshotDir: "a/" }), "/p/a");
  assertEquals(folderOf({ snapshotDir: "/b" }), "/b");
  assert(saveFolder("snapshot").endsWith("/.claude/runtime/context-snapshots"));
});

Deno.test("saveSnapshot() rejects an invalid snapshot, and writes nothing", () =>
  inFolder((projectDir) => {
    const wrong: ContextSnapshot = { ...snapshotOf(sampleState()), token_count: -1 };
    const problem = "Cannot save snapshot: The field token_count must be";
    assertThrows(() => saveSnapshot(wrong, { projectDir }), TypeError, problem);
    assertEquals(idsIn(projectDir), []);
  }));

Deno.test("saveSnapshot() and readSave() keep any snapshot, including unknown fields", () =>
  inFolder((projectDir) => {
    const property = fc.property(anySnapshot(), fc.jsonValue(), (snapshot, newer) => {
      const given = { ...snapshot, newer };
      const { path, snapshot: saved } = saveSnapshot(given, { projectDir, now: NOW });
      const read = readSave(path);
      assertEquals(JSON.stringify(read), JSON.stringify(saved));
      const { snapshot_id: _, timestamp: __, ...rest } = given;
      assertEquals(JSON.stringify({ ...read, ...rest }), JSON.stringify(read));
    });
    fc.assert(property, RUNS);
  }));

Deno.test("readSave() explains why a file cannot be used", () =>
  inFolder((projectDir) => {
    const path = save(projectDir, null);
    const valid = Deno.readTextFileSync(path);
    const withVersion = (version: number): string =>
      valid.replace('"schema_version": 1', `"schema_version": ${version}`);
    const cases: readonly (readonly [string, typeof Error, string])[] = [
      ["", SyntaxError, "the file is empty"],
      [valid.slice(0, 90), SyntaxError, "the file is not valid JSON"],
      ["SECRET", SyntaxError, "the file is not valid JSON"],
      ["[]", TypeError, "The save must be an object, got a list."],
      ["null", TypeError, "The save must be an object, got null."],
      [withVersion(2), RangeError, "its version is 2, but this trimtab supports 1. Update trimtab"],
      [withVersion(0), TypeError, "The field schema_version must be 1, got 0."],
      [valid.replace('"learnings"', '"lernings"'), TypeError, "The field learnings is missing."],
      ["x".repeat(MAX_SAVE_BYTES + 1), RangeError, "expected at most"],
    ];
    for (const [text, kind, message] of cases) {
      Deno.writeTextFileSync(path, text);
      const error = assertThrows(() => readSave(path), kind, message);
      assert(error.message.startsWith(`Cannot read save ${JSON.stringify(path)}: `));
      assert(!error.message.includes("SECRET"), "the content is not quoted");
      assertEquals(listSaves("snapshot", { projectDir })[0]?.problem, error.message);
    }
    Deno.removeSync(path);
    assertThrows(() => readSave(path), SaveNotFoundError, "there is no such file");
    assertThrows(() => readSave(`${projectDir}/a/b`), SaveNotFoundError);
    assertThrows(() => readSave(projectDir), TypeError, "it is not a regular file");
  }));

Deno.test("listSaves() lists the newest saves first, and unusable files with their problems", () =>
  inFolder((projectDir) => {
    const folder = saveFolder("snapshot", { projectDir });
    for (let i = 0; i < 11; i++) save(projectDir, `n${i}`);
    save(projectDir, "later", 60);
    Deno.writeTextFileSync(`${folder}/20260301_150000.json`, "{torn");
    Deno.mkdirSync(`${folder}/20260301_150001.json`);
    if (POSIX) Deno.symlinkSync("nowhere", `${folder}/20260301_150002.json`);
    Deno.writeTextFileSync(`${folder}/notes.json`, "not ours");
    const files = listSaves("snapshot", { projectDir });
    const usable = files.filter(({ problem }) => problem === null);
    const names = usable.map(({ summary }) => summary).join(" ");
    assertEquals(names, "later n10 n9 n8 n7 n6 n5 n4 n3 n2 n1 n0");
    const { id, created, sessionId, bytes } = usable.at(-1) ?? {};
    assertEquals([id, created], ["20260301_143522", "2026-03-01T14:35:22.000Z"]);
    assertEquals(sessionId, sampleState().session_id);
    assertEquals(bytes, Deno.statSync(`${folder}/20260301_143522.json`).size);
    const bad = files.slice(usable.length).reverse();
    assertStringIncludes(bad[0]?.problem ?? "", "not valid JSON");
    assertEquals(bad[0]?.bytes, 5);
    assertStringIncludes(bad[1]?.problem ?? "", "not a regular file");
    if (POSIX) assertEquals(bad[2]?.bytes, 0);
    Deno.writeTextFileSync(`${projectDir}/file`, "");
    assertEquals(listSaves("snapshot", { snapshotDir: `${projectDir}/file` }), []);
  }));

Deno.test("findSaveToRestore() finds by `latest`, id, name, id prefix and path", () =>
  inFolder((projectDir) => {
    const place = { projectDir };
    const pathOf = (wanted: string): string => findSaveToRestore(wanted, ["snapshot"], place).path;
    assertThrows(() => pathOf("latest"), SaveNotFoundError, "has no readable");
    const first = save(projectDir, "auth");
    const second = save(projectDir, "auth", 60);
    const third = save(projectDir, null, 120);
    Deno.writeTextFileSync(`${saveFolder("snapshot", place)}/20260301_150000.json`, "{torn");
    const cases: readonly (readonly [string, string])[] = [
      ["latest", third],
      ["20260301_143522", first],
      ["auth", second],
      ["20260301_1436", second],
      [first, first],
      ["20260301_143522.json", first],
    ];
    for (const [wanted, path] of cases) assertEquals(pathOf(wanted), path, wanted);
    assertThrows(() => pathOf("20260301_150000"), SyntaxError, "not valid JSON");
    if (POSIX) {
      const link = `${saveFolder("snapshot", place)}/20250101_000000.json`;
      Deno.symlinkSync(first, link);
      for (const wanted of [link, "20250101_000000", "20250101_000000.json"]) {
        assertThrows(() => pathOf(wanted), TypeError, "it is not a regular file");
      }
    }
    const several = 'Cannot find snapshot "2026": 4 ids start with it, such as 20260301_143722, ';
    assertThrows(() => pathOf("2026"), RangeError, several);
    for (const wanted of ["", "nothing", "../../etc", "x.json", "\0"]) {
      assertThrows(() => pathOf(wanted), SaveNotFoundError, "trimtab list");
    }
  }));

Deno.test("findSaveToRestore() and restoreContext() do not use a foreign snapshot as the latest", () =>
  inFolder((projectDir) => {
    const now = new Date("2026-03-01T10:00:00.000Z");
    const ownSnapshot = saveSnapshot(snapshotOf(sampleState()), { projectDir, now });
    const foreignPath = ownSnapshot.path.replace(/[^/]+$/, "20990101_000000.json");
    const foreignSnapshot = { ...ownSnapshot.snapshot, snapshot_id: "20990101_000000" };
    Deno.writeTextFileSync(foreignPath, JSON.stringify(foreignSnapshot));
    const pathOf = (wanted: string) => findSaveToRestore(wanted, ["snapshot"], { projectDir }).path;
    assertEquals([pathOf("latest"), pathOf("20990101_000000")], [ownSnapshot.path, foreignPath]);
    Deno.removeSync(ownSnapshot.path);
    assertThrows(() => pathOf("latest"), SaveNotFoundError, "written on this machine");
    assertEquals(restoreContext("latest", { projectDir }), null);
  }));
