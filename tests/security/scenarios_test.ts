// Whatever the arguments, payloads, contents of files and permissions are, commands and hooks must change
// nothing outside their folders, and print no control characters.

import { assertEquals, assertStringIncludes } from "@std/assert";
import { quoteForShell } from "../../src/core/shell.ts";
import { runChild } from "../../tools/child.ts";
import { idOf, newPlace, sessionOf } from "../scripts/place.ts";
import { testScenario } from "./processes.ts";
import "../own_config.ts";
import { namesIn } from "../folder.ts";

testScenario("every command refuses hostile ids, names and paths", "tryHostileArguments", 200);
testScenario("every hook ignores hostile ids, names and paths", "tryHostilePayloads", 250);
testScenario(
  "hostile ids and paths in trimtab's files have no effect on files outside",
  "hostileContents",
  300,
);

testScenario(
  "a link, pipe or device in place of a trimtab file never leads out of the project",
  "replacedFiles",
  500,
);
testScenario("session text never leaves its fence, its section or its line", "hostileTexts", 200);
testScenario(
  "credentials in any field reach no saved file, and only the output of commands that print their input",
  "plantedSecrets",
  80,
);

for (const name of ["Read", "Write", "Env", "Run"]) {
  const permission = name.toLowerCase();
  testScenario(
    `without ${permission} permission, no command or hook crashes, and commands that need the permission say so`,
    `denied${name}`,
    30,
  );
}

Deno.test("printed commands run as intended with any characters in a path", async () => {
  using place = newPlace();
  const folder = `${place.cwd}/a 'b' "c" $(touch pwned) \`touch pwned\`; touch pwned & #`;
  const path = place.add(idOf(3), sessionOf([["Bash", "a needle"]], { cwd: place.cwd }), folder);
  const { stdout } = await place.run("scripts/search.ts", ["needle", path]);
  const printed = /^(.*) prints the first match in full\.$/m.exec(stdout)?.[1];
  assertStringIncludes(printed ?? "", "trimtab show ");
  const start = `claude "$(cat ${quoteForShell(`${folder}/prompt.md`)})"`;
  const fakes = `trimtab() { printf '%s\\n' "$2"; }; claude() { :; }; cat() { :; }`;
  const script = [fakes, printed, start].join("\n");
  const run = await runChild("sh", ["-c", script], { cwd: place.cwd });
  assertEquals({ ...run, stderr: "" }, { code: 0, stdout: `${path}:3\n`, stderr: "" });
  assertEquals(namesIn(place.cwd).includes("pwned"), false);
});
