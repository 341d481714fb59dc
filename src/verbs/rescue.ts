import { type RescueResult, rescueSession } from "../doctor/repair/rescue.ts";
import { recordRescuedCopy } from "./record_copy.ts";
import { locateSession, type PlaceOptions } from "./place.ts";

/** The session to rescue, and the repairs to make. */
export interface RescueOptions extends PlaceOptions {
  /** The session's id, at least its first 8 characters, or the path of its transcript. */
  readonly session: string;
  /** Whether to report the repairs without writing anything. @default {false} */
  readonly dryRun?: boolean | undefined;
  /** Whether to remove all thinking blocks, in case the API rejected some of them. @default {false} */
  readonly dropThinking?: boolean | undefined;
}

export function rescue(options: RescueOptions): RescueResult {
  const { dryRun = false, dropThinking = false } = options;
  const { session, projectDir } = locateSession(options);
  const result = rescueSession({ session, dryRun, dropThinking });
  recordRescuedCopy(projectDir, result);
  return result;
}
