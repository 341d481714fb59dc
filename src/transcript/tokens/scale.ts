/**
 * Learns from a session's own usage how far the estimate of tokens is off in it.
 *
 * @module
 */

/** Spans under this prior are not sampled, in tokens: hidden reminders of about 110 drown them. */
export const MIN_SPAN_TOKENS = 200;

/** How many spans a calibration remembers. The newest count: they show the tokenizer of today. */
export const MAX_SPANS = 32;

/** How much the prior weighs against the spans, in tokens: under it, a session decides nothing. */
export const PRIOR_WEIGHT_TOKENS = 1000;

/** What the prior is multiplied by for a model of the newer tokenizer, as far as nothing else tells. */
const NEWER_TOKENIZER_SCALE = 1.2;

/** A model's name: its family, its version, then a date or the like. */
const MODEL_NAME = /claude-(?:[a-z]+-)?(\d+)(?:-(\d{1,2}))?(?![\d.])/;

/** The least and the largest scale that is believed. Seen: 0.9 to 1.4. */
const SCALE_BOUNDS = { least: 0.25, most: 4 };

/** What lies between two consecutive answers of the model, in one branch and with no compaction. */
export interface Span {
  /** The context that the first answer was billed for, in tokens. */
  contextBefore: number;
  /** The context that the second was billed for, in tokens. */
  contextAfter: number;
  /** What the first answer wrote, if its final figure is known: see {@linkcode finalOutput}. */
  outputTokens?: number | undefined;
  /**
   * The prior of what the first answer holds (texts, names and inputs of tool calls, thinking,
   * {@linkcode TOOL_USE_TOKENS} a call); stands in where `outputTokens` is not known.
   */
  ownPriorTokens: number;
  /** The prior of all that came in: results, {@linkcode TOOL_RESULT_TOKENS} each, attachments. */
  enteredPriorTokens: number;
  /** The model of the second answer. */
  model?: string | undefined;
}

/** One span as a calibration takes it. */
export interface TokenSample {
  /** What the prior says of the text that was added, in tokens. */
  priorTokens: number;
  /** What was billed for it, in tokens. */
  actualTokens: number;
  /** Whose tokenizer it was. */
  model?: string | undefined;
}

/** How far the prior is off in a session. */
export interface TokenScale {
  /** What to multiply a prior by. */
  scale: number;
  /** `session`: its own spans decide; `prior`: they are too few, and the model's name does. */
  source: "session" | "prior";
  /** How many spans stand behind it. */
  spans: number;
}

/**
 * Tells what an answer wrote, if that is known. Its lines repeat one usage, but some clients wrote
 * them before it was complete and left a placeholder of 1 to 26 tokens.
 *
 * @param answer `first` and `last`: `output_tokens` on the answer's first and last line;
 * `stopReason`: that of the last line.
 * @returns Tokens, or `undefined` where the figure may be a placeholder.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { finalOutput } from "./tokens.ts";
 *
 * assertEquals(finalOutput({ first: 209, last: 209, stopReason: "tool_use" }), 209);
 * assertEquals(finalOutput({ first: 1, last: 265, stopReason: null }), 265);
 * assertEquals(finalOutput({ first: 1, last: 1, stopReason: null }), undefined);
 * ```
 */
export function finalOutput(
  answer: { first: number; last: number; stopReason: string | null | undefined },
): number | undefined {
  const isFinal = typeof answer.stopReason === "string" || answer.last > answer.first;
  return isFinal ? answer.last : undefined;
}

/**
 * Turns a span into a sample: what the context grew by, less what the answer itself brought.
 *
 * @param span The span.
 * @returns The sample; {@linkcode TokenCalibration} decides whether it is of use.
 */
export function sampleOfSpan(span: Span): TokenSample {
  const grown = span.contextAfter - span.contextBefore;
  const sample: TokenSample = span.outputTokens === undefined
    ? { priorTokens: span.enteredPriorTokens + span.ownPriorTokens, actualTokens: grown }
    : { priorTokens: span.enteredPriorTokens, actualTokens: grown - span.outputTokens };
  if (span.model !== undefined) sample.model = span.model;
  return sample;
}

/**
 * Learns the scale of a session from its spans, one by one, remembering only the newest 32.
 *
 * The scale is the median of billed / prior, weighted by the prior, so that a few spans with
 * something hidden in them move nothing. The newest spans count because the next request is counted
 * anew by the tokenizer of that day: in one session of the corpus the same text went from 413,000
 * tokens to 327,000 overnight. After a change of the model its own spans are used as soon as they
 * suffice.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { TokenCalibration } from "./tokens.ts";
 *
 * const calibration = new TokenCalibration();
 * assertEquals(calibration.result(), { scale: 1, source: "prior", spans: 0 });
 * for (let i = 0; i < 3; i++) calibration.add({ priorTokens: 1000, actualTokens: 1200 });
 * assertEquals(calibration.result(), { scale: 1.2, source: "session", spans: 3 });
 * ```
 */
