/** Runs the dispatcher `scripts/trimtab.ts` as a process. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { cleanEnv, runDeno } from "../../tools/child.ts";
import { COMMANDS, HOOKS } from "../../scripts/trimtab.ts";
import { allPermissions, unionOfPermissions } from "../../tools/permissions.ts";
import { PLUGIN } from "../plugin_copy.ts";
import {
  errorOf,
  idOf,
  newPlace,
  type Place,
  sessionOf,
  test,
  textOf,
  writeProgram,
} from "./place.ts";
import "../own_config.ts";

const SCRIPT = "scripts/trimtab.ts";

/** The permissions of the compiled executable. */
const FLAGS = unionOfPermissions([...allPermissions().values()]);

function trimtab(
  place: Place,
  args: readonly string[],
  flags: readonly string[] = [],
  more: { readonly env?: Record<string, string>; readonly stdin?: string } = {},
): ReturnType<typeof runDeno> {
  const run = ["run", "--quiet", "--no-prompt", ...flags, `${PLUGIN}/${SCRIPT}`];
  const env = cleanEnv({ HOME: place.home, ...more.env });
  return runDeno([...run, ...args], { ...more, cwd: place.cwd, clearEnv: true, env });
}

test("trimtab prints help and its version without any permission", async (place) => {
  const help = textOf(await trimtab(place, ["--help"]));
  const names = help.matchAll(/^ {2}([a-z-]+) +[A-Z].*\.$/gm).map(([, name = ""]) => name);
  assertEquals(names.toArray().sort(), Object.keys(COMMANDS).sort());
  for (const event of Object.keys(HOOKS)) assertMatch(help, new RegExp(`\\b${event}\\b`));
  assertEquals(textOf(await trimtab(place, ["-h"])), help);
  const commandHelp = textOf(await trimtab(place, ["trim", "--help"]));
  assertEquals(textOf(await trimtab(place, ["help", "trim"])), commandHelp);
  assertEquals(await trimtab(place, []), { code: 2, stdout: help, stderr: "" });
  const { version } = JSON.parse(Deno.readTextFileSync(`${PLUGIN}/deno.json`));
  assertEquals(textOf(await trimtab(place, ["--version"])), `${version}\n`);
});

test("trimtab refuses an unknown command, with exit code 2", async (place) => {
  for (const name of ["../trim", "__proto__"]) {
    const error = errorOf(await trimtab(place, [name]), 2);
    assertStringIncludes(error, `Cannot run ${JSON.stringify(name)}: there is no such command.`);
  }
  const inSkill = textOf(await trimtab(place, ["no-such", "--skill"]));
  assertStringIncludes(inSkill, 'Cannot run "no-such"');
});

test("trimtab hook runs the hook of an event, and is silent for an unknown event", async (place) => {
  const stdin = JSON.stringify({
    session_id: idOf(1),
    transcript_path: place.add(idOf(1), sessionOf([["Read", "x".repeat(2_000)]])),
    cwd: place.cwd,
    command_name: "trimtab:trim",
    command_args: "--keep-recent 0",
  });
  const env = { CLAUDE_PROJECT_DIR: place.cwd };
  const hook = async (...event: string[]): Promise<string> =>
    textOf(await trimtab(place, ["hook", ...event], FLAGS, { env, stdin }));
  assertEquals(JSON.parse(await hook("user-prompt-expansion")).decision, "block");
  for (const event of [["__proto__"], ["../scripts/trim"]]) {
    assertEquals(await hook(...event), "");
  }
});

Deno.test("trimtab drops the permissions that its command does not need", async (t) => {
  using place = newPlace();
  const spy = `${place.home}/spy.ts`;
  const code = `addEventListener("unload", () => {
    const asked = [{ name: "write" }, { name: "run", command: "episodic-memory" }];
    console.error(asked.map((one) => Deno.permissions.querySync(one).state).join(" "));
  });`;
  Deno.writeTextFileSync(spy, code);
  // Deno grants only programs that are on the PATH when it starts.
  writeProgram(`${place.home}/episodic-memory`, "");
  const cases: [args: string[], states: string][] = [
    [["list"], "prompt prompt"],
    [["clean"], "granted prompt"],
    [["trim", "--help"], "granted granted"],
    [["hook", "no-such"], "prompt prompt"],
  ];
  for (const [args, states] of cases) {
    await t.step(args.join(" "), async () => {
      const flags = [`--preload=${spy}`, ...FLAGS];
      const { stderr } = await trimtab(place, args, flags, { env: { PATH: place.home } });
      assertEquals(stderr.trim(), states);
    });
  }
});
