import { assert, assertGreater, assertLess } from "@std/assert";
import {
  CHARACTERS_PER_TOKEN,
  scaleOfModel,
  TOKEN_WEIGHTS,
  TokenCalibration,
} from "../../src/transcript/tokens/tokens.ts";
import { fitWeights, priorOf } from "./token_fit.ts";
import { LARGE_CHARACTERS, readSpanCorpus, type SpanRow, UNITS } from "./token_spans.ts";

const CORPUS = Deno.env.get("TRIMTAB_CORPUS") ??
  decodeURIComponent(new URL("../../../shared/corpus", import.meta.url).pathname);

const SHIPPED = UNITS.map((unit) => TOKEN_WEIGHTS[unit]);

/** Twice the errors of a measured run. */
const MEDIAN_BOUND = 0.03;
const P90_BOUND = 0.13;

Deno.test({
  name: "TokenCalibration predicts the tokens of large results in real sessions",
  ignore: !hasCorpus(),
  fn(): void {
    const { rows, sessions, large, excluded } = readSpanCorpus(CORPUS);
    assertGreater(sessions, 0, `${CORPUS} holds no sessions`);
    const reasons = [...excluded].map(([why, count]) => `${count} ${why}`).join(", ");
    console.log(`  ${large} large spans of ${sessions} sessions; left out: ${reasons}`);
    console.log(`  ${"relative error of the tokens added".padEnd(50)} median      p90`);

    const by4 = report("characters / 4", rows, rows.map((row) => row.characters / 4));
    const counted = rows.map((row) => row.characters / CHARACTERS_PER_TOKEN);
    report("one ratio, from the session's earlier spans", rows, scaled(rows, counted, true));
    report("one ratio, from its other spans", rows, scaled(rows, counted));
    const fitted = priorsWithoutSession(rows);
    report("prior, its weights fitted without the session", rows, predictFromModel(rows, fitted));
    report("  and scale, from earlier spans", rows, scaled(rows, fitted, true));
    const crossValidated = report("  and scale, from other spans", rows, scaled(rows, fitted));
    const priors = rows.map((row) => priorOf(row, SHIPPED));
    report("prior as shipped", rows, predictFromModel(rows, priors));
    report("  and scale, from earlier spans", rows, scaled(rows, priors, true));
    const shipped = report("  and scale, from other spans", rows, scaled(rows, priors));

    assertGreater(rows.filter(isLarge).length, large * 0.9, "too many spans are left out");
    for (const figures of [crossValidated, shipped]) {
      assertLess(figures.median, MEDIAN_BOUND);
      assertLess(figures.p90, P90_BOUND);
      assertLess(figures.median, by4.median / 2);
      assertLess(figures.p90, by4.p90 / 2);
    }
  },
});

Deno.test({
  name: "CHARACTERS_PER_TOKEN is the mean length of a prior token in real sessions",
  ignore: !hasCorpus(),
  fn(): void {
    const rows = readSpanCorpus(CORPUS).rows.filter(isLarge);
    const characters = rows.reduce((sum, row) => sum + row.characters, 0);
    const tokens = rows.reduce((sum, row) => sum + priorOf(row, SHIPPED), 0);
    console.log(`  ${(characters / tokens).toFixed(3)} characters a prior token`);
    assertLess(Math.abs(characters / tokens - CHARACTERS_PER_TOKEN), 0.1);
  },
});

Deno.test({
  name: "TOKEN_WEIGHTS equal a fit on all public sessions",
  ignore: !hasCorpus("INDEX.tsv"),
  fn(): void {
    const weights = fitWeights(readSpanCorpus(CORPUS).rows);
    for (const [i, unit] of UNITS.entries()) {
      assertLess(Math.abs((weights[i] ?? 0) - TOKEN_WEIGHTS[unit]), 0.01, `${unit} ${weights[i]}`);
    }
  },
});

/** @param file For example the index file, which only the sessions used for the fit have. */
function hasCorpus(file = ""): boolean {
  try {
    Deno.statSync(`${CORPUS}/${file}`);
    return true;
  } catch {
    console.log(`A test of the token estimate is skipped: there is no ${CORPUS}/${file}`);
    return false;
  }
}

function isLarge(row: SpanRow): boolean {
  return row.resultCharacters > LARGE_CHARACTERS;
}

/** Scales the prediction for each large span by the other spans of its session. */
function scaled(rows: SpanRow[], priors: number[], onlyEarlier = false): number[] {
  return rows.map((row, index) => {
    const calibration = new TokenCalibration();
    for (const [other, sample] of isLarge(row) ? rows.entries() : []) {
      if (other === index || sample.file !== row.file) continue;
      if (onlyEarlier && other > index) continue;
      const { actual: actualTokens, model } = sample;
      calibration.add({ priorTokens: priors[other] ?? 0, actualTokens, model });
    }
    return (priors[index] ?? 0) * calibration.result(row.model).scale;
  });
}

function predictFromModel(rows: SpanRow[], priors: number[]): number[] {
  return rows.map((row, index) => (priors[index] ?? 0) * scaleOfModel(row.model));
}

/** Predicts every span with weights that were fitted without its session. */
function priorsWithoutSession(rows: SpanRow[]): number[] {
  const weights = new Map<string, number[]>();
  for (const { file } of rows.filter(isLarge)) {
    if (weights.has(file)) continue;
    weights.set(file, fitWeights(rows.filter((row) => row.file !== file)));
  }
  return rows.map((row) => priorOf(row, weights.get(row.file) ?? SHIPPED));
}

function report(
  name: string,
  rows: SpanRow[],
  predicted: number[],
): { median: number; p90: number } {
  const errors = rows.flatMap((row, index) =>
    isLarge(row) ? [Math.abs((predicted[index] ?? 0) - row.actual) / row.actual] : []
  );
  const figures = { median: quantile(errors, 0.5), p90: quantile(errors, 0.9) };
  const [median, p90] = [figures.median, figures.p90].map((share) =>
    `${(share * 100).toFixed(1)} %`.padStart(8)
  );
  console.log(`  ${name.padEnd(48)} ${median} ${p90}`);
  return figures;
}

function quantile(values: number[], share: number): number {
  assert(values.length > 0, "no span is large");
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? 0;
  const high = sorted[Math.ceil(at)] ?? 0;
  return low + (high - low) * (at - Math.floor(at));
}
