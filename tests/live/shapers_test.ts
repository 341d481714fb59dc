// Runs each shaper on the kind of output that it shapes.

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { clipLine } from "../../src/live/marks.ts";
import { shapeLog } from "../../src/live/logs.ts";
import { shapeSearchResults } from "../../src/live/search_results.ts";
import { shapeFile, shapeText } from "../../src/live/shape_call.ts";

function lines(count: number, text: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => text(n)).join("\n");
}

/** Returns text that differs for each `n` in its letters, not only in a number. */
function wordsOf(n: number): string {
  return "abcdefghij".split("").map((char, at) => char.repeat((n >> at & 1) + 1)).join("");
}

Deno.test("shapeLog() keeps the start, the end and errors with the lines around them", () => {
  const all = lines(1_000, wordsOf).split("\n");
  all[500] = "fatal: no space left";
  const shaped = shapeLog(all.join("\n"), 1_500).split("\n");
  assertEquals([shaped[0], shaped.at(-1)], [all[0], all.at(-1)]);
  const at = shaped.indexOf("fatal: no space left");
  assertEquals(shaped.slice(at - 2, at + 5), all.slice(498, 505));
  assertMatch(shaped[at - 3] ?? "", /^\[trimtab: lines \d+-498 left out\]$/);
  assert(shaped.join("\n").length <= 1_500);
});

Deno.test("shapeLog() exceeds its limit for errors, but not for repeats of one error", () => {
  const errors = lines(60, (n) => `error: ${wordsOf(n)}`).split("\n");
  const kept = shapeLog([...errors, lines(500, wordsOf)].join("\n"), 300);
  assertEquals(errors.filter((error) => !kept.includes(error)), []);
  const numbered = lines(400, (n) => `error: try ${n} failed`);
  const folded = shapeLog(`${numbered}\n${lines(500, wordsOf)}`, 300);
  assertStringIncludes(folded, "error: try 9 failed\n[trimtab: lines 11-390 left out");
  const same = shapeLog(lines(400, (n) => n % 2 ? "error: no" : wordsOf(n)), 300);
  assert(same.split("error: no").length < 20);
});

Deno.test("shapeLog() shows both ends of an output whose lines all look like passed tests", () => {
  const items = lines(700, (n) => `✓ item ${n}: ${wordsOf(n)}`).split("\n");
  const shaped = shapeLog(items.join("\n"), 800).split("\n");
  assertEquals([shaped[0], shaped.at(-1)], [items[0], items.at(-1)]);
});

Deno.test("shapeLog() keeps the file headers of a diff, and does not treat its lines as errors", () => {
  const added = lines(20, (m) => `+ error ${wordsOf(m)}`);
  const hunk = (n: number): string => `diff --git a/${n}.go b/${n}.go\n@@ -${n} +${n} @@\n${added}`;
  const shaped = shapeLog(lines(20, hunk), 2_000);
  for (let n = 0; n < 20; n++) assertStringIncludes(shaped, `diff --git a/${n}.go b/${n}.go`);
  assert(shaped.length <= 2_000);
});

Deno.test("shapeLog() keeps failures and the summary of each test runner", async (t) => {
  const runners: Record<string, [passing: (n: number) => string, rest: string[]]> = {
    "deno test": [(n) => `adds ${n} ... ok (1ms)`, [
      "divides ... FAILED (2ms)",
      " ERRORS ",
      "error: AssertionError: Values are not equal.",
      "FAILED | 300 passed | 1 failed (3s)",
    ]],
    pytest: [(n) => `tests/test_a.py::test_${n} PASSED [ 1%]`, [
      "tests/test_a.py::test_divide FAILED [100%]",
      "=================== FAILURES ===================",
      ">       assert 1 == 2",
      "E       assert 1 == 2",
      "FAILED tests/test_a.py::test_divide - assert 1 == 2",
      "============ 1 failed, 300 passed in 2.1s ============",
    ]],
    make: [(n) => `gcc -c -o ${n}.o ${n}.c`, [
      "b.c:3:1: error: unknown type name 'int3'",
      "make: *** [Makefile:3: b.o] Error 1",
    ]],
  };
  for (const [name, [passing, rest]] of Object.entries(runners)) {
    await t.step(name, () => {
      const shaped = shapeLog(`${lines(300, passing)}\n${rest.join("\n")}`, 1_000);
      assertStringIncludes(shaped, rest.join("\n"));
      assertMatch(shaped, /left out(?:, (?:2\d\d|300) passing)?\]/);
      assert(shaped.length < 1_000, String(shaped.length));
    });
  }
});

Deno.test("shapeSearchResults() keeps the first matches of each file and counts the others", () => {
  const text = `${lines(80, (n) => `src/a.ts:${n}:needle`)}\nsrc/b.ts:1:needle\n` +
    "grep: c.ts: Permission denied";
  assertEquals(shapeSearchResults(text, 300).split("\n").slice(-4), [
    "src/a.ts:5:needle",
    "[trimtab: 74 more matches in src/a.ts, lines 7-80]",
    "src/b.ts:1:needle",
    "grep: c.ts: Permission denied",
  ]);
});

