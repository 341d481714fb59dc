/** Returns the stored estimate of what trims and a rollover would free, or a new estimate if it is outdated. */

import { isFresh } from "../gauge/advice.ts";
import type { FreedRecord } from "../store/state.ts";
import type { FilledSession } from "../trim/freed.ts";

export async function freedOf(session: FilledSession): Promise<FreedRecord | undefined> {
  const { state, tokens } = session;
  if (isFresh(state.freed, tokens)) return state.freed;
  const { freshFreed } = await import("../trim/freed.ts");
  return freshFreed(session);
}
