import { assertEquals, assertThrows } from "@std/assert";
import { ensurePrivateDirSync } from "../../src/store/private_dir.ts";
import { POSIX, posixTest } from "../posix.ts";
import { inFolder, newFolder } from "../folder.ts";
import { namesIn } from "./file_system.ts";

Deno.test("ensurePrivateDirSync() makes the folder, its parents and the ignore files for git and searches", () =>
  inFolder((folder) => {
    ensurePrivateDirSync(`${folder}/.claude/trimtab`);
    for (const name of [".gitignore", ".ignore"]) {
      assertEquals(Deno.readTextFileSync(`${folder}/.claude/trimtab/${name}`), "*\n");
    }
    assertEquals(namesIn(`${folder}/.claude`), ["trimtab"]);
  }));

posixTest("ensurePrivateDirSync() makes the folder 0700 and the ignore file 0600", () => {
  using folder = newFolder();
  ensurePrivateDirSync(`${folder.path}/own`);
  assertEquals((Deno.statSync(`${folder.path}/own`).mode ?? 0) & 0o777, 0o700);
  assertEquals((Deno.statSync(`${folder.path}/own/.gitignore`).mode ?? 0) & 0o777, 0o600);
});

Deno.test("ensurePrivateDirSync() changes nothing the second time", () =>
  inFolder((folder) => {
    ensurePrivateDirSync(`${folder}/own`);
    const before = Deno.statSync(`${folder}/own/.gitignore`).ino;
    ensurePrivateDirSync(`${folder}/own`);
    assertEquals(Deno.statSync(`${folder}/own/.gitignore`).ino, before);
    assertEquals(namesIn(`${folder}/own`), [".gitignore", ".ignore"]);
  }));

Deno.test("ensurePrivateDirSync() adds ignore files to an existing folder", () =>
  inFolder((folder) => {
    Deno.mkdirSync(`${folder}/own`, { mode: 0o755 });
    Deno.writeTextFileSync(`${folder}/own/state.json`, "{}");
    ensurePrivateDirSync(`${folder}/own`);
    assertEquals(namesIn(`${folder}/own`), [".gitignore", ".ignore", "state.json"]);
    if (POSIX) assertEquals((Deno.statSync(`${folder}/own`).mode ?? 0) & 0o777, 0o755);
  }));

Deno.test("ensurePrivateDirSync() keeps an ignore file that ignores everything, and corrects any other", () =>
  inFolder((folder) => {
    Deno.mkdirSync(`${folder}/own`);
    const path = `${folder}/own/.gitignore`;
    const cases = [["# mine\n*\n", "# mine\n*\n"], ["!keep.md\n", "*\n"], ["*\n!keep.md\n", "*\n"]];
    for (const [text = "", expected] of cases) {
      Deno.writeTextFileSync(path, text);
      ensurePrivateDirSync(`${folder}/own`);
      assertEquals(Deno.readTextFileSync(path), expected);
    }
  }));

Deno.test("ensurePrivateDirSync() refuses a folder whose ignore file is a link or a folder", () =>
  inFolder((folder) => {
    const path = `${folder}/own/.gitignore`;
    Deno.mkdirSync(path, { recursive: true });
    assertThrows(() => ensurePrivateDirSync(`${folder}/own`), TypeError, "not a regular file");
    Deno.removeSync(path);
    Deno.writeTextFileSync(`${folder}/outside`, "*\n");
    Deno.symlinkSync(`${folder}/outside`, path);
    assertThrows(() => ensurePrivateDirSync(`${folder}/own`), TypeError, "not a regular file");
  }));

Deno.test("ensurePrivateDirSync() throws when a file has the folder's name, and leaves the file unchanged", () =>
  inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/own`, "a file");
    assertThrows(() => ensurePrivateDirSync(`${folder}/own`), Deno.errors.NotADirectory);
    assertEquals(Deno.readTextFileSync(`${folder}/own`), "a file");
  }));
