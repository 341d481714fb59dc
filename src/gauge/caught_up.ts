/** Waits, up to a limit, until the transcript has the entries that a hook knows of. */

import { sleepSync } from "../store/sleep.ts";
import { type Moment, readRunningUsage, type RunningUsage } from "./running_usage.ts";

/** Time that the client is given, in milliseconds. */
export const MAX_BEHIND_MS = 150;

/** Pause between two looks at a transcript that is behind, in milliseconds. */
const BEHIND_STEP_MS = 10;

interface CaughtUpOptions {
  readonly transcript: string;
  readonly moment?: Moment | undefined;
  /** Waits for milliseconds; tests replace it. @default {sleepSync} */
  readonly sleep?: ((ms: number) => void) | undefined;
}

/** Finds the newest usage, and looks again for a while where the transcript is behind the moment. */
export function readCaughtUpUsage(options: CaughtUpOptions): RunningUsage {
  const { transcript, moment, sleep = sleepSync } = options;
  let found = readRunningUsage(transcript, moment);
  for (let waited = 0; found.isBehind && waited < MAX_BEHIND_MS; waited += BEHIND_STEP_MS) {
    sleep(BEHIND_STEP_MS);
    found = readRunningUsage(transcript, moment);
  }
  return found;
}
