import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type InsideTrimRecord,
  nonMessageTokens,
  parseInsideRecord,
  trimsInEffect,
  withTrim,
} from "../../src/store/inside_record.ts";

const TRIM: InsideTrimRecord = { kind: "trim", at_ms: 1000, tokens_before: 9, tokens_after: 4 };

Deno.test("parseInsideRecord() reads back a record that withTrim() made, treats invalid text as empty, and omits invalid trims", () => {
  const record = withTrim(parseInsideRecord(""), TRIM);
  assertEquals(parseInsideRecord(JSON.stringify(record)), record);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      assertEquals(parseInsideRecord(text).trims, []);
    }),
    { numRuns: 200, seed: 14 },
  );
  assertEquals(parseInsideRecord('{"version":1,"trims":[{"kind":"trim"},7]}').trims, []);
  const read = (tokens_before: unknown): readonly InsideTrimRecord[] =>
    parseInsideRecord(JSON.stringify({ version: 1, trims: [{ ...TRIM, tokens_before }] })).trims;
  for (const count of [0, 9, null]) assertEquals(read(count), [{ ...TRIM, tokens_before: count }]);
  for (const none of ["9", -1, {}, undefined]) assertEquals(read(none), []);
});

Deno.test("withTrim() keeps only the 20 newest trims", () => {
  let record = parseInsideRecord("");
  for (let at_ms = 0; at_ms < 50; at_ms++) record = withTrim(record, { ...TRIM, at_ms });
  assertEquals(record.trims.length, 20);
  assertEquals(record.trims.at(-1)?.at_ms, 49);
});

Deno.test("trimsInEffect() leaves out undone trims, undos and restored compactions", () => {
  const records = (["trim", "trim", "undo", "restore", "trim"] as const)
    .map((kind, at_ms) => ({ kind, at_ms, tokens_before: 2, tokens_after: 1 }));
  assertEquals(trimsInEffect(records).map(({ at_ms }) => at_ms), [0, 4]);
  const undo = { kind: "undo", at_ms: 0, tokens_before: 1, tokens_after: 2 } as const;
  assertEquals(trimsInEffect([undo]), []);
});

Deno.test("parseInsideRecord() reads a fill and watch times only if all their fields are valid", () => {
  const [tokens, window, limit] = [90_000, 200_000, 167_000];
  const fill = { at_ms: 1, model: "m", tokens, window, limit, limit_kind: "compaction" };
  const whole = { ...fill, categories: { "System prompt": 3_000, "Messages": 0 } };
  const read = (field: "fill" | "watch", value: unknown): unknown =>
    parseInsideRecord(JSON.stringify({ version: 1, [field]: value, trims: [] }))[field];
  for (const change of [{}, { tokens: null }, { tokens: 0 }, { limit_kind: "answer" }]) {
    assertEquals(read("fill", { ...whole, ...change }), { ...whole, ...change });
  }
  const wrong = [
    ...[{ at_ms: "1" }, { model: null }, { tokens: -1 }, { window: 0 }, { window: "200,000" }],
    ...[{ limit: 0 }, { limit_kind: "none" }, { categories: [] }, { categories: { Messages: -1 } }],
  ];
  for (const change of wrong) assertEquals(read("fill", { ...whole, ...change }), undefined);
  assertEquals(read("watch", { level: "warn" }), { level: "warn" });
  for (const watch of [{ level: 1 }, ["warn"]]) assertEquals(read("watch", watch), undefined);
  const newer = JSON.stringify({ version: 2, fill: whole, trims: [TRIM] });
  assertEquals(parseInsideRecord(newer), { version: 1, trims: [] });
});

Deno.test("nonMessageTokens() adds up all categories except messages", () => {
  assertEquals(nonMessageTokens({ "System prompt": 3, "Messages": 50, "Skills": 2 }), 5);
});
