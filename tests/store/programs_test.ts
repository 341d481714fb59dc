import { assertEquals } from "@std/assert";
import { findProgram, programFolders } from "../../src/store/programs.ts";
import { POSIX, posixTest } from "../posix.ts";
import { newFolder } from "../folder.ts";

Deno.test("programFolders() leaves out relative folders and empty ones", () => {
  if (!POSIX) return assertEquals(programFolders("C:\\bin;bin;;."), ["C:\\bin"]);
  assertEquals(programFolders("/bin:bin::.:/usr/bin"), ["/bin", "/usr/bin"]);
  assertEquals(programFolders(undefined), []);
});

posixTest("findProgram() returns the first executable file and skips folders", () => {
  using root = newFolder();
  const path = ["a", "b", "c", "d"].map((name) => `${root.path}/${name}`);
  for (const folder of path) Deno.mkdirSync(folder);
  Deno.mkdirSync(`${root.path}/a/tool`);
  Deno.writeTextFileSync(`${root.path}/b/tool`, "", { mode: 0o644 });
  Deno.writeTextFileSync(`${root.path}/c/tool`, "", { mode: 0o755 });
  Deno.writeTextFileSync(`${root.path}/d/tool`, "", { mode: 0o755 });
  assertEquals(findProgram("tool", path.join(":")), `${root.path}/c/tool`);
  assertEquals(findProgram("other", path.join(":")), null);
});
