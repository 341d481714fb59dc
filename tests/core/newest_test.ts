import { assertEquals } from "@std/assert";
import { pushNewest, setNewest } from "../../src/core/newest.ts";

Deno.test("setNewest() drops the least recently set key from a full map", () => {
  const known = new Map<string, number>();
  for (const [at, key] of ["a", "b", "c", "a", "d"].entries()) setNewest(known, key, at, 3);
  assertEquals([...known], [["c", 2], ["a", 3], ["d", 4]]);
});

Deno.test("pushNewest() drops the oldest item of a full list", () => {
  const list: number[] = [];
  for (const item of [1, 2, 3, 4, 5]) pushNewest(list, item, 3);
  assertEquals(list, [3, 4, 5]);
});
