import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { configDirOf, copyOwnedFiles } from "../../src/trim/owned.ts";
import { replaced } from "../scripts/in_process.ts";
import { namesIn } from "../folder.ts";

function configFolder(): Disposable & { path: string } {
  const path = Deno.makeTempDirSync({ prefix: "trimtab-owned-" });
  for (const folder of ["tasks/old", "file-history/old/deep"]) {
    Deno.mkdirSync(`${path}/${folder}`, { recursive: true });
  }
  Deno.writeTextFileSync(`${path}/tasks/old/1.json`, '{"id":"1"}');
  Deno.writeTextFileSync(`${path}/file-history/old/abc@v1`, "code");
  Deno.writeTextFileSync(`${path}/file-history/old/deep/d@v2`, "more code");
  const modified = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
  for (const file of ["tasks/old/1.json", "file-history/old/abc@v1"]) {
    Deno.utimeSync(`${path}/${file}`, modified, modified);
  }
  return { path, [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }) };
}

Deno.test("copyOwnedFiles() links the edit history, which keeps its times", () => {
  using config = configFolder();
  const owned = copyOwnedFiles(config.path, "old", "new");
  assertEquals(owned, { tasks: 1, file_history: 2, notes: [] });
  for (const name of ["abc@v1", "deep/d@v2"]) {
    const [from, to] = ["old", "new"].map((id) =>
      Deno.statSync(`${config.path}/file-history/${id}/${name}`)
    );
    assertEquals([to?.ino, to?.mtime], [from?.ino, from?.mtime]);
  }
});

Deno.test("copyOwnedFiles() copies tasks, and the edit history if files cannot be linked", () => {
  using config = configFolder();
  using _ = replaced(Deno, "linkSync", () => {
    throw new Error("Operation not permitted (os error 1)");
  });
  const owned = copyOwnedFiles(config.path, "old", "new");
  assertEquals(owned, { tasks: 1, file_history: 2, notes: [] });
  for (const file of ["tasks/ID/1.json", "file-history/ID/abc@v1"]) {
    const from = `${config.path}/${file.replace("ID", "old")}`;
    const to = `${config.path}/${file.replace("ID", "new")}`;
    assertEquals(Deno.readTextFileSync(to), Deno.readTextFileSync(from));
    assertEquals(Deno.statSync(to).mtime, Deno.statSync(from).mtime);
    assert(Deno.statSync(to).ino !== Deno.statSync(from).ino);
  }
});

Deno.test("copyOwnedFiles() reports problems and continues", () => {
  using config = configFolder();
  // A file has the name of the target folder.
  Deno.writeTextFileSync(`${config.path}/tasks/new`, "");
  Deno.mkdirSync(`${config.path}/file-history/new`);
  Deno.writeTextFileSync(`${config.path}/file-history/new/abc@v1`, "another's");
  const owned = copyOwnedFiles(config.path, "old", "new");
  assertEquals(owned.notes.length, 2);
  assertStringIncludes(owned.notes[0] ?? "", "Not all of the task list could be copied: ");
  assertStringIncludes(owned.notes[1] ?? "", "/rewind cannot restore all code in the copy: ");
  assertEquals(Deno.readTextFileSync(`${config.path}/file-history/new/abc@v1`), "another's");
});

Deno.test("copyOwnedFiles() copies nothing for a session without tasks and edit history", () => {
  using config = configFolder();
  const owned = copyOwnedFiles(config.path, "another", "new");
  assertEquals(owned, { tasks: 0, file_history: 0, notes: [] });
  assertEquals(namesIn(`${config.path}/tasks`), ["old"]);
});

Deno.test("configDirOf() returns the client's folder only for a transcript below its `projects` folder", () => {
  assertEquals(configDirOf("/home/a/.claude/projects/-home-a/id.jsonl"), "/home/a/.claude");
  assertEquals(configDirOf("/home/a/elsewhere/-home-a/id.jsonl"), undefined);
});
