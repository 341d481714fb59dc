/** Runs the dispatcher `scripts/trimtab.ts` as a process. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { cleanEnv, runDeno } from "../../tools/child.ts";
import { COMMANDS, HOOKS } from "../../scripts/trimtab.ts";
import { allPermissions, unionOfPermissions } from "../../tools/permissions.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { idOf, newPlace, sessionOf } from "./place.ts";
import "../own_config.ts";

const SCRIPT = "scripts/trimtab.ts";

/** The permissions that README.md names for the executable. */
const FLAGS = unionOfPermissions([...allPermissions().values()]);

function trimtab(
  place: { home: string; cwd: string },
  args: readonly string[],
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): ReturnType<typeof runDeno> {
  return runDeno(["run", "--quiet", "--no-prompt", ...flags, `${PLUGIN}/${SCRIPT}`, ...args], {
    cwd: place.cwd,
    clearEnv: true,
    env: cleanEnv({ HOME: place.home, ...env }),
  });
}

Deno.test("trimtab prints help and its version without any permission", async (t) => {
  using place = newPlace();
  for (const helpWord of ["--help", "help"]) {
    await t.step(helpWord, async () => {
      const { code, stdout, stderr } = await trimtab(place, [helpWord]);
      assertEquals({ code, stderr }, { code: 0, stderr: "" });
      const names = stdout.matchAll(/^ {2}([a-z-]+) +[A-Z].*\.$/gm).map(([, name = ""]) => name);
      assertEquals(names.toArray().sort(), Object.keys(COMMANDS).sort());
      assertStringIncludes(stdout, "--json");
      for (const event of Object.keys(HOOKS)) assertMatch(stdout, new RegExp(`\\b${event}\\b`));
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

Deno.test("trimtab refuses an unknown command, with exit code 2", async (t) => {
  using place = newPlace();
  for (const name of ["no-such", "trimm", "../trim", "__proto__", "toString", ""]) {
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

Deno.test("trimtab hook runs the hook of an event, and is silent for any other", async () => {
  using place = newPlace();
  const hook = (event: string[], payload: object): ReturnType<typeof runDeno> =>
    runDeno(["run", "--quiet", "--no-prompt", ...FLAGS, `${PLUGIN}/${SCRIPT}`, "hook", ...event], {
      cwd: place.cwd,
      clearEnv: true,
      env: cleanEnv({ HOME: place.home, CLAUDE_PROJECT_DIR: place.cwd }),
      stdin: JSON.stringify(payload),
    });
  const path = place.add(idOf(1), sessionOf([["Read", "x".repeat(2_000)]]));
  const payload = {
    session_id: idOf(1),
    transcript_path: path,
    cwd: place.cwd,
    hook_event_name: "UserPromptExpansion",
    command_name: "trimtab:trim",
    command_args: "--keep-recent 0",
  };
  const { code, stdout } = await hook(["user-prompt-expansion"], payload);
  assertEquals([code, JSON.parse(stdout).decision], [0, "block"]);
  for (const event of [[], ["no-such"], ["__proto__"], ["../scripts/trim"]]) {
    assertEquals(await hook(event, payload), { code: 0, stdout: "", stderr: "" });
  }
});

Deno.test("trimtab drops the permissions that its command does not need", async (t) => {
  using place = newPlace();
  const spy = `${place.home}/spy.ts`;
  Deno.writeTextFileSync(
    spy,
    `addEventListener("unload", () => {
      const asked = [{ name: "write" }, { name: "run", command: "episodic-memory" }];
      const states = asked.map((one) => Deno.permissions.querySync(one).state);
      console.error(states.join(" "));
    });`,
  );
  // Deno grants programs that are on the PATH when it starts.
  Deno.writeTextFileSync(`${place.home}/episodic-memory`, "#!/bin/sh\n");
  Deno.chmodSync(`${place.home}/episodic-memory`, 0o700);
  const cases: [args: string[], states: string][] = [
    [["list"], "prompt prompt"],
    [["clean"], "granted prompt"],
    [["trim", "--help"], "granted granted"],
    [["hook", "no-such"], "prompt prompt"],
  ];
  for (const [args, states] of cases) {
    await t.step(args.join(" "), async () => {
      const flags = [`--preload=${spy}`, ...FLAGS];
      const { stderr } = await trimtab(place, args, flags, { PATH: place.home });
      assertEquals(stderr.trim(), states);
    });
  }
});
