import { assertEquals } from "@std/assert";
import { findProgram, programFolders } from "../../src/store/programs.ts";
import { POSIX, posixTest } from "../posix.ts";
import { inFolder } from "./file_system.ts";

Deno.test("programFolders() leaves out relative folders and empty ones", () => {
  if (!POSIX) return assertEquals(programFolders("C:\\bin;bin;;."), ["C:\\bin"]);
  assertEquals(programFolders("/bin:bin::.:/usr/bin"), ["/bin", "/usr/bin"]);
  assertEquals(programFolders(undefined), []);
});

posixTest(
  "findProgram() returns the first executable file and skips folders",
  () =>
    inFolder((root) => {
      const path = ["a", "b", "c", "d"].map((name) => `${root}/${name}`);
      for (const folder of path) Deno.mkdirSync(folder);
      Deno.mkdirSync(`${root}/a/tool`);
      Deno.writeTextFileSync(`${root}/b/tool`, "", { mode: 0o644 });
      Deno.writeTextFileSync(`${root}/c/tool`, "", { mode: 0o755 });
      Deno.writeTextFileSync(`${root}/d/tool`, "", { mode: 0o755 });
      assertEquals(findProgram("tool", path.join(":")), `${root}/c/tool`);
      assertEquals(findProgram("other", path.join(":")), null);
    }),
);
