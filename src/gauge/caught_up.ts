/** Waits, up to a limit, until the transcript has the entries that a hook knows of. */

import { sleepSync } from "../store/sleep.ts";
import { type Moment, readRunningUsage, type RunningUsage } from "./running_usage.ts";

/** Longest wait for the client to write the entries, in milliseconds. */
export const MAX_BEHIND_MS = 150;

/** Pause between two reads of the transcript, in milliseconds. */
const BEHIND_STEP_MS = 10;

interface CaughtUpOptions {
  readonly transcript: string;
  readonly moment?: Moment | undefined;
  /** Blocks for a time in milliseconds. @default {sleepSync} */
  readonly sleep?: ((ms: number) => void) | undefined;
}

/** Reads the newest usage, and retries for a while if the transcript lacks what the hook knows of. */
export function readCaughtUpUsage(options: CaughtUpOptions): RunningUsage {
  const { transcript, moment, sleep = sleepSync } = options;
  let found = readRunningUsage(transcript, moment);
  for (let waited = 0; found.isBehind && waited < MAX_BEHIND_MS; waited += BEHIND_STEP_MS) {
    sleep(BEHIND_STEP_MS);
    found = readRunningUsage(transcript, moment);
  }
  return found;
}
