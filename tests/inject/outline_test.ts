import { assertEquals } from "@std/assert";
import { isPlan, wholeLines } from "../../src/inject/outline.ts";

const HEADINGS = [1, 2, 3, 4].map((n) => `## Step ${n}`);

Deno.test("isPlan() requires a plan's title near the start, and more than four headings including the first line", () => {
  assertEquals(isPlan(["The plan", ...HEADINGS]), true);
  assertEquals(isPlan(["The plan", ...HEADINGS.slice(1)]), false);
  assertEquals(isPlan(["", "A", "B", "The plan", ...HEADINGS]), true);
  assertEquals(isPlan(["A", "B", "C", "The plan", ...HEADINGS]), false);
});

Deno.test("wholeLines() shortens a plan until it just fits, at most to its headings and counts", () => {
  const steps = HEADINGS.flatMap((
    heading,
  ) => [heading, "It opens the file.", "Never open it twice."]);
  const plan = ["The plan", ...steps];
  const bare = ["The plan", ...HEADINGS.flatMap((heading) => [heading, "(2 more)"])].join("\n");
  assertEquals(wholeLines(plan, bare.length), bare);
  assertEquals(wholeLines(plan, bare.length - 1), "");
  const one = bare.replace("(2 more)", "Never open it twice.\n(1 more)");
  assertEquals(wholeLines(plan, one.length), one);
  assertEquals(wholeLines(plan, one.length - 1), bare);
});
