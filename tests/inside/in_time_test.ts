import { assertEquals } from "@std/assert";
import { isTrimDue } from "../../hooks/_inside_auto.ts";

Deno.test("isTrimDue() is true from the threshold on, and at any size if the cache has expired", () => {
  const dueAt = (tokens: number, threshold: number): boolean =>
    isTrimDue({ tokens, limit: 100_000 }, threshold);
  assertEquals([dueAt(59_000, 60), dueAt(60_000, 60), dueAt(20_000, 0)], [false, true, true]);
});

Deno.test("isTrimDue() waits until the window has grown by ten points since the last trim", () => {
  const dueAt = (tokens: number, from: number, threshold: number): boolean =>
    isTrimDue({ tokens, limit: 100_000, from }, threshold);
  assertEquals([dueAt(74_000, 65_000, 60), dueAt(75_000, 65_000, 60)], [false, true]);
  assertEquals(dueAt(20_000, 15_000, 0), false);
});
