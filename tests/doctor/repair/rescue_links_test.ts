import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { LinkFinder } from "../../../src/doctor/repair/links.ts";

const SEED = 20260106;
const RUNS = 500;

type Row = [uuid: string, parentUuid: string | null, change?: Record<string, unknown>];

function links(rows: readonly Row[]): [number, string | null][] {
  const finder = new LinkFinder();
  for (const [uuid, parentUuid, change] of rows) {
    finder.add({ type: "user", uuid, parentUuid, ...change });
  }
  const found = [...finder.finish()].sort(([a], [b]) => a - b);
  return found.map(([number, { parentUuid }]) => [number, parentUuid]);
}

Deno.test("LinkFinder leaves a tree unchanged, whatever the order of its entries, even if an entry occurs twice", () => {
  assertEquals(links([["a", null], ["b", "a"], ["c", "a"], ["d", "b"]]), []);
  assertEquals(links([["c", "b"], ["b", "a"], ["a", null]]), []);
  assertEquals(links([["a", null], ["b", "a"], ["b", "b"], ["c", "b"]]), []);
});

Deno.test("LinkFinder makes the previous message the parent of an orphaned entry", () => {
  assertEquals(links([["a", null], ["b", "gone"], ["c", "c"]]), [[1, "a"], [2, "b"]]);
  assertEquals(links([["a", "a"], ["b", "a"]]), [[0, null]]);
  const progress = { type: "progress" };
  assertEquals(links([["a", null], ["p", "a", progress], ["b", "gone"]]), [[2, "a"]]);
  assertEquals(links([["a", null], ["p", "gone", progress], ["b", "p"]]), [[1, "a"]]);
  assertEquals(links([["a", null], ["p", "gone", progress], ["b", "a"]]), []);
});

Deno.test("LinkFinder does not mix a subagent's entries with the conversation's", () => {
  const side = { isSidechain: true };
  const rows: Row[] = [["a", null], ["s", null, side], ["b", "gone"], ["t", "gone", side]];
  assertEquals(links(rows), [[2, "a"]]);
  assertEquals(links([["a", null], ["s", "s", side]]), [[1, null]]);
});

Deno.test("LinkFinder cuts a loop at its first entry", () => {
  const rows: Row[] = [["a", null], ["b", "d"], ["c", "b"], ["d", "c"], ["e", "d"]];
  assertEquals(links(rows), [[1, "a"]]);
  assertEquals(links([["a", "b"], ["b", "a"]]), [[0, null]]);
  // An entry that only leads into the loop keeps its parent.
  assertEquals(links([["x", "b"], ["a", "b"], ["b", "a"]]), [[1, null]]);
});

Deno.test(`LinkFinder leaves no loop (seed ${SEED})`, () => {
  const ids = ["a", "b", "c", "d", "e", "f", "gone", null];
  const parents = fc.array(fc.constantFrom(...ids), { minLength: 1, maxLength: 6 });
  const property = fc.property(parents, (given) => {
    const rows = given.map((parent, index): Row => [ids[index] ?? "", parent]);
    const parentOf = new Map(rows.map(([uuid, parent]) => [uuid, parent]));
    for (const [number, parent] of links(rows)) {
      parentOf.set(rows[number]?.[0] ?? "", parent);
    }
    for (const [uuid] of rows) {
      let current: string | null | undefined = uuid;
      for (let step = 0; step <= rows.length; step++) current = parentOf.get(current ?? "");
      assertEquals(current ?? null, null, `the ancestors of ${uuid} form a loop`);
    }
  });
  fc.assert(property, { seed: SEED, numRuns: RUNS });
});
