import { assertEquals } from "@std/assert";
import { contentParts } from "../../src/transcript/content.ts";
import { type Entry, viewEntry } from "../../src/transcript/entry.ts";
import { SpanReader } from "../../src/trim/spans.ts";

const MODEL = "claude-sonnet-5";

function answer(id: string, tokens: number): Entry {
  return viewEntry({
    type: "assistant",
    message: {
      id,
      role: "assistant",
      model: MODEL,
      stop_reason: "end_turn",
      content: [{ type: "text", text: "Done with it." }],
      usage: { input_tokens: tokens, output_tokens: 5 },
    },
  });
}

Deno.test("SpanReader calibrates by no span across a boundary, whose text was not all added", () => {
  const prompt = viewEntry({
    type: "user",
    message: { role: "user", content: "a word or two of a prompt ".repeat(200) },
  });
  const boundary = viewEntry({ type: "system", subtype: "compact_boundary" });
  const spansOf = (...entries: Entry[]): number => {
    const spans = new SpanReader();
    for (const entry of entries) spans.add(entry, contentParts(entry));
    return spans.calibration.result(MODEL).spans;
  };
  const [before, after] = [answer("msg_1", 45_000), answer("msg_2", 46_300)];
  assertEquals(spansOf(before, prompt, after), 1);
  assertEquals(spansOf(before, boundary, prompt, after), 0);
});