Deno.test("shapeSearchResults() shortens twelve matches or more, and keeps a single match that is no longer than its mark", () => {
  const matches = lines(12, (n) => `src/a.ts:${n}:needle`);
  const mark = "[trimtab: 11 more matches in src/a.ts, lines 2-12]";
  assertEquals(shapeSearchResults(matches, 60), `src/a.ts:0:needle\n${mark}`);
  const few = matches.slice(0, matches.lastIndexOf("\n"));
  assertEquals(shapeSearchResults(few, 60), few);
  const line = `src/a.ts:40:${"x".repeat(32)}`;
  const before = lines(40, (n) => `src/a.ts:${n}:needle`);
  assertEquals(shapeSearchResults(`${before}\n${line}`, 1_000), `${before}\n${line}`);
  const one = "[trimtab: 1 more match in src/a.ts, line 41]";
  assertEquals(shapeSearchResults(`${before}\n${line}x`, 1_000), `${before}\n${one}`);
  assertEquals(shapeSearchResults(matches, matches.length), matches);
});

Deno.test("shapeSearchResults() handles context lines, and results without a file name", () => {
  const around = lines(30, (n) => `a-1/b.ts-${n}-before\na-1/b.ts:${n + 1}:needle\n--`);
  assertMatch(shapeSearchResults(around, 300), /b\.ts:1:needle\n[^]*more lines in a-1\/b\.ts\]$/);
  const pair = (n: number): string =>
    `/w/2025-10-07-x/b.ts-${n * 2}-before\n2025-10-07-x/b.ts:${n * 2 + 1}:x`;
  const absolute = lines(30, pair);
  assertMatch(shapeSearchResults(absolute, 300), /more lines in 2025-10-07-x\/b\.ts\]$/);
  assertMatch(shapeSearchResults(lines(90, (n) => `${n}:x`), 100), /more matches, lines \d+-90\]$/);
});

Deno.test("shapeSearchResults() leaves a compiler's output unchanged", () => {
  const text = lines(90, (n) => `src/a.ts:${n}:5: error: no ${n}`);
  assertEquals(shapeSearchResults(text, 300), text);
  assertEquals(shapeText(text, 600), shapeLog(text, 240));
});

Deno.test("shapeText() and shapeFile() shape text that is one character over the limit, if much of it can be left out", () => {
  const text = lines(90, (n) => `src/a/${n}.ts`);
  assertEquals(shapeText(text, text.length), null);
  assert(shapeText(text, text.length - 1) !== null);
  assertEquals(shapeFile(text, text.length), null);
  assert(shapeFile(text, text.length - 1) !== null);
  assertEquals(shapeText(lines(60, (n) => `error: ${wordsOf(n)}`), 600), null);
});

Deno.test("shapeLog() folds repeated lines and groups of lines, and shows the last repeat", () => {
  const text = `start\n${lines(900, (n) => `try ${n}\nwait ${n} ms`)}\ndone`;
  const folded = "start\ntry 0\nwait 0 ms\n[trimtab: lines 4-1800 left out]\nwait 899 ms\ndone";
  assertEquals(shapeLog(text, 200), folded);
});

Deno.test("shapeLog() keeps more of a line when there are few lines", () => {
  const text = JSON.stringify(Array.from({ length: 900 }, (_, id) => ({ id })));
  const shaped = shapeLog(text, 3_000);
  assert(shaped.length > 2_900 && shaped.length <= 3_000, String(shaped.length));
  assertMatch(shaped, /^\[\{"id":0\},.*\[trimtab: \d+ characters left out\].*\{"id":899\}\]$/);
});

Deno.test("clipLine() keeps the last state of a progress display, and errors before it", () => {
  const steps = [...Array.from({ length: 99 }, (_, n) => `Receiving: ${n}%`), "Receiving: done"];
  assertEquals(clipLine(steps.join("\r")), "Receiving: done");
  steps[50] = "error: lost";
  assertEquals(clipLine(steps.join("\r")), "error: lost\rReceiving: done");
});

Deno.test("clipLine() leaves out characters only if the mark is shorter", () => {
  assertEquals(clipLine("x".repeat(433)), "x".repeat(433));
  const clipped = `${"x".repeat(280)}[trimtab: 34 characters left out]${"x".repeat(120)}`;
  assertEquals(clipLine("x".repeat(434)), clipped);
});

Deno.test("shapeFile() cuts between lines, and does not change text without lines", () => {
  const text = lines(100, (n) => `line ${n}`);
  assertMatch(shapeFile(text, 500) ?? "", /^line 0\n[^]*\n\[trimtab: lines 27-100 left out\]$/);
  for (const start of ["", "\n"]) assertEquals(shapeFile(start + "x".repeat(900), 500), null);
});
