/**
 * Tokens that a trim and a rollover would free: from the stored record, else by an estimate.
 */

import { isFresh } from "../gauge/advice.ts";
import type { FreedRecord } from "../store/state.ts";
import type { FilledSession } from "../trim/freed.ts";

/** Returns what each way would free; undefined where that is unknown. */
export async function freedOf(session: FilledSession): Promise<FreedRecord | undefined> {
  const { state, tokens } = session;
  if (isFresh(state.freed, tokens)) return state.freed;
  const { freshFreed } = await import("../trim/freed.ts");
  return freshFreed(session);
}
