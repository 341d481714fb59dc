import { assertEquals } from "@std/assert";
import { findings, linesNaming } from "../../src/inject/look_up_results.ts";

function found(name: string, result: string, maxChars?: number): string {
  const rest = {
    isError: false,
    mirror: undefined,
    isSidechain: false,
    from: { uuid: "u", line: 1 },
  };
  return findings({ name, input: {}, result, ...rest }, new Set(), maxChars)
    .replace(/^ → /, "");
}

Deno.test("findings() counts the hits of each kind of search, and shows the first", () => {
  assertEquals(found("Grep", "a.ts:1:x\nb.ts:2:y"), "2 lines: a.ts:1:x | b.ts:2:y");
  assertEquals(found("Glob", "a.ts\nb.ts"), "2 lines: a.ts | b.ts");
  assertEquals(found("LSP", "a.ts:1:x"), "1 line: a.ts:1:x");
  assertEquals(found("Bash", "a.ts:1:x"), "");
  assertEquals(found("Grep", "1:a\n2:b\n3:c\n4:d\n5:e"), "5 lines: 1:a | 2:b | 3:c | 4 | 5");
  const hit = (size: number): string => `b.ts:2:${"b".repeat(size - 7)}`;
  const room = 160 - 14 - "3 lines: a.ts:1:a | ".length;
  const fitting = `a.ts:1:a\n${hit(room)}\nc.ts:3:c`;
  assertEquals(found("Grep", fitting), `3 lines: a.ts:1:a | ${hit(room)} | +1 more`);
  const long = `a.ts:1:a\n${hit(room + 1)}\nc.ts:3:c`;
  assertEquals(found("Grep", long), "3 lines: a.ts:1:a | b.ts:2 | c.ts:3:c");
});

Deno.test("findings() shows the file of each place that a language server found", () => {
  const result = "Found 5 references across 3 files:\n\nsrc/a.ts:\n  Line 64:6\n\nsrc/b.ts:\n" +
    "  Line 12:13\n  Line 65:20\n  Line 70:1\n\nsrc/b_test.ts:\n  Line 8:11";
  assertEquals(
    found("LSP", result),
    "Found 5 references across 3 files: src/a.ts:64:6 | src/b.ts:12:13 | src/b.ts:65:20 | +2 more",
  );
});

Deno.test("findings() does not count the hits of an output over 8,192 characters", () => {
  const hits = "a.ts:1:x\n".repeat(1_000);
  const shown = Array.from({ length: 3 }, () => "a.ts:1:x").join(" | ");
  assertEquals(found("Grep", hits.slice(0, 8_192)), `910 lines: ${shown} | +907 more`);
  assertEquals(found("Grep", hits.slice(0, 8_193)), `910 or more lines: ${shown}`);
});

Deno.test("findings() shows the texts and numbers of a record, without bookkeeping and long texts that were sent", () => {
  const record = { id: 7, title: "Fix", n: 3, done: true, listId: "x", who: { name: "Ann" } };
  const shown = found("mcp__a__get_task", JSON.stringify({ ...record, tags: ["a", "b"] }));
  assertEquals(shown, "title: Fix; n: 3; who: Ann; tags: a, b");
  const update = (size: number): string =>
    found("mcp__a__update_task", JSON.stringify({ text: "y".repeat(size), n: 3, m: 4 }), 400);
  assertEquals(update(160), `text: ${"y".repeat(160)}; n: 3; m: 4`);
  assertEquals(update(161), "n: 3; m: 4");
});

Deno.test("linesNaming() skips the progress of tests, and keeps the numbers of a file's lines", () => {
  const output =
    "  1→const cacheRows = 1;\n  2→const rows = 2;\n=== RUN cacheRows\n--- PASS: cacheRows";
  assertEquals(linesNaming(output, new Set(["cacheRows"])), ["1: const cacheRows = 1;"]);
});
