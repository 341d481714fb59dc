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

/** A project of 100 characters and 100 quotes. */
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

Deno.test("leaveOneOut() measures a project with the numbers that the others choose", () => {
  // On all projects the bold one looks best; each chooses without knowing its own loss.
  const bold = way("bold", { a: sums(80, 1), b: sums(80, 1), c: sums(80, 60) });
  const shy = way("shy", { a: sums(50, 2), b: sums(50, 2), c: sums(50, 2) });
  const { projects, freed, quotes, chosen } = leaveOneOut([shy, bold], 5);
  assertEquals(projects, 3);
  // Only where c is left out do the others allow the bold one, and c pays for it.
  assertEquals([...chosen], [["shy", 2], ["bold", 1]]);
  assertEquals([freed.value, quotes.value], [60, (2 + 2 + 60) / 3]);
});

Deno.test("leaveOneOut() takes the way that loses least where all lose too much", () => {
  const one = way("one", { a: sums(80, 40), b: sums(80, 40) });
  const two = way("two", { a: sums(50, 30), b: sums(50, 30) });
  assertEquals([...leaveOneOut([one, two], 5).chosen], [["two", 2]]);
  assertEquals(leaveOneOut([], 5).projects, 0);
});

Deno.test("figuresOf() gives an interval that holds the figure, as wide as projects differ", () => {
  const alike = figuresOf([sums(50, 2), sums(50, 2)]);
  assertEquals(alike.freed, { value: 50, low: 50, high: 50 });
  const unlike = figuresOf([sums(20, 0), sums(50, 2), sums(80, 10)]);
  assert(unlike.freed.low < unlike.freed.value && unlike.freed.value < unlike.freed.high);
  assertEquals(figuresOf([sums(20, 0), sums(80, 10)]), figuresOf([sums(20, 0), sums(80, 10)]));
  assertEquals(total([]).before, 0);
});

Deno.test("projectOf() takes a worktree for its project", () => {
  const line = (cwd: string): string => JSON.stringify({ type: "user", cwd });
  assertEquals(projectOf(["{}", line("/w/cli/.worktrees/1/x")]), "/w/cli");
  assertEquals(projectOf([line("/w/cli/.claude/worktrees/agent")]), "/w/cli");
  assertEquals(projectOf(["{}"]), "unknown");
});

Deno.test("the numbers to choose from include those that trimtab comes with", async () => {
  const { DEEP_NEED, LIGHT_NEED } = await import("../../src/core/need.ts");
  assert(lightNumbers().some(({ rules }) => Deno.inspect(rules) === Deno.inspect(LIGHT_NEED)));
  assert(deepNumbers().some(({ rules }) => Deno.inspect(rules) === Deno.inspect(DEEP_NEED)));
});
