import { assertEquals } from "@std/assert";
import { leaveOneOut, type Way } from "../../bench/regret_projects.ts";
import type { Sums } from "../../bench/regret_points.ts";

/** Each project has 100 characters and 100 quotes. */
function sums(freed: number, quotes: number): Sums {
  return {
    before: 100,
    after: 100 - freed,
    quotes: [quotes, 100],
    names: [0, 100],
    definitions: [0, 0],
  };
}

function way(name: string, byProject: Record<string, Sums>): Way {
  return { name, byProject: new Map(Object.entries(byProject)) };
}

Deno.test("leaveOneOut() measures a project with the numbers chosen on the others", () => {
  // `careful` loses the least over all projects, but does not free enough in `c`.
  const careful = way("careful", { a: sums(60, 1), b: sums(60, 1), c: sums(30, 1) });
  const bold = way("bold", { a: sums(70, 4), b: sums(70, 4), c: sums(70, 4) });
  const { projects, freed, quotes, chosen } = leaveOneOut([bold, careful], 55);
  assertEquals(projects, 3);
  // Without `c`, `careful` frees enough on the other projects, so it is chosen for `c`.
  assertEquals([...chosen], [["bold", 2], ["careful", 1]]);
  assertEquals([freed.value, quotes.value], [(70 + 70 + 30) / 3, (4 + 4 + 1) / 3]);
});

Deno.test("leaveOneOut() picks the set that frees most if all free too little", () => {
  const one = way("one", { a: sums(30, 40), b: sums(30, 40) });
  const two = way("two", { a: sums(50, 50), b: sums(50, 50) });
  assertEquals([...leaveOneOut([one, two], 55).chosen], [["two", 2]]);
  assertEquals(leaveOneOut([], 55).projects, 0);
});
