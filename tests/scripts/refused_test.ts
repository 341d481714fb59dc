/** Runs all commands with invalid command lines; tests/security runs them without permissions. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { newPlace } from "./place.ts";

const INVALID: readonly (readonly [command: string, ...args: string[]])[] = [
  ["batch"],
  ["batch", "a", "b"],
  ["batch", "-", "--available", "few"],
  ["batch", "-", "--available"],
  ["batch", "-x"],
  ["clean", "everything"],
  ["doctor", "everything"],
  ["install", "--user", "--project"],
  ["install", "--uninstall", "--status-line"],
  ["install", "x"],
  ["live", "--on", "--off"],
  ["live", "--project"],
  ["rescue"],
  ["show"],
  ["show", "b82405ba"],
  ["show", "b82405ba:"],
  ["show", ":3"],
  ["show", "b82405ba:0"],
  ["show", "b82405ba:x"],
  ["show", "a:1", "b:2"],
  ["status", "--chart", "--config"],
  ["status", "--nonsense"],
  ["status", "a", "b"],
  ["statusline", "--colour"],
  ["watch", "--interval", "0"],
  ["watch", "x"],
];

Deno.test("every command refuses an invalid command line, with exit code 2", async (t) => {
  using place = newPlace();
  for (const [command, ...args] of INVALID) {
    await t.step([command, ...args].join(" "), async () => {
      const options = { stdin: "[]" };
      const { code, stdout, stderr } = await place.run(`scripts/${command}.ts`, args, options);
      assertEquals({ code, stdout }, { code: 2, stdout: "" });
      assertStringIncludes(stderr, "Cannot ");
      assertStringIncludes(stderr, `See trimtab ${command} --help`);
      assertEquals(place.files(), []);
    });
  }
});
