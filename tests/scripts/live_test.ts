import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { logShaped } from "../../src/live/live_log.ts";
import { idOf, type Line, sessionOf, test, textOf } from "./place.ts";

const SCRIPT = "scripts/live.ts";

test("live explains how to switch it on, and has no figures when nothing was shaped", async (place) => {
  const stdout = await place.text(SCRIPT);
  assertMatch(stdout, /^Long outputs reach the model unshaped\. `trimtab live --on` shapes them /);
  assertStringIncludes(stdout, "trimtab has not shaped any outputs yet.");
  assertEquals(place.files(), []);
});

test("live summarizes the log, and applies a new configuration", async (place) => {
  const record = { time: "2026-03-01T10:00:00.000Z", session_id: "a", tool: "Bash" };
  logShaped(place.cwd, { ...record, before: 30_000, after: 3_000 });
  logShaped(place.cwd, { ...record, tool: "Grep", before: 50_000, after: 5_000 });
  place.configure("live.enabled = true\n");
  const json = await place.json(SCRIPT);
  assertEquals(json.totals, {
    ...{ outputs: 2, before_chars: 80_000, after_chars: 8_000 },
    ...{ saved_chars: 72_000, saved_percent: 90 },
  });
  assertEquals([json.enabled, Object.keys(json.by_tool as object)], [true, ["Grep", "Bash"]]);
  const { stdout } = await place.call(SCRIPT, []);
  assertMatch(
    stdout,
    /^Outputs of Bash, Grep, .* over 20,000 characters are shaped before .*\n2 outputs shaped, 80,000 -> 8,000 characters \(-90%\) in 1 session since 2026-03-01\.\n/,
  );
  assertMatch(stdout, /\nBy tool:\n {2}Grep {2}1 output shaped, 50,000 -> 5,000 characters /);
});

test("live lists the tools that it never shapes", async (place) => {
  place.configure(
    '[live]\nenabled = true\ntools = ["Task", "Bash", "Web*", "*Search", "mcp__x"]\n',
  );
  assertMatch(
    await place.text(SCRIPT),
    /^Outputs of Bash, Web\*, \*Search, mcp__x over .*\nNo effect in \[live\] tools: Task\.\n/,
  );
  place.configure('[live]\nenabled = true\ntools = ["Task", "WebSearch"]\n');
  const pattern = /^No outputs are shaped: .*\nNo effect in \[live\] tools: Task, WebSearch\.\n/;
  assertMatch(await place.text(SCRIPT), pattern);
});

test("live --on and --off switch shaping in all projects, and explain how to undo it", async (place) => {
  const file = `${place.config}/trimtab.toml`;
  const on = textOf(await place.run(SCRIPT, ["--on"]));
  assertEquals(on.split("\n").slice(0, 2), [
    `Live shaping is on for all projects: live.enabled = true in ${file}.`,
    "It takes effect at the next tool call. To undo it: trimtab live --off",
  ]);
  assertEquals(Deno.readTextFileSync(file), "[live]\nenabled = true\n");
  assertEquals((await place.json(SCRIPT)).enabled, true);
  const again = await place.call(SCRIPT, ["--on"]);
  assertStringIncludes(again.stdout, "Live shaping was already on");
  const off = await place.json(SCRIPT, ["--off"]);
  assertEquals([off.enabled, off.file, off.changed], [false, file, true]);
});

test("live --on --project switches shaping on in one project, and trusts its file", async (place) => {
  const file = `${place.cwd}/.claude/trimtab.toml`;
  const { stdout } = await place.call(SCRIPT, ["--on", "--project"]);
  assertStringIncludes(stdout, `on for this project: live.enabled = true in ${file}.\n`);
  assertStringIncludes(stdout, "To undo it: trimtab live --off --project\n");
  assertEquals((await place.json(SCRIPT)).enabled, true);
  const off = await place.call(SCRIPT, ["--off"]);
  assertStringIncludes(off.stdout, `In this project it is still on: ${file} sets it. `);
  assertStringIncludes(off.stdout, "To change it: trimtab live --off --project");
});

test("live, status and doctor report that a project's file is not trusted yet", async (place) => {
  place.add(idOf(1), sessionOf([["Read", "text"]], { cwd: place.cwd }));
  const file = `${place.cwd}/.claude/trimtab.toml`;
  Deno.mkdirSync(`${place.cwd}/.claude`);
  Deno.writeTextFileSync(file, "[live]\nenabled = true\n");
  const waits = `waits for \`trimtab trust\`: live.enabled = true  # ${file}`;
  for (let time = 0; time < 2; time++) {
    assertStringIncludes((await place.call(SCRIPT, [])).stdout, waits);
    assertStringIncludes((await place.call("scripts/status.ts", [])).stdout, waits);
    const { code, stdout } = await place.call("scripts/doctor.ts", ["--json"]);
    const findings: Line[] = JSON.parse(stdout).findings;
    const found = findings.find(({ id }) => id === "config_without_effect");
    const fix = `Read ${file}. Run \`trimtab trust\` to accept it; replace old keys.`;
    assertEquals([code, found?.subject, found?.fix], [0, file, fix]);
    // By the second run, a command has stored the configuration for hooks.
    await place.call("scripts/status.ts", ["--config"]);
  }
});
