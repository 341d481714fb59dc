import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { eachName } from "../../src/core/names.ts";

/** A slower but simpler version of `eachName`, with regular expressions. */
function plainNames(text: string): string[] {
  return [...text.matchAll(/[A-Za-z_$][A-Za-z0-9_$]{7,}/g)].map(([name]) => name)
    .filter((name) => /[a-z][A-Z]|_[a-z]|[A-Z]{2}_/.test(name));
}

Deno.test("eachName() finds the same names as a regular expression, including repeats and positions", () => {
  const piece = fc.constantFrom("a", "B", "_", "$", "7", " ", "\n", "é", "ab", "maxItems", "AB_");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }).map((parts) => parts.join("")), (text) => {
      const found: string[] = [];
      eachName(text, (name, start) => {
        assertEquals(text.slice(start, start + name.length), name);
        found.push(name);
      });
      assertEquals(found, plainNames(text));
    }),
    { numRuns: 2_000, seed: 20261122 },
  );
});
