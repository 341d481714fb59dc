/** Counts of a session. A missing count is 0. */
export interface ContextMetrics {
  /** Messages of the user and the assistant. */
  readonly message_count?: number;
  /** Calls that read a file. */
  readonly file_reads?: number;
  /** Calls that changed a file. */
  readonly file_edits?: number;
  /** Calls of any tool. The caller decides whether reads and edits are included. */
  readonly tool_calls?: number;
  /** Subagents started. */
  readonly subagent_spawns?: number;
  /** Seconds since the session's first message. Reported, but not part of the estimate. */
  readonly elapsed_seconds?: number;
}

type ContextMetric = keyof ContextMetrics;

interface ContextEstimatePart {
  readonly metric: ContextMetric;
  readonly amount: number;
  /** Assumed share of the window for one unit of the metric. */
  readonly weight: number;
  /** Assumed share of the window for the whole metric. */
  readonly usage: number;
}

export interface ContextEstimate {
  /** Filled share of the window, 0 to 1. */
  readonly usage: number;
  readonly source: "estimate";
  /** One part per metric, in a fixed order. */
  readonly parts: readonly ContextEstimatePart[];
}

/** In thousandths of the window, because sums of integers are exact, unlike 0.1 + 0.2. */
const WEIGHTS_PER_MILLE: Readonly<Record<ContextMetric, number>> = Object.freeze({
  message_count: 10,
  file_reads: 20,
  file_edits: 15,
  tool_calls: 5,
  subagent_spawns: 50,
  elapsed_seconds: 0,
});

const METRICS = Object.keys(WEIGHTS_PER_MILLE) as readonly ContextMetric[];

/**
 * Estimates how full the window is. Label the figure as an estimate wherever you show it.
 *
 * The estimate errs on the high side, so that warnings come early.
 *
 * @param metrics The counts.
 * @returns The fraction of the window, 0 to 1.
 * @throws {RangeError} When a metric is negative or not a finite number.
 *
 * @example
 * ```ts
 * import { estimateContextUsage } from "./heuristics.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(estimateContextUsage({ message_count: 50, file_reads: 10 }), 0.7);
 * ```
 */
export function estimateContextUsage(metrics: ContextMetrics): number {
  return explainContextUsage(metrics).usage;
}

/**
 * Estimates like {@linkcode estimateContextUsage}, and returns the part of each metric.
 *
 * @param metrics The counts.
 * @returns The estimate and its parts.
 * @throws {RangeError} When a metric is negative or not a finite number.
 *
 * @example
 * ```ts
 * import { explainContextUsage } from "./heuristics.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const estimate = explainContextUsage({ subagent_spawns: 3 });
 * assertEquals(estimate.source, "estimate");
 * assertEquals(estimate.parts.find((part) => part.metric === "subagent_spawns")?.usage, 0.15);
 * ```
 */
export function explainContextUsage(metrics: ContextMetrics): ContextEstimate {
  let perMille = 0;
  const parts: ContextEstimatePart[] = [];
  for (const metric of METRICS) {
    const amount = metrics[metric] ?? 0;
    if (!Number.isFinite(amount) || amount < 0) {
      throw new RangeError(`Cannot estimate usage: ${metric} is ${amount}, expected 0 or more`);
    }
    const weight = WEIGHTS_PER_MILLE[metric];
    perMille += amount * weight;
    parts.push({ metric, amount, weight: weight / 1000, usage: (amount * weight) / 1000 });
  }
  return { usage: Math.min(perMille / 1000, 1), source: "estimate", parts };
}
