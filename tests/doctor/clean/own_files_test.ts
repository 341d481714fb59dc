import { assertEquals } from "@std/assert";
import { findKept, findOwnFiles, findTemporaries } from "../../../src/doctor/clean/own_files.ts";
import { OWN_FILES } from "../../../tools/reference_files.ts";
import { TEMPORARY_PREFIX } from "../../../src/store/atomic.ts";
import { newFolder, writeFile } from "../../folder.ts";
import { posixTest } from "../../posix.ts";

const ID = "11111111-2222-4333-8444-555555555555";

/** Returns examples of documented file names, with values for placeholders such as `YYYY-MM-DD-HHMMSS`. */
function examplesOf(shown: string): string[] {
  return shown.split(", ").map((name) =>
    name.replace("YYYY-MM-DD-HHMMSS", "2026-11-22-083932")
      .replace("YYYY-MM-DDTHHMMSS.SSSZ", "2026-11-22T083935.007Z")
      .replace("YYYYMMDD_HHMMSS", "20261122_083934")
      .replace(/<[a-z ]+>/, ID)
      .replace("*", "1.txt")
  );
}

Deno.test("findOwnFiles() finds every documented file and lists others separately, even if the project's path ends in a slash", () => {
  using dir = newFolder();
  const locks = ["blackboard.jsonl.lock", "live.jsonl.lock.held", "state/.session.lock"]
    .map((name) => ({ shown: `trimtab/${name}`, kind: "housekeeping" as const }));
  const paths = [...OWN_FILES, ...locks].flatMap(({ shown, kind }) =>
    examplesOf(shown).map((name) => ({ path: `${dir.path}/.claude/${name}`, kind }))
  ).sort((a, b) => a.path < b.path ? -1 : 1);
  for (const { path } of paths) writeFile(path);
  const foreign = ["trimtab/notes.txt", "trimtab/spill/.hidden"]
    .map((name) => `${dir.path}/.claude/${name}`).sort();
  for (const path of foreign) Deno.writeTextFileSync(path, "mine");
  for (const project of [dir.path, `${dir.path}/`]) {
    const { files, others } = findOwnFiles(project);
    const found = files.map(({ path, kind }) => ({ path: path.replace("//", "/"), kind }));
    assertEquals(found, paths);
    assertEquals(others.map((path) => path.replace("//", "/")), foreign);
  }
});

posixTest(
  "findOwnFiles() follows a link at `.claude` that leads to a folder of the project",
  () => {
    using dir = newFolder();
    Deno.mkdirSync(`${dir.path}/settings/checkpoints`, { recursive: true });
    Deno.symlinkSync("settings", `${dir.path}/.claude`);
    const path = `${dir.path}/.claude/checkpoints/2026-11-22-083932.md`;
    Deno.writeTextFileSync(path, "x");
    assertEquals(findOwnFiles(dir.path).files.map((file) => file.path), [path]);
  },
);

Deno.test("findKept() and findTemporaries() find files by name, but not folders", () => {
  using temporary = newFolder();
  const folder = temporary.path;
  const names = { kept: `${ID}.jsonl`, temporary: `${TEMPORARY_PREFIX}${ID}` };
  for (const name of [...Object.values(names), "notes.jsonl"]) {
    Deno.writeTextFileSync(`${folder}/${name}`, "x");
  }
  for (const name of Object.values(names)) {
    Deno.mkdirSync(`${folder}/${name.replace(ID, ID.replaceAll("1", "2"))}`);
  }
  const found = [...findKept(folder), ...findTemporaries([folder, `${folder}/none`])];
  assertEquals(found.map(({ path, kind }) => [path, kind]), [
    [`${folder}/${names.kept}`, "transcript"],
    [`${folder}/${names.temporary}`, "temporary"],
  ]);
});
