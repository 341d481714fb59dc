import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { LONG_LINE_BYTES } from "../../src/transcript/long_lines.ts";
import { firstPrompt } from "../../src/trim/edit/copy_title.ts";
import { trimByPlan, type TrimResult } from "../../src/trim/trim_transcript.ts";

/** Trims a session of one call and its result. */
function trimmed(result: unknown, threshold: number): TrimResult & { path: string } {
  const path = Deno.makeTempFileSync();
  const call = { type: "tool_use", id: "t", name: "Read", input: {} };
  const block = { type: "tool_result", tool_use_id: "t", content: result };
  const lines = [
    { type: "assistant", uuid: "a", parentUuid: null, message: { id: "m", content: [call] } },
    { type: "user", uuid: "b", parentUuid: "a", message: { content: [block] } },
  ];
  Deno.writeTextFileSync(path, lines.map((line) => JSON.stringify(line) + "\n").join(""));
  return { ...trimByPlan({ input: path, threshold }), path };
}

Deno.test("planTrim() counts a very long line as if it were read whole", () => {
  const units = 'some words é 😀 "quoted" \n';
  const content = units.repeat(Math.ceil(LONG_LINE_BYTES / units.length));
  const inputChars = "{}".length;
  const chars = [...content].length + inputChars;
  // From this threshold on the heads do not tell, and the line is read whole.
  const [brief, whole] = [trimmed(content, 500), trimmed(content, 100_000)];
  assertEquals([brief.context_chars.before, whole.context_chars.before], [chars, chars]);
  assertEquals([brief.trimmed_count, whole.trimmed_count], [1, 1]);
  assert(brief.context_chars.after < 800);
  assertAlmostEquals(brief.tokens.before / whole.tokens.before, 1, 0.01);
  assert(brief.tokens.after < 1000);
  for (const { path } of [brief, whole]) Deno.removeSync(path);
});

Deno.test("planTrim() reads a line with a long document whole, whose pages are all over it", () => {
  const pdf = "%PDF-1.4\n" + `/Type /Page ${"x".repeat(30_000)}\n`.repeat(150);
  const source = { type: "base64", media_type: "application/pdf", data: btoa(pdf) };
  const { tokens, context_chars, path } = trimmed([{ type: "document", source }], 500);
  assertEquals(context_chars.before, source.data.length + "{}".length);
  assert(tokens.before > 150 * 1000, `${tokens.before}`);
  Deno.removeSync(path);
});

Deno.test("firstPrompt() gives nothing for a prompt that stands too far down", () => {
  const path = Deno.makeTempFileSync();
  const far = { type: "attachment", text: "x".repeat(9_000_000) };
  const prompt = { type: "user", message: { content: "Paint the shed" } };
  Deno.writeTextFileSync(path, [far, prompt].map((line) => JSON.stringify(line) + "\n").join(""));
  assertEquals(firstPrompt(path), undefined);
  Deno.removeSync(path);
});
