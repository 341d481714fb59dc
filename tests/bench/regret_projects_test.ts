import { assert, assertEquals } from "@std/assert";
import {
  deepNumbers,
  figuresOf,
  leaveOneOut,
  lightNumbers,
  projectOf,
  total,
  type Way,
} from "../../bench/regret_projects.ts";
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

Deno.test("figuresOf() gives an interval that contains the figure, as wide as projects differ", () => {
  const uniform = figuresOf([sums(50, 2), sums(50, 2)]);
  assertEquals(uniform.freed, { value: 50, low: 50, high: 50 });
  const varied = figuresOf([sums(20, 0), sums(50, 2), sums(80, 10)]);
  assert(varied.freed.low < varied.freed.value && varied.freed.value < varied.freed.high);
  assertEquals(figuresOf([sums(20, 0), sums(80, 10)]), figuresOf([sums(20, 0), sums(80, 10)]));
  assertEquals(total([]).before, 0);
});

Deno.test("projectOf() counts a worktree as its project", () => {
  const line = (cwd: string): string => JSON.stringify({ type: "user", cwd });
  assertEquals(projectOf(["{}", line("/w/cli/.worktrees/1/x")]), "/w/cli");
  assertEquals(projectOf([line("/w/cli/.claude/worktrees/agent")]), "/w/cli");
  assertEquals(projectOf(["{}"]), "unknown");
});

Deno.test("lightNumbers() and deepNumbers() include trimtab's defaults", async () => {
  const { DEEP_NEED, LIGHT_NEED } = await import("../../src/core/need.ts");
  assert(lightNumbers().some(({ rules }) => Deno.inspect(rules) === Deno.inspect(LIGHT_NEED)));
  assert(deepNumbers().some(({ rules }) => Deno.inspect(rules) === Deno.inspect(DEEP_NEED)));
});
