import { assertEquals } from "@std/assert";
import { mutantsIn, pickMutants } from "../../tools/mutants.ts";
import { unitArguments } from "../../tools/unit.ts";

const TEXT = `/** Says if (a) return, in words. */
import { a } from "./a.ts";
export function f(a: number, b: number): number {
  // if (a) return b;
  if (a < 1 && b) return g(a, b);
  return a + 1;
}
`;

Deno.test("mutantsIn() makes mistakes in code, not in comments, imports and signatures", () => {
  assertEquals(mutantsIn("x.ts", TEXT).map(({ line, name, after }) => [line, name, after.trim()]), [
    [5, "negated condition", "if (!(a < 1 && b)) return g(a, b);"],
    [5, "off by one", "if (a <= 1 && b) return g(a, b);"],
    [5, "and for or", "if (a < 1 || b) return g(a, b);"],
    [5, "swapped arguments", "if (a < 1 && b) return g(b, a);"],
    [6, "off by one", "return a + 2;"],
    [6, "dropped return", "void (a + 1);"],
  ]);
});

Deno.test("mutantsIn() swaps no arguments whose order makes no difference", () => {
  const swapped = (line: string): string[] => mutantsIn("x.ts", line).map(({ after }) => after);
  assertEquals(swapped("x = Math.min(a, b);"), []);
  assertEquals(swapped("x = Math.max(a, b);"), []);
  assertEquals(swapped("x = Math.pow(a, b);"), ["x = Math.pow(b, a);"]);
  assertEquals(swapped("x = min(a, b);"), ["x = min(b, a);"]);
});

Deno.test("pickMutants() picks the same for a seed, and at most one per line", () => {
  const all = mutantsIn("x.ts", TEXT);
  const picked = pickMutants(all, 9, 1);
  assertEquals(picked, pickMutants(all, 9, 1));
  assertEquals(picked.map(({ line }) => line).sort(), [5, 6]);
});

Deno.test("pickMutants() picks the same after other lines were added", () => {
  const linesOf = (text: string, seed: number): string[] =>
    pickMutants(mutantsIn("x.ts", text), 2, seed).map(({ after }) => after);
  const grown = `${TEXT}\nexport const LATER = f(1, 2) + g(5, 6);\n`;
  assertEquals(linesOf(grown, 1).filter((line) => !line.includes("LATER")).length > 0, true);
  for (let seed = 1; seed <= 20; seed++) {
    const kept = linesOf(grown, seed).filter((line) => !line.includes("LATER"));
    const before = linesOf(TEXT, seed);
    assertEquals(kept, before.slice(0, kept.length));
  }
});

Deno.test("unitArguments() names only existing test folders", () => {
  assertEquals(unitArguments(["saved", "--fail-fast"]).slice(-2), ["--fail-fast", "tests/saved"]);
  assertEquals(unitArguments([]).at(-1), "--ignore=tests/e2e");
});
