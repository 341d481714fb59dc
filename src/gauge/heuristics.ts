/** Numbers of messages and calls in a session. A missing number counts as 0. */
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
}

/**
 * Estimates how full the window is. Label the figure as an estimate wherever you show it.
 *
 * The estimate errs on the high side, so that warnings come early.
 *
 * @param metrics The counts.
 * @returns The fraction of the window, 0 to 1.
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
  const { message_count = 0, file_reads = 0, file_edits = 0 } = metrics;
  const { tool_calls = 0, subagent_spawns = 0 } = metrics;
  // In thousandths of the window, because sums of integers are exact, unlike 0.1 + 0.2.
  const perMille = 10 * message_count + 20 * file_reads + 15 * file_edits + 5 * tool_calls +
    50 * subagent_spawns;
  return Math.min(perMille / 1000, 1);
}
