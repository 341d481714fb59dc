/** Runs the launcher under the shells that may be the system's `sh`. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { cleanEnv, runChild } from "../../tools/child.ts";
import { allPermissions } from "../../tools/permissions.ts";
import { exists } from "../../src/store/exists.ts";
import { partOf } from "../full.ts";
import { fakeDeno, isInstalled, LAUNCHER, newPlace, PRINT_ARGUMENTS } from "./place.ts";

/** A normal run compares only the first with `sh`. On most systems, they are different programs. */
const SHELLS: readonly (readonly string[])[] = [
  ["bash", "--posix"],
  ["dash"],
  ["ksh"],
  ["busybox", "sh"],
  ["mksh"],
  ["yash", "-o", "posixly-correct"],
  ["zsh", "--emulate", "sh"],
];
const ODD = [`a "b" 'c', d $HOME \`x\` *`, "", "two\nlines", "--", "~"];
const PROGRAMS = partOf([...allPermissions().keys()], 8, "programs that other shells start");
const CALLS = [
  ...PROGRAMS.map((path) => {
    const [folder, file = ""] = path.replace(".ts", "").split("/");
    const name = file.replaceAll("_", "-");
    return folder === "hooks" ? ["hook", name] : [name, ...ODD];
  }),
  ["--help"],
  ["no-such", "x"],
  ["hook", "no-such"],
  ["report", "-o", "/x/a b.html"],
];

/** The launcher looks for Deno at these paths, too, not only on the PATH. */
const hasDeno = ["/usr/local/bin/deno", "/opt/homebrew/bin/deno"].some((path) => exists(path));

const PRINT_ALL = `${PRINT_ARGUMENTS}
printf '%s\\n' "$DENO_UNSTABLE_LAZY_DYNAMIC_IMPORTS" "\${NODE_OPTIONS-none}"`;

async function callAll(shell: readonly string[]): Promise<string[]> {
  using place = newPlace();
  const env = cleanEnv({
    HOME: place.home,
    CLAUDE_CONFIG_DIR: `${place.home}/my config`,
    ...fakeDeno(place, PRINT_ALL),
  });
  const [program = "", ...flags] = shell;
  const results: string[] = [];
  for (const call of CALLS) {
    const options = { cwd: place.cwd, clearEnv: true, env };
    const args = [...flags, LAUNCHER, ...call];
    const { code, stdout, stderr } = await runChild(program, args, options);
    results.push(`${call.join(" ")}\n${code}\n${stdout}${stderr}`.replaceAll(place.home, "~"));
  }
  return results;
}

let expected: Promise<string[]> | undefined;

for (const shell of partOf(SHELLS, 1, "shells that start the launcher")) {
  const name = shell.join(" ");
  const ignore = !isInstalled(shell[0] ?? "");
  if (ignore) console.warn(`Skipped the launcher under ${shell[0]}: it is not installed`);

  Deno.test({
    name: `the launcher starts the same programs under ${name} as under sh`,
    ignore,
    fn: async () => {
      expected ??= callAll(["sh"]);
      assertEquals(await callAll(shell), await expected);
      assert((await expected).every((one) => !/not found|syntax|unexpected/i.test(one)));
    },
  });

  Deno.test({
    name:
      `the launcher under ${name} explains where to get a missing Deno, and ends hooks silently`,
    ignore: ignore || hasDeno,
    fn: async () => {
      using place = newPlace();
      // This PATH must not contain Deno.
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
