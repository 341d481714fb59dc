/**
 * Runs one case, and describes its failure.
 *
 * @module
 */

import { Random } from "./random.ts";
import type { Seeds } from "./seeds.ts";
import {
  createPlace,
  FailedCheck,
  isDocumented,
  isUnpolluted,
  type Parts,
  placeAt,
  type Target,
} from "./target.ts";
import { pickTarget, TARGETS } from "./targets.ts";

export const MAX_CASE_MS = 60_000;

/** Makes the random choices of a run independent of the choices that made its input. */
const RUN_SALT = 0x5bd1e995;

export interface CaseOptions {
  readonly seed: number;
  readonly seeds: Seeds;
  /** A folder for this process alone. */
  readonly folder: string;
  /** @default all targets */
  readonly only?: string | undefined;
}

export interface MadeCase {
  readonly number: number;
  readonly target: Target;
  readonly parts: Parts;
}

export interface Failure {
  readonly problem: string;
  /** The same for cases that fail in the same way. */
  readonly kind: string;
}

export function makeCase(number: number, options: CaseOptions): MadeCase {
  const random = new Random(options.seed, number);
  const targets = TARGETS.filter(({ name }) => options.only === undefined || name === options.only);
  const target = pickTarget(random, targets);
  const parts = target.make(random, options.seeds, placeAt(`${options.folder}/case`));
  return { number, target, parts };
}

export async function runCase(made: MadeCase, options: CaseOptions): Promise<Failure | null> {
  const root = `${options.folder}/case`;
  const place = placeAt(root);
  createPlace(place);
  const started = performance.now();
  try {
    await made.target.run(made.parts, place, new Random(options.seed ^ RUN_SALT, made.number));
  } catch (error) {
    if (!made.target.mayRefuse || !isDocumented(error)) return failureOf(error);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
  if (!isUnpolluted()) return { problem: "Object.prototype was changed", kind: "pollution" };
  const ms = performance.now() - started;
  if (ms > MAX_CASE_MS) return { problem: `it took ${Math.round(ms)} ms`, kind: "hang" };
  return null;
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { problem: String(error), kind: "no error" };
  const where = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line))
    .filter((line) => !/\/tests\/fuzz\/target\.ts/.test(line)).slice(0, 5)
    .map((line) => line.trim().replace(/file:\/\/\S*?\/(src|tests|hooks|scripts|deps)\//, "$1/"));
  const errorText = error instanceof FailedCheck
    ? error.message.split(":")[0]
    : error.message.replaceAll(/[\d"]+|\/\S+/g, "").slice(0, 60);
  return {
    problem: `${error.name}: ${error.message.slice(0, 1_500)}\n  ${where.join("\n  ")}`,
    kind: `${error.name} ${errorText} ${where[0] ?? ""}`,
  };
}
