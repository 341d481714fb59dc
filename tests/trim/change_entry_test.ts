import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/record.ts";
import { lowerUsage } from "../../src/trim/change_entry.ts";

Deno.test("lowerUsage() takes the excess from the cached tokens first, and changes nothing without an excess", () => {
  const lowered = (tokens: number): [isChanged: boolean, ...counts: unknown[]] => {
    const usage: JsonObject = {
      input_tokens: 3,
      cache_creation_input_tokens: 20,
      cache_read_input_tokens: 100,
    };
    const isChanged = lowerUsage({ message: { usage } }, tokens);
    return [isChanged, ...Object.values(usage)];
  };
  assertEquals(lowered(124), [false, 3, 20, 100]);
  assertEquals(lowered(123), [false, 3, 20, 100]);
  assertEquals(lowered(122), [true, 3, 20, 99]);
  assertEquals(lowered(23), [true, 3, 20, 0]);
  assertEquals(lowered(13), [true, 3, 10, 0]);
  assertEquals(lowered(1), [true, 1, 0, 0]);
  const usage = { input_tokens: 9 };
  assertEquals([lowerUsage({ message: { usage } }, 4), usage], [true, { input_tokens: 4 }]);
});

Deno.test("lowerUsage() lowers the usage of a metadata line, and ignores an entry without usage", () => {
  const metadata = { contextTokens: 900, maxContextTokens: 1_000 };
  assertEquals(lowerUsage(metadata, 40), true);
  assertEquals(metadata, { contextTokens: 40, maxContextTokens: 1_000 });
  assertEquals(lowerUsage({ message: { usage: null } }, 40), false);
});
