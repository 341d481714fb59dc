/** `scripts/trimtab.ts`, which runs the others, as a process. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { cleanEnv, runDeno } from "../../tools/child.ts";
import { readmePermissions } from "../../tools/permissions.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { idOf, jsonOf, newPlace, sessionOf } from "./place.ts";

const SCRIPT = "scripts/trimtab.ts";

/** The dispatcher has no row in the launcher: it is what `deno compile` builds, with README's row. */
const ROW = readmePermissions(Deno.readTextFileSync(`${PLUGIN}/README.md`)).get(SCRIPT) ?? [];

function trimtab(
  place: { home: string; cwd: string },
  args: readonly string[],
  flags: readonly string[] = [],
): ReturnType<typeof runDeno> {
  return runDeno(["run", "--quiet", "--no-prompt", ...flags, `${PLUGIN}/${SCRIPT}`, ...args], {
    cwd: place.cwd,
    clearEnv: true,
    env: cleanEnv({ HOME: place.home }),
  });
}

Deno.test("trimtab prints help and its version without any permission", async (t) => {
  using place = newPlace();
  for (const word of ["--help", "help"]) {
    await t.step(word, async () => {
      const { code, stdout, stderr } = await trimtab(place, [word]);
      assertEquals({ code, stderr }, { code: 0, stderr: "" });
      for (const name of ["status", "trim", "show"]) {
        assertMatch(stdout, new RegExp(`^  ${name} +\\w`, "m"));
      }
      assertStringIncludes(stdout, "--json");
    });
  }
  await t.step("--version", async () => {
    const { version } = JSON.parse(Deno.readTextFileSync(`${PLUGIN}/deno.json`));
    const { code, stdout } = await trimtab(place, ["--version"]);
    assertEquals([code, stdout], [0, `${version}\n`]);
  });
  await t.step("nothing", async () => {
    const { code, stdout } = await trimtab(place, []);
    assertEquals(code, 2);
    assertStringIncludes(stdout, "Usage: trimtab COMMAND");
  });
});

Deno.test("trimtab refuses a name that is no command, with exit code 2", async (t) => {
  using place = newPlace();
  for (const name of ["no-such", "trimm", "../trim", "__proto__", "toString", "", "hook"]) {
    await t.step(name, async () => {
      const { code, stdout, stderr } = await trimtab(place, [name]);
      assertEquals({ code, stdout }, { code: 2, stdout: "" });
      assertStringIncludes(stderr, `Cannot run ${JSON.stringify(name)}: there is no such command.`);
    });
  }
  await t.step("in a skill", async () => {
    const { code, stdout, stderr } = await trimtab(place, ["no-such", "--skill"]);
    assertEquals({ code, stderr }, { code: 0, stderr: "" });
    assertStringIncludes(stdout, 'Cannot run "no-such"');
  });
});

Deno.test("trimtab runs a command and hands on its arguments and its exit code", async () => {
  using place = newPlace();
  place.add(idOf(1), sessionOf([["Read", "x".repeat(2_000)]]));
  const args = ["trim", idOf(1), "--keep-recent", "0", "--json"];
  const json = jsonOf(await trimtab(place, args, ROW));
  assertEquals(json.trimmed_count, 1);
  assertEquals((await trimtab(place, ["trim", idOf(9)], ROW)).code, 1);
  assertEquals((await trimtab(place, ["trim", "--nope"], ROW)).code, 2);
});

Deno.test("trimtab names the permission that a command lacks", async () => {
  using place = newPlace();
  const path = place.add(idOf(1), sessionOf([["Read", "x".repeat(2_000)]]));
  const { code, stdout, stderr } = await trimtab(place, ["trim", path]);
  assertEquals({ code, stdout }, { code: 1, stdout: "" });
  assertMatch(stderr, /^Requires \w+ access.*the table of permissions in README\.md names$/m);
});
