import { assert, assertEquals } from "@std/assert";
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

Deno.test("SpanReader.scale() limits the cost of text to the tokens billed for messages", () => {
  const spans = new SpanReader();
  const content = "a word or two of a prompt ".repeat(1_000);
  const prompt = viewEntry({ type: "user", message: { role: "user", content } });
  for (const entry of [prompt, answer("msg_1", 30_000)]) spans.add(entry, contentParts(entry));
  const cost = (nonMessageTokens: number): number =>
    Math.round(spans.scale(MODEL, nonMessageTokens).scale * spans.priorTokens);
  assert(cost(0) < 15_000, "the text alone costs less than was billed");
  assertEquals([cost(27_000), cost(29_000)], [3_000, 1_000]);
});

Deno.test("SpanReader ignores a span with a picture of unknown size", () => {
  const seen = (data: string): Entry =>
    viewEntry({
      type: "user",
      message: {
        role: "user",
        content: [
          { type: "text", text: "a word or two of a prompt ".repeat(200) },
          { type: "image", source: { type: "base64", media_type: "image/png", data } },
        ],
      },
    });
  const spansOf = (data: string): number => {
    const spans = new SpanReader();
    for (const entry of [answer("msg_1", 45_000), seen(data), answer("msg_2", 46_500)]) {
      spans.add(entry, contentParts(entry));
    }
    return spans.calibration.result(MODEL).spans;
  };
  // The head of a PNG of 200 by 100 pixels.
  const head = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82];
  const png = btoa(String.fromCharCode(...head, 0, 0, 0, 200, 0, 0, 0, 100, 8, 6, 0, 0, 0));
  assertEquals([spansOf(png), spansOf("AAAA")], [1, 0]);
});

Deno.test("SpanReader ignores a span across a boundary, whose text was not all added", () => {
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
