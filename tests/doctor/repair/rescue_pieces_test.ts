import { assert, assertEquals } from "@std/assert";
import { splitLine } from "../../../src/doctor/repair/pieces.ts";

/** Returns the types of a line's entries, and the numbers of unreadable pieces and of NUL bytes. */
function split(line: string): [types: unknown[], junk: number, nul: number] {
  const { pieces, junk, nulCount } = splitLine(new TextEncoder().encode(line));
  return [pieces.map(({ raw }) => raw.type), junk.length, nulCount];
}

function entry(type: string): string {
  return `{"type":"${type}","sessionId":"日本"}`;
}

Deno.test("splitLine() reads whole lines, blank lines and lines with several entries", () => {
  assertEquals(split(entry("a")), [["a"], 0, 0]);
  assertEquals(split(`  ${entry("a")} \r`), [["a"], 0, 0]);
  assertEquals(split(" \t"), [[], 0, 0]);
  assertEquals(split(entry("a") + entry("b") + "  " + entry("c")), [["a", "b", "c"], 0, 0]);
});

Deno.test("splitLine() finds entries after and between broken parts", () => {
  assertEquals(split(`torn"}${entry("a")}`), [["a"], 1, 0]);
  assertEquals(split(`}${entry("a")}`), [["a"], 1, 0]);
  assertEquals(split(`${entry("a")}torn`), [["a"], 1, 0]);
  assertEquals(split(`${entry("a")}{"torn":"${entry("b")}`), [["a", "b"], 1, 0]);
  assertEquals(split(`{"type":"x","text":"日本${entry("a")}${entry("b")}`), [["a", "b"], 1, 0]);
});

Deno.test("splitLine() skips NUL bytes between entries, and counts all NUL bytes of a line", () => {
  assertEquals(split(`\0\0${entry("a")}\0`), [["a"], 0, 3]);
  assertEquals(split("\0".repeat(4096)), [[], 0, 4096]);
  assertEquals(split(`{"type":"x","text":"\0\0${entry("a")}`), [["a"], 1, 2]);
});

Deno.test("splitLine() accepts only objects as entries", () => {
  for (const line of ["null", "[1,2]", '"text"', "5", "[{}]"]) {
    assertEquals(split(line), [[], 1, 0]);
  }
});

Deno.test("splitLine() takes linear time on an unreadable line", () => {
  const bestMs = (repeats: number): number => {
    const line = '{"type":'.repeat(repeats);
    return Math.min(...[1, 2, 3].map(() => {
      const startMs = performance.now();
      assertEquals(split(line), [[], 1, 0]);
      return performance.now() - startMs;
    }));
  };
  // Ten times the length takes ten times as long. A reader that starts again at each brace would
  // take a hundred times as long. A busy machine can delay either measurement, so one good try is
  // enough.
  const ratios: number[] = [];
  while (ratios.length < 10 && !ratios.some((ratio) => ratio < 40)) {
    ratios.push(bestMs(30_000) / bestMs(3_000));
  }
  assert(ratios.some((ratio) => ratio < 40), `took ${ratios} times as long`);
});