export class TokenCalibration {
  readonly #samples: TokenSample[] = [];

  /**
   * Takes one span in, in the order of the session.
   *
   * @param sample The span.
   * @returns Whether it is used: not when it is small, nor when the context did not grow.
   */
  add(sample: TokenSample): boolean {
    const { priorTokens, actualTokens } = sample;
    if (!(priorTokens >= MIN_SPAN_TOKENS) || !(actualTokens > 0)) return false;
    if (priorTokens === Infinity || actualTokens === Infinity) return false;
    this.#samples.push(sample);
    if (this.#samples.length > MAX_SPANS) this.#samples.shift();
    return true;
  }

  /**
   * Tells the scale that the spans so far give.
   *
   * @param model Whose tokenizer it is for; unless given, the newest span's.
   * @returns The scale, where it comes from, and how many spans were used.
   */
  result(model: string | undefined = this.#samples.at(-1)?.model): TokenScale {
    const same = this.#samples.filter((sample) => sample.model === model);
    const used = weigh(same) >= PRIOR_WEIGHT_TOKENS ? same : this.#samples;
    const expected = scaleOfModel(model);
    if (weigh(used) < PRIOR_WEIGHT_TOKENS) {
      return { scale: expected, source: "prior", spans: used.length };
    }
    const { least, most } = SCALE_BOUNDS;
    const scale = Math.min(most, Math.max(least, medianRatio(used, expected)));
    return { scale, source: "session", spans: used.length };
  }
}

/**
 * Learns the scale of a session from all its spans at once.
 *
 * @param samples The spans, in the order of the session.
 * @returns The scale, where it comes from, and how many spans were used.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { calibrateTokens, estimateTextTokens } from "./tokens.ts";
 *
 * const { scale } = calibrateTokens([
 *   { priorTokens: 4000, actualTokens: 4800 },
 *   { priorTokens: 2000, actualTokens: 2400 },
 *   { priorTokens: 900, actualTokens: 9000 }, // something hidden came in
 * ]);
 * assertEquals(scale, 1.2);
 * const saved = Math.round(estimateTextTokens("const answer = 42;\n".repeat(100)) * scale);
 * assertEquals(saved > 500 && saved < 900, true);
 * ```
 */
export function calibrateTokens(samples: Iterable<TokenSample>): TokenScale {
  const calibration = new TokenCalibration();
  for (const sample of samples) calibration.add(sample);
  return calibration.result();
}

/**
 * Tells the scale that a model's name leads to expect. Of 43 sessions with enough spans, those of
 * models up to Opus 4.6 came out at 0.94 to 1.05, but for one at 1.23; those of Opus 4.7 to 5 at
 * 1.17 to 1.37.
 *
 * @param model The model's name, if it is known.
 * @returns 1.2 from version 4.7 on, 1 for older ones and for what is not a known form of name.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { scaleOfModel } from "./scale.ts";
 *
 * assertEquals(scaleOfModel("claude-opus-4-8"), 1.2);
 * assertEquals(scaleOfModel("claude-sonnet-4-5-20250929"), 1);
 * assertEquals(scaleOfModel(undefined), 1);
 * ```
 */
export function scaleOfModel(model: string | undefined): number {
  const [, major = "0", minor = "0"] = MODEL_NAME.exec(model ?? "") ?? [];
  const isNewer = Number(major) > 4 || (Number(major) === 4 && Number(minor) >= 7);
  return isNewer ? NEWER_TOKENIZER_SCALE : 1;
}

function weigh(samples: readonly TokenSample[]): number {
  return samples.reduce((sum, sample) => sum + sample.priorTokens, 0);
}

/** The median of actual / prior, weighted by the prior, with what is expected as one more voice. */
function medianRatio(samples: readonly TokenSample[], expected: number): number {
  const voices = samples.map(({ priorTokens, actualTokens }) => ({
    ratio: actualTokens / priorTokens,
    weight: priorTokens,
  }));
  voices.push({ ratio: expected, weight: PRIOR_WEIGHT_TOKENS });
  voices.sort((a, b) => a.ratio - b.ratio);
  let rest = voices.reduce((sum, voice) => sum + voice.weight, 0) / 2;
  for (const { ratio, weight } of voices) {
    rest -= weight;
    if (rest <= 0) return ratio;
  }
  return expected;
}
