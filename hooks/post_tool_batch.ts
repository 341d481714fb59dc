/**
 * PostToolBatch: says how full the window is when that is due, before the results of tools go to
 * the model.
 *
 * It fires once for all calls of a message, failed ones too; PostToolUse would be a process for
 * each call and none for those that fail.
 */

import { type HookDeps, runHook } from "./_payload.ts";
import { pressureHook } from "./_pressure.ts";

/** A payload that is no longer has no output that is shaped, in bytes. */
const MIN_FLOOD = 20_000;

/** Answers the event. */
export async function main(payload: Uint8Array, deps: HookDeps): Promise<string> {
  const said = await pressureHook("PostToolBatch", payload, deps);
  if (payload.length <= MIN_FLOOD) return said;
  try {
    const { withOffer } = await import("./_offer.ts");
    return await withOffer(said, payload, deps);
  } catch {
    // An offer can wait; what there is to say cannot.
    return said;
  }
}

if (import.meta.main) await runHook(main);
