import { assert, assertEquals } from "@std/assert";
import { contentParts } from "../../src/transcript/content.ts";
import { viewEntry } from "../../src/transcript/entry.ts";
import type { TokenSample } from "../../src/transcript/tokens/tokens.ts";
import { SpanReader } from "../../src/trim/spans.ts";
import { type Block, picture, text } from "./build_session.ts";

const MODEL = "claude-sonnet-5";

function readSpans(...lines: Block[]): SpanReader {
  const spans = new SpanReader();
  for (const entry of lines.map(viewEntry)) spans.add(entry, contentParts(entry));
  return spans;
}

function answer(id: string, tokens: number, output = 5, stop_reason: unknown = "end_turn"): Block {
  const usage = { input_tokens: tokens, output_tokens: output };
  const content = [text("Done with it.")];
  const message = { id, role: "assistant", model: MODEL, stop_reason, content, usage };
  return { type: "assistant", message };
}

function prompt(words: number, ...more: Block[]): Block {
  const content = [text("a word or two of a prompt ".repeat(words)), ...more];
  return { type: "user", message: { role: "user", content } };
}

Deno.test("SpanReader.scale() limits the cost of text to the tokens billed for messages if there are few spans", () => {
  const spans = readSpans(prompt(1_000), answer("msg_1", 30_000));
  const cost = (nonMessageTokens: number): number =>
    Math.round(spans.scale(MODEL, nonMessageTokens).scale * spans.priorTokens);
  assert(cost(0) < 15_000, "the text alone costs less than was billed");
  assertEquals([cost(27_000), cost(29_000)], [3_000, 1_000]);
  assertEquals([cost(30_000), cost(31_000)], [cost(0), cost(0)], "the figures do not fit");
  const scaleAfter = (count: number): number => {
    const turns = Array.from(
      { length: count + 1 },
      (_, at) => [prompt(100), answer(`msg_${at}`, 1_000 + 600 * at)],
    ).flat();
    return readSpans(...turns).scale(MODEL, 999 + 600 * count).scale;
  };
  assert(scaleAfter(4) < 0.01, "four spans are few");
  assert(scaleAfter(5) > 0.5, "five spans suffice");
});

Deno.test("SpanReader ignores a span that contains a picture of unknown size or a compaction", () => {
  const spansOf = (tokens: number, ...between: Block[]): number => {
    const lines = [answer("msg_1", 45_000), ...between, answer("msg_2", tokens)];
    return readSpans(...lines).calibration.result(MODEL).spans;
  };
  const source = { type: "base64", media_type: "image/png", data: "AAAA" };
  const unknown = { type: "image", source };
  assertEquals(spansOf(46_500, prompt(200, picture(200, 100))), 1);
  assertEquals(spansOf(46_500, prompt(200, unknown)), 0);
  // A compaction replaces the context, so usage before and after it cannot be compared.
  const boundary = { type: "system", subtype: "compact_boundary" };
  assertEquals([spansOf(46_300, prompt(200)), spansOf(46_300, boundary, prompt(200))], [1, 0]);
});

Deno.test("SpanReader subtracts an answer's output tokens only if the figure is final", () => {
  const grownTo = (...answers: Block[]): TokenSample[] => {
    const samples: TokenSample[] = [];
    const spans = new SpanReader();
    Object.assign(spans.calibration, { add: (sample: TokenSample) => samples.push(sample) });
    for (const entry of [...answers, prompt(9), answer("msg_2", 13_000)].map(viewEntry)) {
      spans.add(entry, contentParts(entry));
    }
    return samples;
  };
  const [stopped] = grownTo(answer("msg_1", 10_000, 400));
  const [grown] = grownTo(answer("msg_1", 10_000, 8, null), answer("msg_1", 10_000, 400, null));
  const [open] = grownTo(answer("msg_1", 10_000, 400, null), answer("msg_1", 10_000, 400, null));
  assertEquals([stopped, grown, open].map((sample) => sample?.actualTokens), [2600, 2600, 3000]);
  assertEquals(grown?.priorTokens, stopped?.priorTokens);
  assert((open?.priorTokens ?? 0) > (grown?.priorTokens ?? 0), "the answer's own text counts");
});
