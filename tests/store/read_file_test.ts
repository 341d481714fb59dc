import { assertEquals, assertThrows } from "@std/assert";
import {
  NotRegularFileError,
  openFileSync,
  readFileSync,
  readTextSync,
} from "../../src/store/read_file.ts";
import { inFolder } from "../folder.ts";

/** Runs a test in a folder with a 7-byte file and a link to that file. */
function withLink(test: (folder: string) => void): Promise<void> {
  return inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/file`, "wörds\n");
    Deno.symlinkSync("file", `${folder}/link`);
    test(folder);
  });
}

Deno.test("openFileSync() opens only regular files and links to them", () =>
  withLink((folder) => {
    for (const name of ["file", "link"]) {
      using file = openFileSync(`${folder}/${name}`);
      assertEquals(file.readSync(new Uint8Array(10)), 7);
    }
    for (const path of ["/dev/zero", folder]) {
      assertThrows(() => openFileSync(path), NotRegularFileError, "it is not a regular file");
    }
    assertThrows(() => openFileSync(`${folder}/none`), Deno.errors.NotFound);
  }));

Deno.test("readFileSync() refuses a file above the limit, and readTextSync() keeps a byte order mark", () =>
  withLink((folder) => {
    assertEquals(readFileSync(`${folder}/link`, 7).length, 7);
    assertThrows(() => readFileSync(`${folder}/file`, 6), RangeError, "has 7 bytes, expected at");
    assertEquals(readTextSync(`${folder}/file`, 7), "wörds\n");
    Deno.writeTextFileSync(`${folder}/file`, "\ufeffa");
    assertEquals(readTextSync(`${folder}/file`, 7), "\ufeffa", "the byte order mark is kept");
  }));

Deno.test({
  name: "readFileSync() reads nothing from a file in /proc, which has no size" +
    (Deno.build.os === "linux" ? "" : " (needs Linux)"),
  ignore: Deno.build.os !== "linux",
  fn: () => assertEquals(readFileSync("/proc/self/status", 100).length, 0),
});
