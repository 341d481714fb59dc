import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { JsonObject } from "../../src/transcript/entry.ts";
import { EditList } from "../../src/trim/edit/edits.ts";
import { lowerUsage } from "../../src/trim/edit/lower_usage.ts";

function lowered(text: string, tokens: number): string {
  const edits = new EditList();
  lowerUsage(text, 0, text.length, edits, tokens);
  edits.sort();
  let result = text;
  for (const edit of edits.edits.toReversed()) {
    result = result.slice(0, edit.start) + new TextDecoder().decode(edit.bytes) +
      result.slice(edit.end);
  }
  return result;
}

function line(usage: JsonObject): string {
  return JSON.stringify({
    type: "assistant",
    message: { usage, id: "m" },
    usage: { input_tokens: 9 },
  });
}

Deno.test("lowerUsage() takes from the cache read first, and leaves all other numbers", () => {
  const usage = {
    input_tokens: 3,
    cache_creation_input_tokens: 1000,
    cache_creation: { ephemeral_5m_input_tokens: 1000 },
    cache_read_input_tokens: 50_000,
    output_tokens: 77,
  };
  assertEquals(lowered(line(usage), 20_000), line({ ...usage, cache_read_input_tokens: 18_997 }));
  assertEquals(
    lowered(line(usage), 500),
    line({ ...usage, cache_read_input_tokens: 0, cache_creation_input_tokens: 497 }),
  );
});

Deno.test("lowerUsage() never raises, and passes lines without usage", () => {
  const text = line({ input_tokens: 10, output_tokens: 5 });
  assertEquals(lowered(text, 10), text);
  assertEquals(lowered(text, 11), text);
  for (const other of ['{"message":{}}', '{"message":7}', "{}", "", '{"message":{"usage":null}}']) {
    assertEquals(lowered(other, 0), other);
  }
});

Deno.test("lowerUsage() brings any counts to their sum", () => {
  const anyCount = fc.nat({ max: 1_000_000 });
  fc.assert(
    fc.property(anyCount, anyCount, anyCount, anyCount, (input, write, read, tokens) => {
      const keys = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
      const counts = [input, write, read];
      const usage = Object.fromEntries(keys.map((key, n) => [key, counts[n]]));
      const { message } = JSON.parse(lowered(line(usage), tokens));
      const sum = keys.reduce((total, key) => total + message.usage[key], 0);
      assertEquals(sum, Math.min(tokens, input + write + read));
    }),
    { numRuns: 300, seed: 20261122 },
  );
});

Deno.test("lowerUsage() takes of two usages the one that is read", () => {
  const text = '{"message":{"usage":{"input_tokens":9},"usage":' +
    '{"input_tokens":800,"cache_read_input_tokens":1,"input_tokens":900}}}';
  const { message } = JSON.parse(lowered(text, 500));
  assertEquals(message.usage, { input_tokens: 500, cache_read_input_tokens: 0 });
});
