import { assert, assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import fc from "fast-check";
import {
  countTextUnits,
  estimateTextTokens,
  estimateThinkingTokens,
  MAX_SPANS,
  MIN_SPAN_TOKENS,
  scaleOfModel,
  TOKEN_WEIGHTS,
  TokenCalibration,
  type TokenSample,
  type TokenScale,
} from "../../src/transcript/tokens/tokens.ts";
import { anyCharacters } from "../any_characters.ts";

const SEED = 20_261_122;
const RUNS = 2000;

const PROSE = "The estimate of tokens saved is calibrated on the session itself. ".repeat(20);
const CODE = '  if (entry.parentUuid === undefined) {\n    return readTail(path, "r");\n  }\n'
  .repeat(20);

/** Texts that use every branch of the automaton, including escape sequences and broken surrogate pairs. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom("a", "e", "B", "Q", "7", "0", " ", "\t", "\n", ";", "=", "/", "\u001b", "["),
    fc.constantFrom("\u001b[0m", "\u001b[1;31", "é", "→", "字", "한", "😀", "\ud83d", "\ude00"),
    anyCharacters({ minLength: 1, maxLength: 1 }),
  ),
  maxLength: 60,
});

function density(sample: string): number {
  return estimateTextTokens(sample) / sample.length;
}

Deno.test("estimateTextTokens() counts 4 to 6 characters per token in prose, and fewer in other text", () => {
  assertGreater(1 / density(PROSE), 4);
  assertLess(1 / density(PROSE), 6);
  assertGreater(density(CODE), density(PROSE));
  assertGreater(density("31415926535897932384626433832795"), density(CODE));
  const hash = "8874d310b44ddd06a1f93c5e7b2048d6";
  const base64 = "EqsNCmMIDhgCKkCtCwfEqHhEjrIVnXEmIA87cDzTPK4bdnkZIAOZrN91wbJQZ";
  for (const noise of [hash, base64]) assertGreater(density(noise), 2 * density(PROSE));
  for (const unit of ["=", " ", "\t", "\n", "\r\n", "a", "A", "7", "\u0000", "─"]) {
    assertGreater(estimateTextTokens(unit.repeat(10_000)), 100, JSON.stringify(unit));
  }
});

Deno.test("estimateTextTokens() counts CJK characters, surrogates and escape sequences", () => {
  const { cjk, symbol, escape, word } = TOKEN_WEIGHTS;
  assertAlmostEquals(estimateTextTokens("漢字かな한글"), 6 * cjk);
  assertGreater(cjk, 1);
  assertAlmostEquals(estimateTextTokens("😀"), 2 * symbol);
  assertAlmostEquals(estimateTextTokens("\ud83d"), symbol);
  assertAlmostEquals(estimateTextTokens("\ude00\ud83d"), 2 * symbol);
  assertAlmostEquals(estimateTextTokens("\u001b[1;31mred\u001b[0m"), 2 * escape + word);
  assertGreater(estimateTextTokens(`\u001b[${"1".repeat(3000)}`), 1000);
});

type TextUnits = Record<keyof typeof TOKEN_WEIGHTS, number>;

/** Matches runs of characters of one kind. Each control character forms a separate run. */
const RUNS_OF_ONE_KIND = /[A-Z]+|[a-z]+|[0-9]+| +|\t+|[\n\r]+|[!-/:-@[-`{-~]+|[^]/g;

/** A slower but simpler version of `countTextUnits` for text below U+0080 without escape sequences. */
function plainUnits(value: string): TextUnits {
  const units: TextUnits = { ...TOKEN_WEIGHTS };
  for (const unit of Object.keys(units)) units[unit as keyof TextUnits] = 0;
  let before = "";
  for (const [run] of value.matchAll(RUNS_OF_ONE_KIND)) {
    const rest = run.length - 1;
    if (/[A-Z]/.test(run)) {
      units[/[a-z]/.test(before) ? "hump" : "word"]++;
      units.capital += rest;
    } else if (/[a-z]/.test(run)) {
      const isCapitalized = /[A-Z]/.test(before);
      if (!isCapitalized) units.word++;
      units.letter += Math.max(0, rest - (isCapitalized ? 2 : 3));
    } else if (/[0-9]/.test(run)) {
      units.digits += Math.ceil(run.length / 3);
      units.more += run.length - Math.ceil(run.length / 3);
    } else if (run.startsWith(" ")) {
      if (rest > 0) units.indent++;
      units.more += Math.max(0, rest - 1);
    } else if (/[!-~\s]/.test(run) && !/[\v\f]/.test(run)) {
      units[run.startsWith("\t") ? "tab" : /[\n\r]/.test(run) ? "newline" : "mark"]++;
      units.more += rest;
    } else units.symbol++;
    before = run;
  }
  return units;
}

Deno.test("countTextUnits() counts the same units as regular expressions", () => {
  const pieces = ["a", "bcd", "efghijk", "L", "MN", "1", "2345", " ", "   ", "\t", "\n", ";", "()"];
  const any = fc.string({ unit: "binary-ascii", maxLength: 3 });
  const value = fc.array(fc.oneof(fc.constantFrom(...pieces), any), { maxLength: 20 })
    .map((parts) => parts.join("").replaceAll("\u001b", ""));
  fc.assert(
    fc.property(value, (some) => {
      assertEquals([...countTextUnits(some)], Object.values(plainUnits(some)));
    }),
    { numRuns: RUNS, seed: SEED },
  );
});

Deno.test("estimateTextTokens() grows with the text, stays within bounds, and nearly equals the sum over parts", () => {
  assertEquals(estimateTextTokens(""), 0);
  const property = fc.property(text, text, (head, tail) => {
    const whole = estimateTextTokens(head + tail);
    assert(whole >= estimateTextTokens(head) - 1e-9);
    assert(whole >= 0 && whole <= 4 * (head + tail).length, `${whole}`);
    const parts = estimateTextTokens(head) + estimateTextTokens(tail);
    assertLess(Math.abs(parts - whole), (head + tail).includes("\u001b[") ? 24 : 2);
  });
  fc.assert(property, { numRuns: RUNS, seed: SEED });
});

Deno.test("estimateThinkingTokens() uses the signature, or the text if there is no signature", () => {
  assertEquals(estimateThinkingTokens("", 10_000), 2700);
  assertEquals(estimateThinkingTokens("a summary", 10_000), 1867);
  assertEquals(estimateThinkingTokens("a summary", 100), 0);
  assertEquals(estimateThinkingTokens(PROSE, 0), estimateTextTokens(PROSE));
  assertEquals(estimateThinkingTokens("", 0), 0);
});

Deno.test("TokenCalibration uses the model's name if spans are too few", () => {
  assertEquals(scaleOf([]), { scale: 1, source: "prior", spans: 0 });
  assertEquals(scaleOf([sample(900, 2)]), { scale: 1, source: "prior", spans: 1 });
  const calibration = new TokenCalibration();
  assertEquals(calibration.result("claude-opus-4-8").scale, 1.2);
  calibration.add({ ...sample(900, 1), model: "claude-opus-5" });
  assertEquals(calibration.result(), { scale: 1.2, source: "prior", spans: 1 });
  assertEquals(calibration.result("claude-sonnet-4-6-20250929").scale, 1);
});

Deno.test("scaleOfModel() is higher for models with the newer tokenizer", () => {
  const newer = ["claude-opus-4-7", "claude-opus-5", "us.anthropic.claude-sonnet-5-1-v1:0"];
  const others = [
    "claude-opus-4-6",
    "claude-opus-4-20250514",
    "claude-3-opus-20240229",
    "opus",
    "",
  ];
  assertEquals([...newer, ...others].filter((name) => scaleOfModel(name) === 1.2), newer);
  assertEquals(scaleOfModel(undefined), 1);
});

Deno.test("TokenCalibration finds the typical ratio of a session within limits, even if some spans are outliers", () => {
  const samples = [1000, 4000, 800, 250].map((prior) => sample(prior, 1.2));
  assertEquals(scaleOf(samples), { scale: 1.2, source: "session", spans: 4 });
  const outliers = [sample(2000, 11), sample(300, 40), sample(250, 0.05)];
  assertEquals(scaleOf([...samples, ...outliers]).scale, 1.2);
  assertEquals(scaleOf([sample(1000, 2)]), { scale: 1, source: "session", spans: 1 });
  assertEquals(scaleOf([sample(9000, 50)]).scale, 4);
  assertEquals(scaleOf([sample(9000, 0.01)]).scale, 0.25);
});

Deno.test("TokenCalibration.add() ignores unusable samples", () => {
  const calibration = new TokenCalibration();
  for (const value of [NaN, Infinity, -Infinity, 0, -5]) {
    assert(!calibration.add({ priorTokens: 1000, actualTokens: value }), `${value}`);
    assert(!calibration.add({ priorTokens: value, actualTokens: 1000 }), `${value}`);
  }
  assert(!calibration.add({ priorTokens: MIN_SPAN_TOKENS - 1, actualTokens: 500 }));
  assertEquals(calibration.result(), { scale: 1, source: "prior", spans: 0 });
  assert(calibration.add({ priorTokens: MIN_SPAN_TOKENS, actualTokens: 500 }));
});

Deno.test("TokenCalibration keeps only the newest spans", () => {
  const calibration = new TokenCalibration();
  for (let i = 0; i < 10_000; i++) calibration.add(sample(2000, 1.3));
  assertEquals(calibration.result(), { scale: 1.3, source: "session", spans: MAX_SPANS });
  for (let i = 0; i < MAX_SPANS; i++) calibration.add(sample(2000, 1.1));
  assertEquals(calibration.result().scale, 1.1);
});

Deno.test("TokenCalibration uses the newest model once its spans suffice", () => {
  const calibration = new TokenCalibration();
  for (let i = 0; i < 20; i++) calibration.add({ ...sample(2000, 1), model: "old" });
  calibration.add({ ...sample(500, 1.4), model: "new" });
  assertEquals(calibration.result(), { scale: 1, source: "session", spans: 21 });
  calibration.add({ ...sample(500, 1.4), model: "new" });
  assertEquals(calibration.result().spans, 2);
  for (let i = 0; i < 3; i++) calibration.add({ ...sample(1500, 1.4), model: "new" });
  assertEquals(calibration.result(), { scale: 1.4, source: "session", spans: 5 });
});

function scaleOf(samples: Iterable<TokenSample>): TokenScale {
  const calibration = new TokenCalibration();
  for (const one of samples) calibration.add(one);
  return calibration.result();
}

function sample(priorTokens: number, ratio: number): TokenSample {
  return { priorTokens, actualTokens: priorTokens * ratio };
}
