/** The launcher under the shells that `sh` may be. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { cleanEnv, runChild } from "../../tools/child.ts";
import { allPermissions } from "../../tools/permissions.ts";
import { exists } from "../../src/store/exists.ts";
import { LAUNCHER, newPlace, type Place } from "./place.ts";

/** Each as a program and what makes it a POSIX shell. Those that are not here are skipped aloud. */
const SHELLS: readonly (readonly string[])[] = [
  ["dash"],
  ["bash", "--posix"],
  ["busybox", "sh"],
  ["ksh"],
  ["mksh"],
  ["yash", "-o", "posixly-correct"],
  ["zsh", "--emulate", "sh"],
];
const ODD = [`a "b" 'c', d $HOME \`x\` *`, "", "two\nlines", "--", "~"];
const CALLS = [
  ...[...allPermissions().keys()].map((path) => {
    const [folder, file = ""] = path.replace(".ts", "").split("/");
    const name = file.replaceAll("_", "-");
    return folder === "hooks" ? ["hook", name] : [name, ...ODD];
  }),
  ["--help"],
  ["no-such", "x"],
  ["hook", "no-such"],
  ["clean", "--project", "/x/y z"],
  ["report", "-o", "/x/a b.html"],
];

/** Where the launcher looks whatever the PATH is. */
const hasDeno = ["/usr/local/bin/deno", "/opt/homebrew/bin/deno"].some((path) => exists(path));

function isHere(program: string): boolean {
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  return folders.some((folder) => {
    try {
      return Deno.statSync(`${folder}/${program}`).isFile;
    } catch {
      return false;
    }
  });
}

/** A stand-in for Deno that prints its arguments and what the launcher sets for it. */
function fakeDeno(place: Place): string {
  const path = `${place.home}/fake-deno`;
  Deno.writeTextFileSync(
    path,
    `#!/bin/sh\nfor word in "$@"; do printf '<%s>\\n' "$word"; done\n` +
      `printf '%s\\n' "$DENO_UNSTABLE_LAZY_DYNAMIC_IMPORTS" "\${NODE_OPTIONS-none}"\n`,
  );
  Deno.chmodSync(path, 0o700);
  return path;
}

async function callAll(shell: readonly string[], place: Place): Promise<string[]> {
  const env = cleanEnv({
    HOME: place.home,
    CLAUDE_CONFIG_DIR: `${place.home}/my config`,
    TRIMTAB_DENO: fakeDeno(place),
  });
  const [program = "", ...flags] = shell;
  const results: string[] = [];
  for (const call of CALLS) {
    const options = { cwd: place.cwd, clearEnv: true, env };
    const { code, stdout, stderr } = await runChild(
      program,
      [...flags, LAUNCHER, ...call],
      options,
    );
    results.push(`${call.join(" ")}\n${code}\n${stdout}${stderr}`);
  }
  return results;
}

for (const shell of SHELLS) {
  const name = shell.join(" ");
  const ignore = !isHere(shell[0] ?? "");
  if (ignore) console.warn(`${shell[0]} is not here: the launcher is not tested under it`);

  Deno.test({
    name: `the launcher starts the same under ${name} as under sh`,
    ignore,
    fn: async () => {
      using place = newPlace();
      const expected = await callAll(["sh"], place);
      assertEquals(await callAll(shell, place), expected);
      assert(expected.every((one) => !/not found|syntax|unexpected/i.test(one)));
    },
  });

  Deno.test({
    name: `the launcher under ${name} says where to get Deno, and harms no hook`,
    ignore: ignore || hasDeno,
    fn: async () => {
      using place = newPlace();
      // No folder in which Deno could be.
      const env = cleanEnv({ HOME: place.home, PATH: "/usr/bin:/bin", TRIMTAB_DENO: "" });
      const [program = "", ...flags] = shell;
      const options = { cwd: place.cwd, clearEnv: true, env };
      const status = await runChild(program, [...flags, LAUNCHER, "status"], options);
      assertEquals([status.code, status.stdout], [1, ""]);
      assertStringIncludes(status.stderr, "Deno");
      const hook = await runChild(program, [...flags, LAUNCHER, "hook", "stop"], options);
      assertEquals(hook, { code: 0, stdout: "", stderr: "" });
    },
  });
}
