/** Calibrates the token estimate with a session's own usage. `tokens.ts` explains prior, span and scale. */

import { pushNewest } from "../../core/newest.ts";
import { versionOfModel } from "./window.ts";

/** Spans with a smaller prior, in tokens, are ignored, because hidden reminders of about 110 tokens distort them. */
export const MIN_SPAN_TOKENS = 200;

/** Only the newest spans count, because they reflect the current tokenizer. */
export const MAX_SPANS = 32;

/** Weight of the prior, in tokens, so that a session with fewer sampled tokens does not override it. */
const PRIOR_WEIGHT_TOKENS = 1000;

/** Scale for models from version 4.7 on, whose tokenizer is newer, until the session has enough spans. */
const NEWER_TOKENIZER_SCALE = 1.2;

/** Observed scales range from 0.9 to 1.4. */
const SCALE_BOUNDS = { min: 0.25, max: 4 };

/** Tokens of the text between two consecutive answers of the model, as estimated and as billed. */
export interface TokenSample {
  priorTokens: number;
  actualTokens: number;
  model?: string | undefined;
}

export interface TokenScale {
  scale: number;
  /** `prior` if the session's spans have too few tokens, so that the model's name decides. */
  source: "session" | "prior";
  spans: number;
}

export class TokenCalibration {
  readonly #samples: TokenSample[] = [];

  /** Expects the samples in session order. Returns false for a sample that does not count. */
  add(sample: TokenSample): boolean {
    const { priorTokens, actualTokens } = sample;
    if (!(priorTokens >= MIN_SPAN_TOKENS) || !(actualTokens > 0)) return false;
    if (priorTokens === Infinity || actualTokens === Infinity) return false;
    pushNewest(this.#samples, sample, MAX_SPANS);
    return true;
  }

  result(model: string | undefined = this.#samples.at(-1)?.model): TokenScale {
    const sameModel = this.#samples.filter((sample) => sample.model === model);
    const used = totalPriorTokens(sameModel) >= PRIOR_WEIGHT_TOKENS ? sameModel : this.#samples;
    const expected = scaleOfModel(model);
    if (totalPriorTokens(used) < PRIOR_WEIGHT_TOKENS) {
      return { scale: expected, source: "prior", spans: used.length };
    }
    const { min, max } = SCALE_BOUNDS;
    const scale = Math.min(max, Math.max(min, medianRatio(used, expected)));
    return { scale, source: "session", spans: used.length };
  }
}

export function scaleOfModel(model: string | undefined): number {
  return versionOfModel(model) >= 407 ? NEWER_TOKENIZER_SCALE : 1;
}

function totalPriorTokens(samples: readonly TokenSample[]): number {
  return samples.reduce((sum, sample) => sum + sample.priorTokens, 0);
}

/** Returns the median of actual / prior, weighted by the prior; `expected` is one more sample. */
function medianRatio(samples: readonly TokenSample[], expected: number): number {
  const weighted = samples.map(({ priorTokens, actualTokens }) => ({
    ratio: actualTokens / priorTokens,
    weight: priorTokens,
  }));
  weighted.push({ ratio: expected, weight: PRIOR_WEIGHT_TOKENS });
  weighted.sort((a, b) => a.ratio - b.ratio);
  let remaining = weighted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  for (const { ratio, weight } of weighted) {
    remaining -= weight;
    if (remaining <= 0) return ratio;
  }
  return expected;
}
