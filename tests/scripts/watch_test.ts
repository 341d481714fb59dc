import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { takeTriggerText } from "../../src/watch/blackboard.ts";
import { cleanEnv } from "../../tools/child.ts";
import { rowOf } from "../permissions.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { idOf, jsonOf, type Line, type Place, posixPlaceTest, sessionOf, test } from "./place.ts";
import "../own_config.ts";

const SCRIPT = "scripts/watch.ts";

function fill(place: Place, n: number, tokens: number): void {
  const lines = sessionOf([["Read", "text"]], { id: idOf(n), cwd: place.cwd });
  const message = (line: Line) => ({ ...Object(line.message), usage: { input_tokens: tokens } });
  place.add(idOf(n), lines.map((line) => ({ ...line, message: message(line) })));
}

interface Watcher {
  readonly process: Deno.ChildProcess;
  readonly lines: ReadableStreamDefaultReader<string>;
}

function start(place: Place, args: readonly string[]): Watcher {
  const flags = rowOf(SCRIPT, { config: place.config, project: place.cwd });
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", ...flags, `${PLUGIN}/${SCRIPT}`, ...args],
    cwd: place.cwd,
    clearEnv: true,
    env: cleanEnv({ HOME: place.home }),
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  return { process, lines: process.stdout.pipeThrough(new TextDecoderStream()).getReader() };
}

/** Reads until the output matches, since one read can return only part of it, or more. */
async function readUntil({ lines }: Watcher, expected: RegExp): Promise<string> {
  let text = "";
  while (!expected.test(text)) {
    const { done, value } = await lines.read();
    assert(!done, `it ended after ${text}`);
    text += value;
  }
  return text;
}

async function stop({ process, lines }: Watcher, signal: Deno.Signal): Promise<number> {
  process.kill(signal);
  for (;;) {
    const { done, value } = await lines.read();
    if (done) break;
    // The watcher prints only complete lines, even while it exits.
    assert(value.endsWith("\n"), value);
  }
  return (await process.status).code;
}

test("watch --once --json checks the project's sessions, and asks a session above a threshold to save", async (place) => {
  fill(place, 1, 16_700);
  fill(place, 2, 104_375);
  place.add(idOf(3), sessionOf([], { id: idOf(3), cwd: "/elsewhere" }));
  const found = jsonOf(await place.run(SCRIPT, ["--once", "--json"]));
  assertEquals(Object.keys(found), ["sessions", "triggers", "problems"]);
  const rowsOf = (rows: unknown, ...keys: string[]): unknown[] =>
    (rows as Line[]).map((row) => keys.map((key) => row[key]));
  assertEquals(rowsOf(found.sessions, "session_id", "percent", "status", "recommended_action"), [
    [idOf(1), 10, "ok", "none"],
    [idOf(2), 63, "context_high", "trigger_checkpoint"],
  ]);
  const triggers = rowsOf(found.triggers, "session_id", "reason");
  assertEquals(triggers, [[idOf(2), "context_60_percent"]]);
  const again = await place.json(SCRIPT, ["--once"]);
  assertEquals([again.triggers, again.problems], [[], []]);
  const owner = { projectDir: place.cwd, configDir: place.config, sessionId: idOf(2) };
  const text = takeTriggerText(owner, Date.now()) ?? "";
  assertMatch(text, /^Run \/save-checkpoint now: the context is at 63%\./);
});

test("watch --once prints a table for people", async (place) => {
  const empty = await place.text(SCRIPT, ["--once"]);
  assertMatch(empty, /^\S+Z no session is running\n$/);
  fill(place, 1, 133_600);
  const stdout = await place.text(SCRIPT, ["--once"]);
  assertMatch(stdout, /\n11111111 {2}80% 134k\/167k .* context_high {2}\/rollover\n/);
  assertStringIncludes(stdout, "\nasked 11111111 for a checkpoint: context_60_percent\n");
});

posixPlaceTest("watch prints a line of JSON per check until it is stopped", async (place) => {
  fill(place, 1, 104_375);
  for (const [signal, count] of [["SIGTERM", 1], ["SIGINT", 0]] as const) {
    const watcher = start(place, ["--json"]);
    const [line = ""] = (await readUntil(watcher, /\n/)).split("\n");
    const { sessions, triggers } = JSON.parse(line);
    // The second watcher finds the first one's request on the blackboard.
    assertEquals([sessions.length, triggers.length], [1, count]);
    assertEquals(await stop(watcher, signal), 0);
  }
});

posixPlaceTest(
  "watch prints plain lines without a terminal, and ends when its output is closed",
  async (place) => {
    fill(place, 1, 16_700);
    const watcher = start(place, ["--interval", "1"]);
    const check = String.raw`\S+Z 1 session is running\nsession .*\n11111111 {2}10% .*\n`;
    await readUntil(watcher, new RegExp(`^(?:${check}){2}`));
    await watcher.lines.cancel();
    assertEquals((await watcher.process.status).code, 0);
  },
);

test("watch uses the project's thresholds, and reports invalid ones", async (place) => {
  fill(place, 1, 16_700);
  const file = place.configure("[context]\nwarn_threshold = 10\n");
  const found = await place.json(SCRIPT, ["--once"]);
  assertEquals((found.triggers as Line[]).length, 1);
  Deno.writeTextFileSync(file, "[context]\nwarn_threshold = 1000\n");
  assertStringIncludes(await place.error(SCRIPT, ["--once"]), "warn_threshold");
});
