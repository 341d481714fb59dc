/** Waits briefly until the transcript has the entries that a hook knows of. */

import { sleepSync } from "../store/sleep.ts";
import { type Moment, readRunningUsage, type RunningUsage } from "./running_usage.ts";

/** Longest wait for the client to write the entries. */
export const MAX_BEHIND_MS = 150;

const BEHIND_STEP_MS = 10;

interface CaughtUpOptions {
  readonly transcript: string;
  readonly moment?: Moment | undefined;
  /** Blocks the thread. @default {sleepSync} */
  readonly sleep?: ((ms: number) => void) | undefined;
}

/**
 * Reads the newest usage, and retries briefly if the transcript lacks entries that the hook knows of.
 */
export function readCaughtUpUsage(options: CaughtUpOptions): RunningUsage {
  const { transcript, moment, sleep = sleepSync } = options;
  let found = readRunningUsage(transcript, moment);
  for (let waited = 0; found.isBehind && waited < MAX_BEHIND_MS; waited += BEHIND_STEP_MS) {
    sleep(BEHIND_STEP_MS);
    found = readRunningUsage(transcript, moment);
  }
  return found;
}
