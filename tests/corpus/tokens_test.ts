import { assert, assertGreater, assertLess } from "@std/assert";
import { TOKEN_WEIGHTS, TokenCalibration } from "../../src/transcript/tokens/tokens.ts";
import { CORPUS, corpusTest } from "./corpus.ts";
import { LARGE_CHARACTERS, readSpanCorpus, type SpanRow, UNITS } from "./token_spans.ts";

/** Twice the errors of a measured run. */
const MEDIAN_BOUND = 0.03;
const P90_BOUND = 0.13;

corpusTest("TokenCalibration predicts the tokens of large results in real sessions", () => {
  const { rows, sessions, large, excluded } = readSpanCorpus(CORPUS);
  const reasons = [...excluded].map(([why, count]) => `${count} ${why}`).join(", ");
  console.log(`  ${large} large spans of ${sessions} sessions; left out: ${reasons}`);
  assertGreater(rows.filter(isLarge).length, large * 0.9, "too many spans are left out");
  const byLength = errorsOf(rows, rows.map((row) => row.characters / 4));
  const own = errorsOf(rows, scaled(rows, rows.map(priorOf)));
  console.log("  characters / 4:", byLength, "estimated from the session's other spans:", own);
  assertLess(own.median, MEDIAN_BOUND);
  assertLess(own.p90, P90_BOUND);
  assertLess(own.median, byLength.median / 2);
  assertLess(own.p90, byLength.p90 / 2);
});

function isLarge(row: SpanRow): boolean {
  return row.resultCharacters > LARGE_CHARACTERS;
}

/** Predicts the tokens of a span without its session. */
function priorOf(row: SpanRow): number {
  return UNITS.reduce((sum, unit, i) => sum + (row.units[i] ?? 0) * TOKEN_WEIGHTS[unit], row.fixed);
}

/** Scales the prediction for each large span by the other spans of its session. */
function scaled(rows: SpanRow[], priors: number[]): number[] {
  return rows.map((row, index) => {
    const calibration = new TokenCalibration();
    for (const [other, sample] of isLarge(row) ? rows.entries() : []) {
      if (other === index || sample.file !== row.file) continue;
      const { actual: actualTokens, model } = sample;
      calibration.add({ priorTokens: priors[other] ?? 0, actualTokens, model });
    }
    return (priors[index] ?? 0) * calibration.result(row.model).scale;
  });
}

/** Returns the relative errors of the large spans' predicted tokens. */
function errorsOf(rows: SpanRow[], predicted: number[]): { median: number; p90: number } {
  const errors = rows.flatMap((row, index) =>
    isLarge(row) ? [Math.abs((predicted[index] ?? 0) - row.actual) / row.actual] : []
  );
  return { median: quantile(errors, 0.5), p90: quantile(errors, 0.9) };
}

function quantile(values: number[], share: number): number {
  assert(values.length > 0, "no span is large");
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? 0;
  const high = sorted[Math.ceil(at)] ?? 0;
  return low + (high - low) * (at - Math.floor(at));
}
