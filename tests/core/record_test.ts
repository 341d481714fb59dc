import { assertEquals } from "@std/assert";
import { isFreedRecord } from "../../src/core/record.ts";

Deno.test("isFreedRecord() accepts only complete records, with and without in_use", () => {
  const record = {
    at_tokens: 100_000,
    light: 40_000,
    deep: 60_000,
    rollover: 90_000,
    bytes: 1_000_000,
    cache_ttl_seconds: null,
    newest_at: "2026-03-01T10:00:00.000Z",
  };
  const inUse = { newest: 2, passages: 1 };
  const rows: readonly (readonly [value: unknown, expected: boolean])[] = [
    [record, true],
    [{ ...record, in_use: inUse }, true],
    [{ ...record, in_use: { ...inUse, unused: 3 } }, true],
    [{ ...record, in_use: { newest: 2 } }, false],
    [{ ...record, in_use: { ...inUse, unused: -1 } }, false],
    [{ ...record, in_use: null }, false],
    [{ ...record, paid_back_after: { light: 12, deep: null } }, true],
    [{ ...record, paid_back_after: { light: 12 } }, false],
    [{ ...record, light: "40,000" }, false],
    [{ ...record, cache_ttl_seconds: 300 }, true],
    [{ ...record, cache_ttl_seconds: "300" }, false],
    [{ ...record, newest_at: null }, true],
    [{ ...record, newest_at: "yesterday" }, false],
    [[record], false],
    [null, false],
  ];
  assertEquals(rows.map(([value]) => isFreedRecord(value)), rows.map(([, expected]) => expected));
});
