import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { type JsonObject, viewEntry } from "../../src/transcript/entry.ts";
import {
  contextTokens,
  type SessionUsage,
  usageOfEntry,
  usageOfMetadata,
} from "../../src/transcript/tokens/usage.ts";

const RUN = { numRuns: 500, seed: 20_261_122 };

function usageOf(raw: JsonObject): SessionUsage | undefined {
  return usageOfEntry(viewEntry(raw));
}

Deno.test("contextTokens() adds up all input, cached or not, and no output", () => {
  assertEquals(
    contextTokens({
      input_tokens: 1,
      cache_creation_input_tokens: 20,
      cache_read_input_tokens: 300,
      output_tokens: 4000,
    }),
    321,
  );
  assertEquals(contextTokens({ cache_read_input_tokens: 5 }), 5);
  assertEquals(contextTokens({ input_tokens: 0 }), 0);
});

Deno.test("contextTokens() is undefined where no input is counted", () => {
  for (
    const usage of [
      {},
      { output_tokens: 9 },
      { input_tokens: "9" },
      { input_tokens: null },
      { input_tokens: -1 },
      { input_tokens: NaN },
      { input_tokens: Infinity },
    ]
  ) {
    assertEquals(contextTokens(usage), undefined);
  }
});

Deno.test("contextTokens() adds the counts that are usable and passes over the others", () => {
  const count = fc.oneof(fc.nat(1_000_000), fc.constantFrom(-5, NaN, Infinity, null, "7", {}));
  fc.assert(
    fc.property(count, count, count, (input, created, read) => {
      const usable = [input, created, read].filter((value) =>
        typeof value === "number" && value >= 0 && value < Infinity
      ) as number[];
      const sum = usable.reduce((total, value) => total + value, 0);
      assertEquals(
        contextTokens({
          input_tokens: input,
          cache_creation_input_tokens: created,
          cache_read_input_tokens: read,
        }),
        usable.length === 0 ? undefined : sum,
      );
    }),
    RUN,
  );
});

Deno.test("usageOfEntry() reads an answer's usage with model, id and time", () => {
  assertEquals(
    usageOf({
      type: "assistant",
      timestamp: "2026-01-01T00:00:00Z",
      message: { id: "msg_1", model: "claude-haiku-4-5", usage: { input_tokens: 12 } },
    }),
    {
      tokens: 12,
      source: "api",
      model: "claude-haiku-4-5",
      messageId: "msg_1",
      timestamp: "2026-01-01T00:00:00Z",
    },
  );
});

Deno.test("usageOfEntry() leaves out what an answer does not say or says in another type", () => {
  assertEquals(
    usageOf({ type: "assistant", message: { id: 1, model: null, usage: { input_tokens: 3 } } }),
    { tokens: 3, source: "api" },
  );
});

Deno.test("usageOfEntry() finds none in what is not an answer of the model", () => {
  const usage = { input_tokens: 12 };
  for (
    const raw of [
      { type: "user", message: { usage } },
      { message: { usage } },
      { type: "assistant" },
      { type: "assistant", usage },
      { type: "assistant", message: {} },
      { type: "assistant", message: { usage: null } },
      { type: "assistant", message: { usage: [12] } },
      { type: "assistant", message: { model: "<synthetic>", usage } },
      { type: "assistant", isApiErrorMessage: true, message: { usage } },
      { type: "assistant", message: { usage: { output_tokens: 5 } } },
      { type: "assistant", message: { usage: { input_tokens: 0, cache_read_input_tokens: 0 } } },
    ]
  ) {
    assertEquals(usageOf(raw), undefined);
  }
});

Deno.test("usageOfMetadata() reads tokens and window, an empty context too", () => {
  assertEquals(usageOfMetadata({ contextTokens: 5, maxContextTokens: 10, other: 1 }), {
    tokens: 5,
    source: "metadata",
    window: 10,
  });
  assertEquals(usageOfMetadata({ contextTokens: 0, maxContextTokens: 10 })?.tokens, 0);
});

Deno.test("usageOfMetadata() finds none where a number is missing, 0 at most or not finite", () => {
  for (
    const [contextTokens, maxContextTokens] of [
      [undefined, 10],
      [5, undefined],
      ["5", 10],
      [5, "10"],
      [5, 0],
      [5, -1],
      [-1, 10],
      [NaN, 10],
      [5, NaN],
      [5, Infinity],
      [Infinity, 10],
    ]
  ) {
    assertEquals(usageOfMetadata({ contextTokens, maxContextTokens }), undefined);
  }
});
