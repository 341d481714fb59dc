// Session contents are data: they cannot pass as trimtab's own text, control a terminal, or run.
// Credentials in them stay in the transcript.

import { assertEquals, assertGreater, assertStringIncludes } from "@std/assert";
import { quoteForShell } from "../../src/core/shell.ts";
import { runChild } from "../../tools/child.ts";
import { idOf, newPlace, sessionOf } from "../scripts/place.ts";
import { play } from "./play.ts";
import { makeSecrets } from "./secrets.ts";
import "../own_config.ts";

Deno.test("no text of a session leaves its fence, its section or its line", async () => {
  const { cases, problems } = await play("hostileTexts");
  assertEquals(problems, []);
  assertGreater(cases, 200);
});

Deno.test("credentials in any field reach no file and no output", async () => {
  const { cases, problems } = await play("plantedSecrets");
  assertEquals(problems, []);
  assertGreater(cases, 200);
  assertGreater(new Set(makeSecrets(1).map(({ kind }) => kind)).size, 20);
});

Deno.test("printed commands run as intended with any characters in a path", async () => {
  using place = newPlace();
  const folder = `${place.cwd}/a 'b' "c" $(touch pwned) \`touch pwned\`; touch pwned & #`;
  const path = place.add(idOf(3), sessionOf([["Bash", "a needle"]], { cwd: place.cwd }), folder);
  const { stdout } = await place.run("scripts/search.ts", ["needle", path]);
  const printed = stdout.trim().split("\n").at(-1)?.replace(
    / prints the first match in full\.$/,
    "",
  );
  assertStringIncludes(printed ?? "", "trimtab show ");
  const start = `claude "$(cat ${quoteForShell(`${folder}/prompt.md`)})"`;
  const commands = [printed, start].join("\n");
  const script = `trimtab() { printf '%s\\n' "$2"; }; claude() { :; }; cat() { :; }\n${commands}`;
  const run = await runChild("sh", ["-c", script], { cwd: place.cwd });
  assertEquals({ ...run, stderr: "" }, { code: 0, stdout: `${path}:3\n`, stderr: "" });
  assertEquals([...Deno.readDirSync(place.cwd)].map(({ name }) => name).includes("pwned"), false);
});
