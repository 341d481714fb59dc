import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { boundText, MAX_CONTEXT_CHARS } from "../../src/inject/bound.ts";
import { buildContext, type ContextPart } from "../../src/inject/context.ts";
import { anyCharacters } from "../any_characters.ts";

const RUNS = { numRuns: 500, seed: 20260314 };

Deno.test("boundText() never splits a surrogate pair", () => {
  assertEquals(boundText("abc", 3), "abc");
  assertEquals(boundText("abc", 2), "ab");
  assertEquals(boundText("abc", 0), "");
  assertEquals(boundText("a\u{1f600}b", 2), "a");
  assertEquals(boundText("a\u{1f600}b", 3), "a\u{1f600}");
  assertEquals(boundText("\u{1f600}", 1), "");
  for (const edge of ["\u{10000}", "\u{10ffff}"]) assertEquals(boundText(`a${edge}`, 2), "a");
});

Deno.test("MAX_CONTEXT_CHARS is below the length at which the client truncates a context", () => {
  assertEquals(MAX_CONTEXT_CHARS, 9_500);
});

Deno.test("buildContext() joins the parts in order", () => {
  assertEquals(buildContext([]), "");
  assertEquals(buildContext(["one", "two"]), "one\n\ntwo");
  const fenced = '<trimtab-data source="s">\ndata\n</trimtab-data>';
  const parts = ["one", { source: "s", text: "data" }, "two"];
  assertEquals(buildContext(parts), `one\n\n${fenced}\n\ntwo`);
});

Deno.test("buildContext() cuts fenced data, but not trimtab's own text", () => {
  const [before, after] = ["b".repeat(300), "a".repeat(300)];
  const first = { source: "first", text: "x".repeat(20_000) };
  const second = { source: "second", text: "y".repeat(20_000) };
  const context = buildContext([before, first, second, after], 2_000);
  assert(context.length <= 2_000);
  assert(context.startsWith(`${before}\n\n<trimtab-data source="first">\nxxx`));
  assert(context.endsWith(`more characters]\n</trimtab-data>\n\n${after}`));
  assert(!context.includes("second"), "no room was left for the second part");
  const full = buildContext([before, first, after], 2_000);
  assertEquals(full.length, 2_000, "the gaps count, too");
  assert(full.endsWith(`</trimtab-data>\n\n${after}`));
});

Deno.test("buildContext() stays within its limit and closes every fence, for any input", () => {
  const text = anyCharacters({ maxLength: 300 });
  const part: fc.Arbitrary<ContextPart> = fc.oneof(text, fc.record({ source: text, text }));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), fc.nat({ max: 1_500 }), (parts, maxChars) => {
      const context = buildContext(parts, maxChars);
      assert(context.length <= maxChars);
      assert(context.isWellFormed());
      const ownLength = parts.filter((one) => typeof one === "string").join("").length;
      // A fence may be cut only if trimtab's own text alone exceeds the limit.
      if (ownLength + 2 * parts.length > maxChars) return;
      assertEquals(context.match(/<trimtab-/g)?.length, context.match(/<\/trimtab-/g)?.length);
    }),
    RUNS,
  );
});
