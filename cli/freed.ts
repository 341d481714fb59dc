/**
 * What a trim and a rollover would free, looked up where that was written down, else worked out.
 */

import { isFresh } from "../src/pressure/advice.ts";
import type { FreedRecord } from "../src/store/state.ts";
import type { FilledSession } from "../src/trim/freed.ts";

/** What each way would free; undefined where that cannot be told. */
export async function freedOf(session: FilledSession): Promise<FreedRecord | undefined> {
  const { state, tokens } = session;
  if (isFresh(state.freed, tokens)) return state.freed;
  const { freshFreed } = await import("../src/trim/freed.ts");
  return freshFreed(session);
}
