import { assert, assertEquals } from "@std/assert";
import { splitLine } from "../../../src/doctor/repair/lines.ts";

function split(line: string): [types: unknown[], junk: number, nul: number] {
  const { pieces, junk, nulCount } = splitLine(new TextEncoder().encode(line));
  return [pieces.map(({ raw }) => raw.type), junk.length, nulCount];
}

function entry(type: string): string {
  return `{"type":"${type}","sessionId":"日本"}`;
}

const [A, B, C] = ["a", "b", "c"].map(entry);

const CASES: readonly (readonly [line: string, types: string[], junk: number, nul: number])[] = [
  [`${A}`, ["a"], 0, 0],
  [`  ${A} \r`, ["a"], 0, 0],
  [" \t", [], 0, 0],
  [`${A}${B}  ${C}`, ["a", "b", "c"], 0, 0],
  // Entries before, after and between broken parts.
  [`torn"}${A}`, ["a"], 1, 0],
  [`}${A}`, ["a"], 1, 0],
  [`${A}torn`, ["a"], 1, 0],
  [`${A}{"torn":"${B}`, ["a", "b"], 1, 0],
  [`{"type":"x","text":"日本${A}${B}`, ["a", "b"], 1, 0],
  // NUL bytes around an entry, alone, and in the middle of a broken entry.
  [`\0\0${A}\0`, ["a"], 0, 3],
  ["\0".repeat(4096), [], 0, 4096],
  [`{"type":"x","text":"\0\0${A}`, ["a"], 1, 2],
  // Only objects are entries.
  ...["null", "[1,2]", '"text"', "5", "[{}]"].map((line) =>
    [line, [], 1, 0] as [string, string[], number, number]
  ),
];

Deno.test("splitLine() finds the entries of a line, and counts unreadable pieces and NUL bytes", () => {
  for (const [line, ...expected] of CASES) assertEquals(split(line), expected, line);
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
