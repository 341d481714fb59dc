import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { headOf, sizeOfLines, withGaps } from "../../src/inject/fit_lines.ts";

Deno.test("headOf() shortens the last shown line to make room for the count of omitted lines", () => {
  const lines = ["(newest first)", "a".repeat(400), "b".repeat(400)];
  const { lines: kept, omitted } = headOf(lines, 420);
  assertEquals([kept[0], kept[2]], ["(newest first)", "(1 more)"]);
  assertMatch(kept[1] ?? "", /^a{390,}…$/);
  assertEquals(omitted, 1);
});

Deno.test("headOf() never exceeds the room, and counts each line that it leaves out", () => {
  const some = fc.array(fc.integer({ min: 0, max: 300 }).map((size) => "x".repeat(size)));
  fc.assert(fc.property(some, fc.integer({ min: 0, max: 900 }), (lines, room) => {
    const { lines: kept, omitted } = headOf(lines, room);
    const isWhole = sizeOfLines(lines) <= room;
    assertEquals(omitted === 0, isWhole);
    if (kept.length === 0) return assertEquals(omitted, lines.length);
    assertEquals(sizeOfLines(kept) <= room, true);
    const more = Number(/^\((\d+) more\)$/.exec(kept.at(-1) ?? "")?.[1] ?? 0);
    assertEquals(kept.length - (more > 0 ? 1 : 0) + more, lines.length);
  }));
});

Deno.test("withGaps() joins short lines that follow each other, and counts the lines between others", () => {
  const [short, long] = [`- ${"x".repeat(24)}`, `- ${"y".repeat(25)}`];
  const kept = new Map([[0, "- a"], [1, "- ok"], [2, "- go on"], [4, "- fine"], [5, short]]);
  assertEquals(withGaps(new Map([...kept, [6, long]]), 7, true), [
    "- a",
    "- ok; go on",
    "(1 more between)",
    `- fine; ${"x".repeat(24)}`,
    long,
  ]);
  assertEquals(withGaps(new Map([[0, "- a"], [1, "- ok"]]), 2, true), ["- a", "- ok"]);
  const plain = [...kept.values()].slice(0, 3);
  assertEquals(withGaps(new Map(plain.entries()), 3, false), plain);
});
