/** Runs the scripts of `trimtab completion` in their shells. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { cleanEnv, runChild } from "../../tools/child.ts";
import { COMMANDS } from "../../scripts/trimtab.ts";
import { isInstalled, newPlace } from "./place.ts";

for (const program of ["bash", "zsh", "fish"]) {
  if (!isInstalled(program)) {
    console.warn(`Skipped the completion of ${program}: it is not installed`);
  }
}

async function scriptFor(shell: string): Promise<string> {
  using place = newPlace();
  const { code, stdout } = await place.launch(["completion", shell]);
  assertEquals(code, 0);
  return stdout;
}

/** Returns Bash's completions for a line whose last word is being typed. */
async function offered(words: readonly string[]): Promise<string[]> {
  const list = words.map((word) => `'${word}'`).join(" ");
  const code = `${await scriptFor("bash")}
COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _trimtab; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = await runChild("bash", ["-c", code], {
    clearEnv: true,
    env: cleanEnv({}),
  });
  assertEquals(stderr, "");
  return stdout.split("\n").filter((word) => word !== "");
}

Deno.test({
  name: "bash completes commands, the options of each, and the values of some",
  ignore: !isInstalled("bash"),
  fn: async () => {
    assertEquals(
      await offered(["trimtab", "tr"]),
      Object.keys(COMMANDS).filter((name) => name.startsWith("tr")),
    );
    assertEquals(await offered(["trimtab", "trim", "--dep"]), ["--depth"]);
    assertEquals(await offered(["trimtab", "trim", "--depth", ""]), ["light", "deep"]);
    assert((await offered(["trimtab", "show", "--"])).includes("--json"));
    assertEquals(await offered(["trimtab", "no-such", "--"]), []);
  },
});

for (const [shell, check] of [["zsh", "-n"], ["fish", "--no-execute"]] as const) {
  Deno.test({
    name: `${shell} accepts the script, which names every command`,
    ignore: !isInstalled(shell),
    fn: async () => {
      using place = newPlace();
      const path = `${place.home}/completion`;
      const script = await scriptFor(shell);
      Deno.writeTextFileSync(path, script);
      const { code, stderr } = await runChild(shell, [check, path]);
      assertEquals([code, stderr], [0, ""]);
      for (const name of Object.keys(COMMANDS)) assertStringIncludes(script, name);
    },
  });
}

Deno.test("completion names the shells that it knows", async () => {
  using place = newPlace();
  const { code, stderr } = await place.launch(["completion", "tcsh"]);
  assertEquals(code, 2);
  assertStringIncludes(stderr, "shells are bash, zsh, fish");
});
