/**
 * Trims in place before the client compacts on its own, and skips the compaction if the trim makes enough
 * room.
 */

import type { InsideConfig } from "../config/schema.ts";
import type { CompactAnswer, CompactEvent, Next } from "./client.ts";
import { type InsideTrim, isWorthwhile } from "./trim.ts";

/**
 * Minimum growth since the last trim, in percent of the room. A context that grew by less refills faster than
 * trims can empty it, and the client gives up on sessions that are compacted again and again.
 */
const MIN_GROWN_PERCENT = 30;

/** Trim options to try, mildest first. */
const DEPTHS = ["--depth light", "--depth deep", "--depth deep --keep-recent 2"];

export interface CompactionPlans {
  readonly config: InsideConfig;
  /** Whether the session runs in a terminal. */
  readonly isShown: boolean;
  readonly lastAfter: number | undefined;
  /** Plans a trim from options in the form a user types them. */
  plan(typed: string): InsideTrim;
  /** Called with the chosen trim before the client learns of it. */
  made(trim: InsideTrim): Promise<void>;
}

/** Whether to try a trim before the client compacts. */
export function isTrimFirst(
  { before_compaction: action }: InsideConfig,
  isShown: boolean,
): boolean {
  return action === "trim" || (action === "auto" && isShown);
}

/** Answers a compaction that the client starts on its own. */
export async function beforeCompaction(
  event: CompactEvent,
  next: Next<CompactEvent, CompactAnswer>,
  plans: CompactionPlans,
): Promise<CompactAnswer> {
  if (!isTrimFirst(plans.config, plans.isShown)) return await next(event);
  const trim = findTrim(plans, plans.config.compact_after_trim_percent);
  if (trim === undefined) return await next(event);
  // A prepared compaction costs a request, which a later trim would waste.
  if (event.trigger === "precompute") return { skip: "trimtab trims in place instead" };
  await plans.made(trim);
  return { messages: trim.rows };
}

/** Finds the mildest trim that makes enough room. */
function findTrim({ lastAfter, plan }: CompactionPlans, percent: number): InsideTrim | undefined {
  for (const typed of DEPTHS) {
    const trim = plan(typed);
    const { before, after } = trim.tokens;
    // If the client compacts below the reported limit, the context counts as full at its current size.
    const room = Math.min(before, trim.limit);
    const isGrown = lastAfter === undefined ||
      (before - lastAfter) * 100 >= MIN_GROWN_PERCENT * room;
    if (!isGrown) return undefined;
    if (after * 100 <= percent * room && isWorthwhile(trim)) return trim;
  }
  return undefined;
}
