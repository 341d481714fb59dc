/** Looking again and again. */

import { reasonOf } from "../store/atomic.ts";
import type { FleetLook } from "./look.ts";

interface WatchLoopOptions {
  readonly look: () => FleetLook;
  /** Shows what a look found; false when nobody is there to see it any more. */
  readonly show: (look: FleetLook) => boolean;
  /** Waits, but not beyond the signal. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** How long to wait between two looks, in milliseconds. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
}

export async function watchLoop(options: WatchLoopOptions): Promise<number> {
  const { look, show, sleep, intervalMs, signal } = options;
  let looks = 0;
  while (!signal.aborted) {
    const found = looks === 0 ? look() : lookOrSay(look);
    looks++;
    if (!show(found)) break;
    await sleep(intervalMs, signal);
  }
  return looks;
}

export function sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}

function lookOrSay(look: () => FleetLook): FleetLook {
  try {
    return look();
  } catch (error) {
    const problem = reasonOf(error);
    return { sessions: [], triggers: [], problems: [{ session_id: null, problem }] };
  }
}
