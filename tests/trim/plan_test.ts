import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { LONG_LINE_BYTES } from "../../src/transcript/long_lines.ts";
import { firstPrompt } from "../../src/transcript/copy_title.ts";
import { type TrimCounts, trimTranscript } from "../../src/trim/trim_transcript.ts";

function trimOneResult(result: unknown, threshold: number): TrimCounts & { path: string } {
  const path = Deno.makeTempFileSync();
  const call = { type: "tool_use", id: "t", name: "Read", input: {} };
  const block = { type: "tool_result", tool_use_id: "t", content: result };
  const lines = [
    { type: "assistant", uuid: "a", parentUuid: null, message: { id: "m", content: [call] } },
    { type: "user", uuid: "b", parentUuid: "a", message: { content: [block] } },
  ];
  Deno.writeTextFileSync(path, lines.map((line) => JSON.stringify(line) + "\n").join(""));
  return { ...trimTranscript({ input: path, threshold, keep: "head" }), path };
}

Deno.test("planTrim() never estimates more tokens for the text than the API billed", () => {
  const path = Deno.makeTempFileSync();
  const calls = ["t1", "t2"].map((id) => ({ type: "tool_use", id, name: "Read", input: {} }));
  const results = calls.map(({ id }) => ({
    type: "tool_result",
    tool_use_id: id,
    content: "0".repeat(90_000),
  }));
  // The only answer, so the estimate cannot be calibrated.
  const usage = { input_tokens: 20_000, output_tokens: 10 };
  const answer = { id: "m2", model: "claude-sonnet-5", content: [], usage };
  const lines = [
    { type: "assistant", uuid: "a", parentUuid: null, message: { id: "m", content: calls } },
    { type: "user", uuid: "b", parentUuid: "a", message: { content: results } },
    { type: "assistant", uuid: "c", parentUuid: "b", message: answer },
  ];
  Deno.writeTextFileSync(path, lines.map((line) => JSON.stringify(line) + "\n").join(""));
  const result = trimTranscript({ input: path, threshold: 500, keep: "head" });
  assertEquals(result.trimmed_count, 2);
  assertEquals(result.tokens.before, 20_000);
  // Cutting nearly all text frees nearly all billed tokens, and never more.
  assert(result.tokens.after > 0 && result.tokens.after < 2_000, `${result.tokens.after}`);
  assert(result.estimate.scale < 1, `${result.estimate.scale}`);
  Deno.removeSync(path);
});

Deno.test("planTrim() counts a very long line as if it were read in full", () => {
  const units = 'some words é 😀 "quoted" \n';
  const content = units.repeat(Math.ceil(LONG_LINE_BYTES / units.length));
  const inputChars = "{}".length;
  const chars = [...content].length + inputChars;
  // For a threshold this high, the start of a line is not enough, and the line is read in full.
  const [brief, whole] = [trimOneResult(content, 500), trimOneResult(content, 100_000)];
  assertEquals([brief.context_chars.before, whole.context_chars.before], [chars, chars]);
  assertEquals([brief.trimmed_count, whole.trimmed_count], [1, 1]);
  assert(brief.context_chars.after < 800);
  assertAlmostEquals(brief.tokens.before / whole.tokens.before, 1, 0.01);
  assert(brief.tokens.after < 1000);
  for (const { path } of [brief, whole]) Deno.removeSync(path);
});

Deno.test("planTrim() reads a line with a long document in full, since pages occur anywhere in it", () => {
  const pdf = "%PDF-1.4\n" + `/Type /Page ${"x".repeat(30_000)}\n`.repeat(150);
  const source = { type: "base64", media_type: "application/pdf", data: btoa(pdf) };
  const { tokens, context_chars, path } = trimOneResult([{ type: "document", source }], 500);
  assertEquals(context_chars.before, source.data.length + "{}".length);
  assert(tokens.before > 150 * 1000, `${tokens.before}`);
  Deno.removeSync(path);
});

Deno.test("firstPrompt() returns nothing for a prompt too far from the start", () => {
  const path = Deno.makeTempFileSync();
  const far = { type: "attachment", text: "x".repeat(9_000_000) };
  const prompt = { type: "user", message: { content: "Paint the shed" } };
  Deno.writeTextFileSync(path, [far, prompt].map((line) => JSON.stringify(line) + "\n").join(""));
  assertEquals(firstPrompt(path), undefined);
  Deno.removeSync(path);
});
