import { assertEquals } from "@std/assert";
import { shownPath } from "../../src/inject/shown_path.ts";

Deno.test("shownPath() removes the project's folder, but not a folder whose name only starts with the project's name", () => {
  const shown = (text: string): string => shownPath(text, "/home/a/app/");
  assertEquals(shown("/home/a/app/src/a.ts and /home/a/app"), "src/a.ts and /home/a/app");
  assertEquals(shown("the `cwd` is `/home/a/app`"), "the `cwd` is `/home/a/app`");
  const others = ["/home/a/app2/a.ts", "/home/a/app.old/a.ts", "~/home/a/app/a.ts"];
  for (const text of others) assertEquals(shown(text), text);
  assertEquals(shownPath("/a.ts", "/"), "/a.ts");
  const pattern = "sed 's|/home/a/app|/home/a/app_test|g' b.txt";
  assertEquals(shown(pattern), pattern);
});

Deno.test("shownPath() keeps absolute paths in a command that changes to another folder", () => {
  const shown = (text: string): string => shownPath(text, "/home/a/app");
  for (const folder of ["/tmp/x", '"$WORK"', "~/y", "../other", "/home/a/app2"]) {
    const command = `cd ${folder} && cp /home/a/app/a.ts .`;
    assertEquals(shown(command), command);
  }
  assertEquals(shown("cd /home/a/app/web && ls /home/a/app/src"), "cd web && ls src");
  assertEquals(shown("cd /home/a/app && ls /home/a/app/src"), "cd . && ls src");
});
