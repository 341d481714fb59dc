// Checks the exact bounds of selected lines and of marks, in characters.

import { assertEquals } from "@std/assert";
import { selectLines } from "../../src/live/logs.ts";
import { clipLine, endOf } from "../../src/live/marks.ts";

function keptOf(maxChars: number): string {
  const lines = Array.from({ length: 10 }, (_, n) => String(n).repeat(50));
  const shaped = selectLines({ lines, required: [0], candidates: [0, 9, 5, 9, 4], maxChars });
  return shaped.split("\n").map((line) => line.startsWith("[") ? "-" : line.charAt(0)).join("");
}

Deno.test("selectLines() keeps a line that just fits, with room for the marks around it", () => {
  assertEquals([keptOf(0), keptOf(146), keptOf(147)], ["0-", "0-", "0-9"]);
  assertEquals([keptOf(242), keptOf(243)], ["0-9", "0-5-9"]);
  assertEquals([keptOf(293), keptOf(294)], ["0-5-9", "0-45-9"]);
});

Deno.test("selectLines() puts a mark only in place of longer text", () => {
  const around = (...between: number[]): string => {
    const lines = ["a", ...between.map((length) => "x".repeat(length)), "z"];
    return selectLines({ lines, required: [0, lines.length - 1], candidates: [], maxChars: 0 });
  };
  const [one, two] = ["[trimtab: line 2 left out]", "[trimtab: lines 2-3 left out]"];
  assertEquals(around(one.length), `a\n${"x".repeat(one.length)}\nz`);
  assertEquals(around(one.length + 1), `a\n${one}\nz`);
  assertEquals(around(14, 14), `a\n${"x".repeat(14)}\n${"x".repeat(14)}\nz`);
  assertEquals(around(15, 14), `a\n${two}\nz`);
});

Deno.test("endOf() does not split a character, or cut text that fits", () => {
  for (const character of ["\u{10000}", "\u{1f600}", "\u{10ffff}"]) {
    assertEquals(endOf(`a${character}b`, 2), "b");
    assertEquals(endOf(`a${character}b`, 3), `${character}b`);
  }
  assertEquals([endOf("abc", 3), endOf("abc", 2)], ["abc", "bc"]);
});

Deno.test("clipLine() does not cut a line of 400 characters, and needs four steps to recognize progress", () => {
  const steps = (count: number, length: number): string =>
    Array.from({ length: count }, (_, n) => `${n}`.padEnd(length, ".")).join("\r");
  assertEquals(clipLine(`${steps(4, 99)}.`), `${steps(4, 99)}.`);
  assertEquals(clipLine(steps(4, 100)), "3".padEnd(100, "."));
  assertEquals(clipLine(steps(3, 200)).includes(" characters left out]"), true);
});
