/** Trims in place instead of an automatic compaction, if the trim frees enough. */

import type { InsideConfig } from "../config/schema.ts";
import { isWorthwhile } from "../gauge/advice.ts";
import type { CompactAnswer, CompactEvent, NextHandler } from "./client.ts";
import type { InsideTrim } from "./trim.ts";
import { lossReason } from "./words.ts";

/**
 * Minimum growth since the last trim, as a percentage of `room`. After less growth, the client compacts,
 * because another trim would not last, and the client gives up on a session that compacts too often.
 */
const MIN_GROWTH_OF_ROOM_PERCENT = 30;

/**
 * Options to try in this order until a trim frees enough. `GOAL` is replaced with a number. With a target,
 * even results that the model has not read yet are cut.
 */
const ATTEMPTS = [
  "--depth light",
  "--depth deep",
  "--depth deep --keep-recent 2",
  "--depth deep --keep-recent 2 --target-percent GOAL",
];

interface CompactionPlans {
  /** `compact_after_trim_percent` of the configuration. */
  readonly maxPercent: number;
  readonly lastSize: number | undefined;
  plan(typed: string): InsideTrim;
  onChosen(trim: InsideTrim): Promise<void>;
}

export function isTrimFirst(
  { before_compaction: action }: InsideConfig,
  isInTerminal: boolean,
): boolean {
  return action === "trim" || (action === "auto" && isInTerminal);
}

export async function beforeCompaction(
  event: CompactEvent,
  next: NextHandler<CompactEvent, CompactAnswer>,
  plans: CompactionPlans,
): Promise<CompactAnswer> {
  const trim = findTrim(plans);
  if (trim === undefined) return await next(event);
  // A compaction prepared in advance costs a request, and a later trim would make the compaction useless.
  if (event.trigger === "precompute") return { skip: "trimtab trims in place instead" };
  await plans.onChosen(trim);
  return { messages: trim.rows };
}

function findTrim({ maxPercent, lastSize, plan }: CompactionPlans): InsideTrim | undefined {
  let goal = maxPercent;
  for (const typed of ATTEMPTS) {
    const trim = plan(typed.replace("GOAL", `${goal}`));
    // A trim would lose blocks that the client's summary covers, so the client compacts.
    if (lossReason(trim.losses) !== undefined) return undefined;
    const { before, after } = trim.tokens;
    // If the client compacts below the reported limit, the context counts as full at its current size.
    const room = Math.min(before, trim.limit);
    const hasGrown = lastSize === undefined ||
      (before - lastSize) * 100 >= MIN_GROWTH_OF_ROOM_PERCENT * room;
    if (!hasGrown) return undefined;
    goal = Math.floor((maxPercent * room) / trim.limit);
    if (after * 100 <= maxPercent * room && isWorthwhile(trim.tokens)) return trim;
  }
  return undefined;
}
