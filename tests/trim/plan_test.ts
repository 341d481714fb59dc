import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { LONG_LINE_BYTES } from "../../src/transcript/long_lines.ts";
import type { JsonObject } from "../../src/core/record.ts";
import { type TrimCounts, trimTranscript } from "../../src/trim/trim_transcript.ts";
import { planToTarget, resolveTrim } from "../../src/trim/trim_options.ts";
import { toolUse, writeSession } from "./build_session.ts";

function trimResults(
  results: readonly unknown[],
  threshold: number,
  ...more: JsonObject[]
): TrimCounts {
  const ids = results.map((_, n) => `t${n}`);
  const calls = ids.map((id) => toolUse(id, "Read", {}));
  const content = ids.map((tool_use_id, n) => {
    return { type: "tool_result", tool_use_id, content: results[n] };
  });
  const lines = [
    { type: "assistant", uuid: "a", parentUuid: null, message: { id: "m", content: calls } },
    { type: "user", uuid: "b", parentUuid: "a", message: { content } },
    ...more,
  ];
  using session = writeSession(lines.map((line) => JSON.stringify(line)));
  return trimTranscript({ input: session.input, threshold, keep: "head" });
}

Deno.test("planTrim() counts all characters of a very long line, at any threshold", () => {
  const units = 'some words é 😀 "quoted" \n';
  const content = units.repeat(Math.ceil(LONG_LINE_BYTES / units.length));
  const inputChars = "{}".length;
  const chars = [...content].length + inputChars;
  const [low, high] = [trimResults([content], 500), trimResults([content], 100_000)];
  assertEquals([low.context_chars.before, high.context_chars.before], [chars, chars]);
  assertEquals([low.trimmed_count, high.trimmed_count], [1, 1]);
  assert(low.context_chars.after < 800);
  assertAlmostEquals(low.tokens.before / high.tokens.before, 1, 0.01);
  assert(low.tokens.after < 1000);
});

Deno.test("planTrim() reads a line with a long document in full, since pages can occur anywhere in it", () => {
  const pdf = "%PDF-1.4\n" + `/Type /Page ${"x".repeat(30_000)}\n`.repeat(150);
  const source = { type: "base64", media_type: "application/pdf", data: btoa(pdf) };
  const { tokens, context_chars } = trimResults([[{ type: "document", source }]], 500);
  assertEquals(context_chars.before, source.data.length + "{}".length);
  assert(tokens.before > 150 * 1000, `${tokens.before}`);
});

Deno.test("resolveTrim() lists several settings only for a target with `need`", () => {
  const count = (choices: Parameters<typeof resolveTrim>[0]): number => resolveTrim(choices).length;
  const target = { targetPercent: 50 };
  assertEquals([count({}), count({ keep: "head" }), count({ ...target, keep: "head" })], [1, 1, 1]);
  assertEquals([count(target), count({ ...target, depth: "deep" })], [3, 2]);
});

Deno.test("planToTarget() returns the first plan that reaches the target, or else the first of those that free most", () => {
  const chosen = (...sizes: number[]): number => {
    let count = 0;
    return planToTarget(resolveTrim({ targetPercent: 50 }), () => {
      const after = sizes[count] ?? 0;
      return { tokens: { after }, isReached: after <= 10, nth: count++ };
    }).nth;
  };
  assertEquals([chosen(10, 5, 1), chosen(20, 9, 1), chosen(30, 20, 20), chosen(20, 20, 20)], [
    ...[0, 1, 1, 0],
  ]);
});
