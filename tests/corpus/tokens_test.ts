import { assertGreater, assertLess } from "@std/assert";
import { TokenCalibration, type TokenSample } from "../../src/transcript/tokens/tokens.ts";
import { trimByLength } from "../trim/by_length.ts";
import { CORPUS, corpusTest, sessionFiles } from "./corpus.ts";

/** A sample with more tokens usually contains a long result, which a trim would cut. */
const LARGE_TOKENS = 1_500;

/** Slightly above the median error of a measured run. */
const MEDIAN_BOUND = 0.045;

/** Slightly above the 90th percentile of the errors of a measured run. */
const P90_BOUND = 0.21;

function samplesOf(input: string): TokenSample[] {
  const samples: TokenSample[] = [];
  const { add } = TokenCalibration.prototype;
  TokenCalibration.prototype.add = function (sample): boolean {
    samples.push(sample);
    return add.call(this, sample);
  };
  try {
    trimByLength({ input });
  } finally {
    TokenCalibration.prototype.add = add;
  }
  return samples.filter(({ priorTokens, actualTokens }) => priorTokens > 0 && actualTokens > 0);
}

function errorsOf(samples: readonly TokenSample[]): number[] {
  return samples.filter(({ actualTokens }) => actualTokens > LARGE_TOKENS).map((large) => {
    const calibration = new TokenCalibration();
    for (const sample of samples) if (sample !== large) calibration.add(sample);
    const estimate = large.priorTokens * calibration.result(large.model).scale;
    return Math.abs(estimate - large.actualTokens) / large.actualTokens;
  });
}

corpusTest("a trim estimates the tokens of large results within the error bounds", () => {
  const errors = sessionFiles.flatMap((name) => errorsOf(samplesOf(`${CORPUS}/${name}`)))
    .sort((a, b) => a - b);
  const [median = 1, p90 = 1] = [0.5, 0.9].map((share) =>
    errors[Math.floor(errors.length * share)]
  );
  console.log(`  ${errors.length} large spans, median error ${median}, 90th percentile ${p90}`);
  assertGreater(errors.length, 300);
  assertLess(median, MEDIAN_BOUND);
  assertLess(p90, P90_BOUND);
});
