import { assert, assertEquals } from "@std/assert";
import { buildInside, MODULE } from "../../tools/inside.ts";

Deno.test("hooks/_inside.js is what `deno task inside` makes", async () => {
  assert(
    Deno.readTextFileSync(MODULE) === await buildInside(),
    "hooks/_inside.js is out of date: run `deno task inside`",
  );
});

Deno.test("hooks/_inside.js needs nothing that the client does not have", () => {
  const text = Deno.readTextFileSync(MODULE);
  assertEquals(text.match(/\bDeno\b|\bnode:|\bprocess\.|\bBuffer\b|\bimport[ (]/g), null);
  // The client decodes UTF-8 alone, and a decoder of another kind fails where it is made.
  assertEquals(text.match(/^(?:var|const|let) .*new TextDecoder\("(?!utf-8)/gm), null);
});
