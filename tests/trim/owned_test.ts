import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { configDirOf, copyOwnedFiles } from "../../src/trim/owned.ts";
import { replaced } from "../scripts/in_process.ts";
import { namesIn } from "../folder.ts";

const LINK = Deno.linkSync;

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

for (const supportsLinks of [true, false]) {
  const how = supportsLinks ? "links" : "copies (if links are not supported)";
  Deno.test(`copyOwnedFiles() copies tasks, ${how} the edit history, and keeps the files' times`, () => {
    using config = configFolder();
    using _ = replaced(Deno, "linkSync", (...paths: Parameters<typeof LINK>) => {
      if (!supportsLinks) throw new Error("Operation not permitted (os error 1)");
      LINK(...paths);
    });
    const owned = copyOwnedFiles(config.path, "old", "new");
    assertEquals(owned, { tasks: 1, file_history: 2, notes: [] });
    for (const file of ["tasks/ID/1.json", "file-history/ID/abc@v1"]) {
      const [from, to] = ["old", "new"].map((id) => `${config.path}/${file.replace("ID", id)}`);
      assert(from !== undefined && to !== undefined);
      const [before, after] = [Deno.statSync(from), Deno.statSync(to)];
      assertEquals(Deno.readTextFileSync(to), Deno.readTextFileSync(from));
      assertEquals(after.mtime, before.mtime);
      assertEquals(after.ino === before.ino, supportsLinks && file.startsWith("file-history"));
    }
  });
}

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
