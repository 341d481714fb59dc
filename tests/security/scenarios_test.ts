// Runs each scenario in its own process. Hostile contents of sessions, arguments, payloads and files, and
// missing permissions must not lead outside a folder, print control characters or leak a credential.

import { assertEquals, assertGreater, assertStringIncludes } from "@std/assert";
import { quoteForShell } from "../../src/core/shell.ts";
import { runChild } from "../../tools/child.ts";
import { idOf, newPlace, sessionOf } from "../scripts/place.ts";
import { runScenario } from "./play.ts";
import "../own_config.ts";

/** Each scenario must run more than the given number of cases. */
const SCENARIOS: readonly (readonly [name: string, scenario: string, cases: number])[] = [
  ["every command refuses hostile ids, names and paths", "hostileArguments", 400],
  ["every hook ignores hostile ids, names and paths", "hostilePayloads", 300],
  ["no link, pipe or device in place of trimtab's files leads outside", "replacedFiles", 500],
  ["hostile ids and paths inside of trimtab's files lead nowhere", "hostileContents", 300],
  ["no text of a session leaves its fence, its section or its line", "hostileTexts", 200],
  ["credentials in any field reach no file and no output", "plantedSecrets", 200],
  ...["Read", "Write", "Env", "Run"].map((name) =>
    [
      `commands and hooks without ${name.toLowerCase()} permission report it and do no harm`,
      `denied${name}`,
      30,
    ] as const
  ),
];

for (const [name, scenario, minCases] of SCENARIOS) {
  Deno.test(name, async () => {
    const { cases, problems } = await runScenario(scenario);
    assertEquals(problems, []);
    assertGreater(cases, minCases);
  });
}

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
