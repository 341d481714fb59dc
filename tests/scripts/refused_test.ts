/** Runs all commands without a permission that they need, and with an invalid command line. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { idOf, type Line, newPlace, type Place, sessionOf } from "./place.ts";

const ID = idOf(1);
const DAY_MS = 24 * 60 * 60 * 1000;

function fullPlace(): Place {
  const place = newPlace();
  const usage = { input_tokens: 10, cache_read_input_tokens: 140_000, output_tokens: 20 };
  const lines = sessionOf([["Bash", "x".repeat(9_000)]], { cwd: place.cwd });
  for (const { message } of lines) Object.assign(message as Line, { usage });
  place.add(ID, lines);
  const state = `${place.cwd}/.claude/trimtab/state/${idOf(7)}.json`;
  Deno.mkdirSync(state.slice(0, state.lastIndexOf("/")), { recursive: true });
  Deno.writeTextFileSync(state, "{}\n");
  const longAgo = new Date(Date.now() - 30 * DAY_MS);
  Deno.utimeSync(state, longAgo, longAgo);
  Deno.writeTextFileSync(`${place.cwd}/rules.md`, "Use tabs.\n");
  return place;
}

const DENIED: readonly (readonly [without: string, command: string, ...args: string[]])[] = [
  ["read", "batch", "rules.md"],
  ["read", "clean"],
  ["read", "fresh_start"],
  ["read", "list"],
  ["read", "prompt", "--task-ref", "#1", "--guidelines", "rules.md"],
  ["read", "rehydrate"],
  ["read", "rescue", ID],
  ["read", "restore"],
  ["read", "search", "x", ID],
  ["read", "show", `${ID}:1`],
  ["read", "status", ID],
  ["read", "trim", ID],
  ["write", "checkpoint", ID],
  ["write", "clean", "--apply"],
  ["write", "install"],
  ["write", "snapshot", ID],
  ["write", "watch", "--once"],
];

Deno.test("every command names the permission that it lacks, and changes nothing", async (t) => {
  using place = fullPlace();
  const before = place.files();
  for (const [without, command, ...args] of DENIED) {
    await t.step(command, async () => {
      const options = { without: `--allow-${without}` };
      const { code, stdout, stderr } = await place.run(`scripts/${command}.ts`, args, options);
      assertEquals({ code, stdout }, { code: 1, stdout: "" });
      assertStringIncludes(stderr, `Requires ${without} access to `);
      assertStringIncludes(stderr, "see docs/reference/permissions.md");
      assert(!stderr.includes("--allow-"), "nobody is asked to grant more than README.md says");
      assertEquals(place.files(), before);
    });
  }
});

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
  ["live", "--on", "--stats"],
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
  ["status", "--width", "20"],
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
