import { assert, assertEquals } from "@std/assert";
import {
  LOCK_NAME,
  OWN_FILES,
  SPILL_FILE,
  TEMPORARY_NAME,
} from "../../../src/doctor/clean/file_table.ts";
import { findKept, findOwnFiles, findTemporaries } from "../../../src/doctor/clean/own_files.ts";
import { TEMPORARY_PREFIX } from "../../../src/store/atomic.ts";
import { newFolder } from "../../folder.ts";

const ID = "11111111-2222-4333-8444-555555555555";

/** Replaces the placeholders in a documented file name, such as `YYYY-MM-DD-HHMMSS`, by real values. */
function examplesOf(shown: string): string[] {
  return shown.split(", ").map((name) =>
    name.replace("YYYY-MM-DD-HHMMSS", "2026-11-22-083932")
      .replace("YYYY-MM-DDTHHMMSS.SSSZ", "2026-11-22T083935.007Z")
      .replace("YYYYMMDD_HHMMSS", "20261122_083934")
      .replace(/<[a-z ]+>/, ID)
      .replace("*", name.includes("lock") ? "events.jsonl" : "1.txt")
  );
}

Deno.test("OWN_FILES patterns match their examples, each once per folder", () => {
  const taken: string[] = [];
  for (const { folder, name, shown } of OWN_FILES) {
    for (const example of examplesOf(shown)) {
      assert(name.test(example), `${example} in ${folder}`);
      const matching = OWN_FILES.filter((row) => row.folder === folder && row.name.test(example));
      if (matching.length > 1) taken.push(example);
    }
  }
  assertEquals(taken, []);
  const logs = ["blackboard.jsonl", "events.jsonl", "live.jsonl"];
  const isKnown = (file: string): boolean => OWN_FILES.some(({ name }) => name.test(file));
  assertEquals(logs.filter((log) => !isKnown(log) || !isKnown(`${log}.lock`)), []);
  assert(SPILL_FILE.name.test("1.txt") && !SPILL_FILE.name.test(".hidden"));
  assert(TEMPORARY_NAME.test(`${TEMPORARY_PREFIX}${ID}`) && LOCK_NAME.test(".session.lock"));
});

Deno.test("findOwnFiles() finds every file of the table, for any end of the project's path", () => {
  using dir = newFolder();
  const paths = OWN_FILES.flatMap(({ folder, shown, kind }) =>
    examplesOf(shown).map((name) => ({ path: `${dir.path}/.claude/${folder}/${name}`, kind }))
  ).sort((a, b) => a.path < b.path ? -1 : 1);
  for (const { path } of paths) {
    Deno.mkdirSync(path.replace(/\/[^/]*$/, ""), { recursive: true });
    Deno.writeTextFileSync(path, "x");
  }
  Deno.writeTextFileSync(`${dir.path}/.claude/trimtab/notes.txt`, "mine");
  for (const project of [dir.path, `${dir.path}/`]) {
    const { files, others } = findOwnFiles(project);
    const found = files.map(({ path, kind }) => ({ path: path.replace("//", "/"), kind }));
    assertEquals(found, paths);
    assertEquals(others.map((path) => path.replace("//", "/")), [
      `${dir.path}/.claude/trimtab/notes.txt`,
    ]);
  }
});

Deno.test("findKept() and findTemporaries() find only files, by their names", () => {
  using temporary = newFolder();
  const folder = temporary.path;
  const names = { kept: `${ID}.jsonl`, temporary: `${TEMPORARY_PREFIX}${ID}` };
  for (const name of [...Object.values(names), "notes.jsonl"]) {
    Deno.writeTextFileSync(`${folder}/${name}`, "x");
  }
  for (const name of Object.values(names)) {
    Deno.mkdirSync(`${folder}/${name.replace(ID, ID.replaceAll("1", "2"))}`);
  }
  const file = (name: string, kind: string): unknown => ({ path: `${folder}/${name}`, kind });
  const found = [...findKept(folder), ...findTemporaries([folder, `${folder}/none`])];
  assertEquals(found.map(({ path, kind }) => ({ path, kind })), [
    file(names.kept, "transcript"),
    file(names.temporary, "temporary"),
  ]);
});
