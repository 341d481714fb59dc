/** `trimtab live` as a process, with the permissions that the launcher gives it. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { existsSync } from "@std/fs";
import { logShaped } from "../../src/live/live_log.ts";
import { jsonOf, newPlace } from "./place.ts";
import { writeTrusted } from "../trusted.ts";

const SCRIPT = "scripts/live.ts";

Deno.test("live tells how it is switched on, and nothing where nothing was shaped", async () => {
  using place = newPlace();
  const { code, stdout, stderr } = await place.run(SCRIPT, []);
  assertEquals({ code, stderr }, { code: 0, stderr: "" });
  assertMatch(
    stdout,
    /^Long outputs reach the model unshaped\. To change that, set \[live\] enabled = true in /,
  );
  assertStringIncludes(stdout, "No output has been shaped so far.");
  assertEquals(place.files(), []);
});

Deno.test("live --stats sums up the log, and puts a new configuration into use", async () => {
  using place = newPlace();
  const record = { time: "2026-03-01T10:00:00.000Z", session_id: "a", tool: "Bash", kind: "tests" };
  logShaped(place.cwd, { ...record, before: 30_000, after: 3_000 });
  logShaped(place.cwd, { ...record, tool: "Grep", kind: "search", before: 50_000, after: 5_000 });
  writeTrusted(`${place.cwd}/.claude/trimtab.toml`, "live = { enabled = true }\n", {
    projectDir: place.cwd,
    configDir: place.config,
  });
  const json = jsonOf(await place.run(SCRIPT, ["--stats", "--json"]));
  assertEquals(json.totals, {
    outputs: 2,
    before_chars: 80_000,
    after_chars: 8_000,
    saved_chars: 72_000,
    saved_percent: 90,
  });
  assertEquals([json.enabled, Object.keys(json.by_tool as object)], [true, ["Grep", "Bash"]]);
  assertEquals(existsSync(`${place.cwd}/.claude/trimtab/config-cache.json`), true);
  const { stdout } = await place.run(SCRIPT, ["--stats"]);
  assertMatch(
    stdout,
    /^2 outputs shaped, 80,000 -> 8,000 characters \(-90%\) in 1 session since 2026-03-01\.\n/,
  );
  assertMatch(stdout, /\nBy tool:\n {2}Grep {4}1 output shaped, 50,000 -> 5,000 characters /);
  const state = await place.run(SCRIPT, []);
  assertMatch(state.stdout, /^Outputs of Bash, Grep, .* over 20,000 characters are shaped before /);
});
