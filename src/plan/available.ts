import { type ContextMetrics, estimateContextUsage } from "../gauge/heuristics.ts";

/** Size of the window, in tokens, assumed for a session without measured figures. */
export const ASSUMED_TOTAL_TOKENS = 100_000;

/**
 * Usage of a session, as measured figures or as counts. The counts are fields of this object or of
 * `metrics`. A `SessionPressure` is also accepted.
 */
export interface AvailableClues extends ContextMetrics {
  /** Tokens left until the client's limit; null if unknown. */
  readonly left?: number | null | undefined;
  /** Tokens in context; null if unknown. */
  readonly tokens?: number | null | undefined;
  /** Size of the window, in tokens. */
  readonly window?: number | undefined;
  /** Percentage of the window in use; applies if `tokens` is unknown. */
  readonly percent?: number | null | undefined;
  /** Counts of the session; they apply if the figures above do not suffice. */
  readonly metrics?: ContextMetrics | undefined;
}

/**
 * Returns how many tokens a session has left.
 *
 * @param session The known figures of the session.
 * @returns `left` if known; otherwise the window minus the used tokens. Without these figures, the
 * unused part of 100,000 tokens, according to `estimateContextUsage`. A whole number, 0 or more.
 * @throws {RangeError} When a figure is negative or not a finite number.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { getAvailableContext } from "./available.ts";
 *
 * assertEquals(getAvailableContext({ tokens: 150_000, window: 200_000 }), 50_000);
 * assertEquals(getAvailableContext({ metrics: { message_count: 50, file_reads: 10 } }), 30_000);
 * assertEquals(getAvailableContext(), 100_000);
 * ```
 */
export function getAvailableContext(session: AvailableClues = {}): number {
  const { left, tokens, window, percent, metrics = session } = session;
  for (const figure of [left, tokens, window, percent]) {
    if (Number.isFinite(figure ?? 0) && (figure ?? 0) >= 0) continue;
    throw new RangeError(`Cannot compute available context: got ${figure}, expected 0 or more`);
  }
  if (typeof left === "number") return Math.floor(left);
  if (window !== undefined) {
    const used = tokens ?? (typeof percent === "number" ? (window * percent) / 100 : null);
    if (used !== null) return Math.max(0, Math.floor(window - used));
  }
  // Rounded, because 1 - 0.9 is slightly less than 0.1 in floating point.
  return Math.round(ASSUMED_TOTAL_TOKENS * (1 - estimateContextUsage(metrics)));
}
