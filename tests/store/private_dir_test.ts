import { assertEquals, assertThrows } from "@std/assert";
import { ensurePrivateDirSync } from "../../src/store/private_dir.ts";
import { POSIX } from "../posix.ts";
import { inFolder, modeOf, namesIn } from "../folder.ts";

Deno.test("ensurePrivateDirSync() makes a folder with ignore files for git and search tools, and does not rewrite them", () =>
  inFolder((folder) => {
    const own = `${folder}/.claude/trimtab`;
    ensurePrivateDirSync(own);
    for (const name of [".gitignore", ".ignore"]) {
      assertEquals(Deno.readTextFileSync(`${own}/${name}`), "*\n");
    }
    const before = Deno.statSync(`${own}/.gitignore`).ino;
    ensurePrivateDirSync(own);
    assertEquals(Deno.statSync(`${own}/.gitignore`).ino, before);
    assertEquals(namesIn(own), [".gitignore", ".ignore"]);
  }));

Deno.test("ensurePrivateDirSync() adds ignore files to an existing folder, and keeps its mode", () =>
  inFolder((folder) => {
    Deno.mkdirSync(`${folder}/own`, { mode: 0o755 });
    ensurePrivateDirSync(`${folder}/own`);
    assertEquals(namesIn(`${folder}/own`), [".gitignore", ".ignore"]);
    if (POSIX) assertEquals(modeOf(`${folder}/own`), 0o755);
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
