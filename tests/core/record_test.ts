import { assertEquals } from "@std/assert";
import { type FreedRecord, hasAnswerAfter, isFreedRecord } from "../../src/core/record.ts";

const RECORD: FreedRecord = {
  at_tokens: 100_000,
  light: 40_000,
  deep: 60_000,
  rollover: 90_000,
  bytes: 1_000_000,
  cache_ttl_seconds: null,
  newest_at: "2026-03-01T10:00:00.000Z",
};

Deno.test("hasAnswerAfter() compares the time of the newest answer, if the record has one", () => {
  const ms = Date.parse("2026-03-01T10:00:00.000Z");
  assertEquals([ms - 1, ms].map((time) => hasAnswerAfter(RECORD, time)), [true, false]);
  assertEquals(hasAnswerAfter({ ...RECORD, newest_at: null }, -1), false);
});

Deno.test("isFreedRecord() accepts only complete records, with and without in_use", () => {
  const inUse = { newest: 2, passages: 1 };
  const rows: readonly (readonly [value: unknown, expected: boolean])[] = [
    [RECORD, true],
    [{ ...RECORD, in_use: inUse }, true],
    [{ ...RECORD, in_use: { ...inUse, unused: 3 } }, true],
    [{ ...RECORD, in_use: { newest: 2 } }, false],
    [{ ...RECORD, in_use: { ...inUse, unused: -1 } }, false],
    [{ ...RECORD, in_use: null }, false],
    [{ ...RECORD, paid_back_after: { light: 12, deep: null } }, true],
    [{ ...RECORD, paid_back_after: { light: 12 } }, false],
    [{ ...RECORD, light: "40,000" }, false],
    [{ ...RECORD, cache_ttl_seconds: 300 }, true],
    [{ ...RECORD, cache_ttl_seconds: "300" }, false],
    [{ ...RECORD, newest_at: null }, true],
    [{ ...RECORD, newest_at: "yesterday" }, false],
    [[RECORD], false],
    [null, false],
  ];
  assertEquals(rows.map(([value]) => isFreedRecord(value)), rows.map(([, expected]) => expected));
});
