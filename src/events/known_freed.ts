/**
 * Tokens that a trim and a rollover would free: from the stored record or, if that is outdated, a new
 * estimate.
 */

import { isFresh } from "../gauge/advice.ts";
import type { FreedRecord } from "../store/state.ts";
import type { FilledSession } from "../trim/freed.ts";

/** Returns the tokens that each remedy would free; undefined if unknown. */
export async function freedOf(session: FilledSession): Promise<FreedRecord | undefined> {
  const { state, tokens } = session;
  if (isFresh(state.freed, tokens)) return state.freed;
  const { freshFreed } = await import("../trim/freed.ts");
  return freshFreed(session);
}
