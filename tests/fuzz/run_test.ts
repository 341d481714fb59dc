/** Runs a few thousand cases in a separate process, which hides the caller's environment. */

import { assert, assertEquals } from "@std/assert";
import { cleanEnv, runDeno } from "../../tools/child.ts";
import { CORPUS, names } from "../corpus/corpus.ts";
import { bytesOf, byteText } from "./bytes.ts";
import { valueSpans } from "./json_spans.ts";
import { mutateJson, mutateLines, mutateText } from "./mutate.ts";
import { Random } from "./random.ts";
import { FailedCheck, isDocumented, isUnpolluted } from "./target.ts";
import { pickTarget, TARGETS } from "./targets.ts";

const RUN = new URL("./run.ts", import.meta.url).pathname;
const SEED = 20260722;
const COUNT = 2_000;

Deno.test(`trimtab survives ${COUNT} damaged inputs (seed ${SEED})`, async () => {
  const cases = ["--seed", String(SEED), "--count", String(COUNT)];
  const { code, stdout, stderr } = await runDeno(
    ["run", "--no-check", "--no-prompt", "--allow-all", RUN, ...cases],
    { clearEnv: true, env: cleanEnv(names.length === 0 ? {} : { TRIMTAB_CORPUS: CORPUS }) },
  );
  assertEquals({ stderr, code }, { stderr: "", code: 0 });
  const { failed, count, by_target: byTarget } = JSON.parse(stdout);
  assertEquals({ failed, count }, { failed: 0, count: COUNT });
  assertEquals(Object.keys(byTarget).sort(), TARGETS.map(({ name }) => name).sort());
});

Deno.test("Random repeats its choices for one seed and case, and for no other", () => {
  const choices = (seed: number, number: number): number[] => {
    const random = new Random(seed, number);
    return Array.from({ length: 8 }, () => random.below(1_000_000));
  };
  assertEquals(choices(1, 5), choices(1, 5));
  const rows = [choices(1, 5), choices(1, 6), choices(2, 5), choices(1, 5 + 2 ** 32)];
  assertEquals(new Set(rows.map(String)).size, rows.length);
});

Deno.test("valueSpans() finds every value of JSON, and the complete values of broken JSON", () => {
  const text = '{"a":[1,"x\\"y"],"b":{"c":null}}';
  const found = valueSpans(text).map(({ start, end }) => text.slice(start, end));
  assertEquals(found, [text, '[1,"x\\"y"]', "1", '"x\\"y"', '{"c":null}', "null"]);
  assertEquals(valueSpans('{"a":1,"b":[tr').map(({ start, end }) => [start, end]), [
    [5, 6],
    [12, 14],
  ]);
});

Deno.test("mutateJson(), mutateLines() and mutateText() change their text in many ways", () => {
  const line = '{"type":"user","uuid":"u","message":{"content":[{"text":"x"}]}}';
  const seen = new Set<string>();
  let parsed = 0;
  for (let number = 0; number < 300; number++) {
    const random = new Random(7, number);
    const text = mutateJson(line, random);
    seen.add(text);
    if (isJson(text)) parsed++;
    assert(bytesOf(mutateLines([line, line], random)).length >= 0);
    assert(mutateText(`${line}\n---\n`, random) !== undefined);
  }
  assert(seen.size > 250, `${seen.size} different texts`);
  // A reader gets further with valid JSON.
  assert(parsed > 120 && parsed < 300, `${parsed} are JSON`);
});

Deno.test("isDocumented() distinguishes trimtab's errors from the engine's", () => {
  assert(isDocumented(new SyntaxError('Cannot read tasks "x": not valid JSON')));
  assert(isDocumented(new Deno.errors.NotFound("No such file")));
  assert(!isDocumented(new TypeError("Cannot read properties of undefined (reading 'x')")));
  assert(!isDocumented(new RangeError("Maximum call stack size exceeded")));
  assert(!isDocumented(new TypeError("x.map is not a function")));
  assert(!isDocumented(new FailedCheck("Cannot read x: really")));
  assert(!isDocumented("a text"));
});

Deno.test("isUnpolluted() notices a property that was added to all objects", () => {
  assert(isUnpolluted());
  Object.defineProperty(Object.prototype, "polluted", { value: 1, configurable: true });
  try {
    assert(!isUnpolluted());
  } finally {
    Reflect.deleteProperty(Object.prototype, "polluted");
  }
});

Deno.test("pickTarget() picks every target, the heavy ones more often", () => {
  const counts = new Map<string, number>();
  for (let number = 0; number < 4_000; number++) {
    const { name } = pickTarget(new Random(3, number));
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  assertEquals(counts.size, TARGETS.length);
  assert((counts.get("trim") ?? 0) > (counts.get("rollover") ?? 0) * 5);
});

Deno.test("byteText() and bytesOf() keep a text's bytes", () => {
  assertEquals(new TextDecoder().decode(bytesOf(byteText("é😀"))), "é😀");
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
