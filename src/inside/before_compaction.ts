/**
 * Before the client compacts by itself: trims in place, and skips the compaction if that makes enough
 * room.
 */

import type { InsideConfig } from "../config/schema.ts";
import type { CompactAnswer, CompactEvent, Next } from "./client.ts";
import { type InsideTrim, isWorthwhile } from "./trim.ts";

/**
 * A context that has grown by less since the last trim, in percent of the limit, fills up faster than
 * trims can empty it: the client gives up on sessions that are compacted again and again.
 */
const MIN_GROWN_PERCENT = 30;

/** Steps of a trim that makes room: no further than it has to, and never as far as a summary. */
const DEPTHS = ["--depth light", "--depth deep", "--depth deep --keep-recent 2"];

/** Facts that the decision needs. */
export interface CompactionPlans {
  readonly config: InsideConfig;
  /** Whether a terminal shows the session. */
  readonly isShown: boolean;
  /** Tokens that the last trim left; `undefined` if there was none. */
  readonly lastAfter: number | undefined;
  /** Plans a trim with options as they are typed. */
  plan(typed: string): InsideTrim;
  /** Called with the trim that is made, before the client hears of it. */
  made(trim: InsideTrim): Promise<void>;
}

/** Whether a trim is tried before the client compacts. */
export function isTrimFirst(
  { before_compaction: action }: InsideConfig,
  isShown: boolean,
): boolean {
  return action === "trim" || (action === "auto" && isShown);
}

/** Answers a compaction of the client's own. */
export async function beforeCompaction(
  event: CompactEvent,
  next: Next<CompactEvent, CompactAnswer>,
  plans: CompactionPlans,
): Promise<CompactAnswer> {
  if (!isTrimFirst(plans.config, plans.isShown)) return await next(event);
  const trim = findTrim(plans, plans.config.compact_after_trim_percent);
  if (trim === undefined) return await next(event);
  // A compaction prepared now costs a request that the coming trim does not need.
  if (event.trigger === "precompute") return { skip: "trimtab trims in place instead" };
  await plans.made(trim);
  return { messages: trim.rows };
}

/** The lightest trim that makes room. */
function findTrim({ lastAfter, plan }: CompactionPlans, percent: number): InsideTrim | undefined {
  for (const typed of DEPTHS) {
    const trim = plan(typed);
    const { before, after } = trim.tokens;
    // A context that is compacted below the limit is full there, whatever the limit is said to be.
    const room = Math.min(before, trim.limit);
    const isGrown = lastAfter === undefined ||
      (before - lastAfter) * 100 >= MIN_GROWN_PERCENT * room;
    if (!isGrown) return undefined;
    if (after * 100 <= percent * room && isWorthwhile(trim)) return trim;
  }
  return undefined;
}
