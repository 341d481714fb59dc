/** Runs the cases in a separate process, because a run changes the environment and the working folder. */

import { assertEquals } from "@std/assert";
import { cleanEnv, runDeno } from "../../tools/child.ts";
import { IS_FULL } from "../full.ts";
import { CORPUS, sessionFiles } from "../corpus/corpus.ts";
import { FailedCheck, isDocumented } from "./target.ts";
import { TARGETS } from "./targets.ts";

const RUN = new URL("./run.ts", import.meta.url).pathname;
const SEED = 20260722;
const COUNT = IS_FULL ? 50_000 : 500;

Deno.test(`trimtab survives ${COUNT} damaged inputs (seed ${SEED})`, async () => {
  const cases = ["--seed", String(SEED), "--count", String(COUNT)];
  const { code, stdout, stderr } = await runDeno(
    ["run", "--no-check", "--no-prompt", "--allow-all", RUN, ...cases],
    { clearEnv: true, env: cleanEnv(sessionFiles.length === 0 ? {} : { TRIMTAB_CORPUS: CORPUS }) },
  );
  assertEquals({ stderr, code }, { stderr: "", code: 0 });
  const { failed, count, by_target: byTarget } = JSON.parse(stdout);
  assertEquals({ failed, count }, { failed: 0, count: COUNT });
  assertEquals(Object.keys(byTarget).sort(), TARGETS.map(({ name }) => name).sort());
});

Deno.test("isDocumented() accepts errors of trimtab and of the system, but not those of the engine or of a check", () => {
  const own = [
    new SyntaxError('Cannot read tasks "x": not valid JSON'),
    new Deno.errors.NotFound("No such file"),
  ];
  const others = [
    new TypeError("Cannot read properties of undefined (reading 'x')"),
    new RangeError("Maximum call stack size exceeded"),
    new TypeError("x.map is not a function"),
    new FailedCheck("Cannot read x: really"),
    "a text",
  ];
  assertEquals([...own, ...others].filter(isDocumented), own);
});
