/**
 * Fits the weights of the token estimate, so that a test can fit without the session that it then
 * predicts. The shipped weights were fitted in the same way on all sessions.
 *
 * @module
 */

import { TokenCalibration } from "../../src/transcript/tokens/tokens.ts";
import { type SpanRow, UNITS } from "./token_spans.ts";

/** Tokens of a unit that no span determines. */
const DEFAULTS = {
  ...{ word: 1, hump: 1, capital: 0.5, letter: 0.2, digits: 1, mark: 1, newline: 1, indent: 1 },
  ...{ tab: 1, more: 0.05, symbol: 1, cjk: 1.5, escape: 3 },
};

/** Strength of the pull on a weight towards its default, relative to the spans' errors. */
const PULL = 2;

/** The fit uses only spans with more result characters than this. */
const FIT_CHARACTERS = 1500;

const TURNS = 6;
const PASSES = 8;
const ROUNDS = 200;

/**
 * @param weights Tokens for each unit.
 * @returns The predicted tokens of the span.
 */
export function priorOf(row: SpanRow, weights: readonly number[]): number {
  return row.units.reduce((sum, count, i) => sum + count * (weights[i] ?? 0), row.fixed);
}

/**
 * Minimizes the absolute relative error by reweighted least squares, without negative weights,
 * alternating with a scale for each session.
 *
 * @returns Tokens for each unit.
 */
export function fitWeights(rows: readonly SpanRow[]): number[] {
  const used = rows.filter((row) => row.resultCharacters > FIT_CHARACTERS);
  const bySession = Map.groupBy(used, (row) => row.file);
  const scales = new Map([...bySession.keys()].map((file) => [file, 1]));
  let weights: number[] = UNITS.map((unit) => DEFAULTS[unit]);
  for (let turn = 0; turn < TURNS; turn++) {
    for (let pass = 0; pass < PASSES; pass++) weights = refine(used, scales, weights);
    for (const [file, own] of bySession) {
      const calibration = new TokenCalibration();
      for (const row of own) {
        const { actual: actualTokens, model } = row;
        calibration.add({ priorTokens: priorOf(row, weights), actualTokens, model });
      }
      scales.set(file, calibration.result().scale);
    }
    const middle = [...scales.values()].sort((a, b) => a - b)[scales.size >> 1] ?? 1;
    for (const [file, scale] of scales) scales.set(file, scale / middle);
  }
  return weights;
}

/** Solves the normal equations coordinate-wise, with each span weighted by its last error. */
function refine(
  rows: readonly SpanRow[],
  scales: ReadonlyMap<string, number>,
  last: readonly number[],
): number[] {
  const size = UNITS.length;
  const matrix = new Float64Array(size * size);
  const right = new Float64Array(size);
  const at = (values: Float64Array, index: number): number => values[index] ?? 0;
  for (const row of rows) {
    const share = (scales.get(row.file) ?? 1) / row.actual;
    const error = Math.abs(priorOf(row, last) * share - 1);
    const weight = share * share / Math.max(error, 0.01);
    const target = 1 / share - row.fixed;
    for (let i = 0; i < size; i++) {
      const part = weight * (row.units[i] ?? 0);
      right[i] = at(right, i) + part * target;
      for (let j = 0; j < size; j++) {
        matrix[i * size + j] = at(matrix, i * size + j) + part * (row.units[j] ?? 0);
      }
    }
  }
  for (const [i, unit] of UNITS.entries()) {
    const pull = (PULL / DEFAULTS[unit]) ** 2;
    matrix[i * size + i] = at(matrix, i * size + i) + pull;
    right[i] = at(right, i) + pull * DEFAULTS[unit];
  }
  const weights = [...last];
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < size; i++) {
      let rest = at(right, i);
      for (let j = 0; j < size; j++) {
        if (j !== i) rest -= at(matrix, i * size + j) * (weights[j] ?? 0);
      }
      weights[i] = Math.max(0, rest / at(matrix, i * size + i));
    }
  }
  return weights;
}
