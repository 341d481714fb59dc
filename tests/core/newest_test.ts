import { assertEquals } from "@std/assert";
import { setNewest } from "../../src/core/newest.ts";

Deno.test("setNewest() drops the least recently set key from a full map", () => {
  const known = new Map<string, number>();
  for (const [at, key] of ["a", "b", "c", "a", "d"].entries()) setNewest(known, key, at, 3);
  assertEquals([...known], [["c", 2], ["a", 3], ["d", 4]]);
});
