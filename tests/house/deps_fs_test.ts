import { assertEquals, assertThrows } from "@std/assert";
import { ensureDirSync, existsSync, walkSync } from "@std/fs";
import { posixTest } from "../posix.ts";
import { inFolder } from "../folder.ts";

function pathsBelow(folder: string, options?: Parameters<typeof walkSync>[1]): string[] {
  return [...walkSync(folder, options)]
    .map(({ path }) => path.slice(folder.length + 1).replaceAll("\\", "/")).sort();
}

Deno.test("ensureDirSync() throws when a file has the folder's name", () =>
  inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/x`, "");
    assertThrows(() => ensureDirSync(`${folder}/x`), Error, "the path exists but is not a folder");
    assertEquals(Deno.readTextFileSync(`${folder}/x`), "");
  }));

posixTest("existsSync() is false for a broken link", () =>
  inFolder((folder) => {
    Deno.symlinkSync(`${folder}/nothing`, `${folder}/link`);
    assertEquals(existsSync(`${folder}/link`), false);
  }));

Deno.test({
  name: "existsSync() and ensureDirSync() throw on a missing Deno permission",
  permissions: { read: false, write: false },
  fn: () => {
    assertThrows(() => existsSync("deno.json"), Deno.errors.NotCapable);
    assertThrows(() => ensureDirSync("coverage"), Deno.errors.NotCapable);
  },
});

Deno.test("walkSync() respects kind, extension, match and skip", () =>
  inFolder((folder) => {
    Deno.mkdirSync(`${folder}/a/deep`, { recursive: true });
    const files = ["a/deep/two.ts", "a/one.md", "three.md"];
    for (const name of files) Deno.writeTextFileSync(`${folder}/${name}`, name);
    assertEquals(pathsBelow(folder), ["", "a", "a/deep", "a/deep/two.ts", "a/one.md", "three.md"]);
    assertEquals(pathsBelow(folder, { includeDirs: false, exts: ["md", ".ts"] }), files);
    assertEquals(pathsBelow(folder, { match: [/t[wh]/g] }), ["a/deep/two.ts", "three.md"]);
    assertEquals(pathsBelow(folder, { skip: [/[/\\]a$/] }), ["", "three.md"]);
    const left = pathsBelow(folder, { skip: [/one/g, /three/] });
    assertEquals(left, ["", "a", "a/deep", "a/deep/two.ts"]);
  }));

posixTest(
  "walkSync() yields or leaves out links, but never follows them",
  () =>
    inFolder((folder) => {
      Deno.mkdirSync(`${folder}/a`);
      Deno.writeTextFileSync(`${folder}/a/file`, "");
      Deno.symlinkSync(folder, `${folder}/link`);
      assertEquals(pathsBelow(folder), ["", "a", "a/file", "link"]);
      assertEquals(pathsBelow(folder, { includeSymlinks: false }), ["", "a", "a/file"]);
    }),
);
