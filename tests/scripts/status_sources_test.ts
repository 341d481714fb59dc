// Checks the sources of `trimtab status`: the configuration, and an estimate if the usage is
// unknown.

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ensureDirSync } from "@std/fs";
import { idOf, jsonOf, type Line, newPlace, type Place, sessionOf } from "./place.ts";
import { writeTrusted } from "../trusted.ts";

const SCRIPT = "scripts/status.ts";

function configure(place: Place, text: string): string {
  ensureDirSync(`${place.cwd}/.claude`);
  writeTrusted(`${place.cwd}/.claude/trimtab.toml`, text, {
    projectDir: place.cwd,
    configDir: place.config,
  });
  return `${place.cwd}/.claude/trimtab.toml`;
}

function withoutUsage(lines: readonly Line[]): Line[] {
  return lines.map((line) =>
    line.type === "assistant"
      ? { ...line, message: { ...Object(line.message), usage: undefined } }
      : line
  );
}

Deno.test("status --config shows each value and its source, as text and as JSON", async () => {
  using place = newPlace();
  Deno.writeTextFileSync(`${place.config}/trimtab.toml`, "[context]\nretention_days = 3\n");
  const work = `${place.cwd}/.work.toml`;
  const text = "[context]\nretention_days = 4\nurgent_threshold = 90\n";
  writeTrusted(work, text, { projectDir: place.cwd, configDir: place.config });
  const projectConfig = configure(
    place,
    "[context]\nurgent_threshold = 95\n[live]\nenabled = true\n",
  );
  const { code, stdout, stderr } = await place.run(SCRIPT, ["--config"]);
  assertEquals({ code, stderr }, { code: 0, stderr: "" });
  const values = new Map(
    stdout.split("\n").filter((line) => line.includes(" = ")).map((line) => {
      const [key = "", value = "", from = ""] = line.split(/ = | +# /);
      return [key, [value, from]];
    }),
  );
  assertEquals(values.get("warn_threshold"), ["60", "default"]);
  assertEquals(values.get("retention_days"), ["4", work]);
  assertEquals(values.get("urgent_threshold"), ["95", projectConfig]);
  assertEquals(values.get("enabled"), ["true", projectConfig]);
  assertEquals(values.get("window_tokens"), ["(detected)", "default"]);
  const { context, live, sources } = jsonOf(await place.run(SCRIPT, ["--config", "--json"]));
  assertEquals([Object(context).urgent_threshold, Object(live).enabled], [95, true]);
  assertEquals(Object(sources).context.retention_days.from, work);
});

Deno.test("status names file, key, value and expectation of each problem", async () => {
  using place = newPlace();
  place.add(idOf(1), sessionOf([["Read", "short"]]));
  const path = configure(place, '[context]\nwarn_treshold = 50\nrecommend_threshold = "75"\n');
  for (const args of [[], ["--config"]]) {
    const { code, stdout, stderr } = await place.run(SCRIPT, args);
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(
      stderr,
      `${path}: context.recommend_threshold = "75": expected a whole number from 0 to 100`,
    );
    assertMatch(stderr, /context\.warn_treshold = 50: .*did you mean warn_threshold\?/);
  }
});

Deno.test("status labels an estimate, and agrees with a trim", async () => {
  using place = newPlace();
  place.add(
    idOf(1),
    withoutUsage(sessionOf([["Read", "one"], ["Bash", "two"], ["Edit", "three"]])),
  );
  const json = jsonOf(await place.run(SCRIPT, ["--json"]));
  assertEquals(json.source, "estimate");
  const trim = jsonOf(await place.run("scripts/trim.ts", ["--dry-run", "--json"]));
  assertEquals({ before: json.tokens, after: json.tokens }, trim.tokens);
  const { stdout } = await place.run(SCRIPT, []);
  assertStringIncludes(
    stdout,
    "Usage: estimated from the messages, without the client's prompt and tools",
  );
});
