import type { JsonObject } from "../../src/core/record.ts";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { viewEntry } from "../../src/transcript/entry.ts";
import {
  contextTokens,
  type SessionUsage,
  usageOfEntry,
  usageOfMetadata,
} from "../../src/transcript/tokens/usage.ts";

const RUN = { numRuns: 500, seed: 20_261_122 };

function usageOf(raw: JsonObject): SessionUsage | undefined {
  return usageOfEntry(viewEntry({ type: "assistant", ...raw }));
}

Deno.test("contextTokens() adds up the valid input counts, without the output", () => {
  const bad = fc.constantFrom(-5, NaN, Infinity, null, "7", {}, undefined);
  const count = fc.oneof(fc.nat(1_000_000), bad);
  const property = fc.property(count, count, count, (input_tokens, created, read) => {
    const usable = [input_tokens, created, read].filter((value) =>
      typeof value === "number" && value >= 0 && value < Infinity
    ) as number[];
    const counts = { cache_creation_input_tokens: created, cache_read_input_tokens: read };
    assertEquals(
      contextTokens({ input_tokens, ...counts, output_tokens: 9 }),
      usable.length === 0 ? undefined : usable.reduce((total, value) => total + value, 0),
    );
  });
  fc.assert(property, RUN);
});

Deno.test("usageOfEntry() reads an answer's usage with its model, id and time", () => {
  const base = { timestamp: "2026-01-01T00:00:00Z" };
  const message = { id: "msg_1", model: "claude-haiku-4-5", usage: { input_tokens: 12 } };
  const found = { tokens: 12, source: "api", model: "claude-haiku-4-5", messageId: "msg_1" };
  assertEquals(usageOf({ ...base, message }), { ...found, ...base } as SessionUsage);
  const other = { id: 1, model: null, usage: { input_tokens: 3 } };
  assertEquals(usageOf({ message: other }), { tokens: 3, source: "api" });
});

Deno.test("usageOfEntry() finds no usage in other entries, or in answers without input counts from the API", () => {
  const usage = { input_tokens: 12 };
  const others: JsonObject[] = [
    { type: "user", message: { usage } },
    { type: undefined, message: { usage } },
    { usage },
    { message: {} },
    { message: { usage: null } },
    { message: { usage: [12] } },
    { message: { model: "<synthetic>", usage } },
    { isApiErrorMessage: true, message: { usage } },
    { message: { usage: { output_tokens: 5 } } },
    { message: { usage: { input_tokens: 0, cache_read_input_tokens: 0 } } },
  ];
  for (const raw of others) assertEquals(usageOf(raw), undefined);
});

Deno.test("usageOfMetadata() reads tokens and window if both are finite and the window is over 0", () => {
  const number = fc.constantFrom(undefined, "5", -1, 0, 5, 10, NaN, Infinity);
  const property = fc.property(number, number, (contextTokens, maxContextTokens) => {
    const isUsable = typeof contextTokens === "number" && contextTokens >= 0 &&
      contextTokens < Infinity && (maxContextTokens === 5 || maxContextTokens === 10);
    assertEquals(
      usageOfMetadata({ contextTokens, maxContextTokens, other: 1 }),
      isUsable
        ? { tokens: contextTokens, source: "metadata", window: maxContextTokens }
        : undefined,
    );
  });
  fc.assert(property, RUN);
});
