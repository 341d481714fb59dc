import { assertEquals } from "@std/assert";
import { mutantsIn, pickMutants } from "../../tools/mutants.ts";

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
