/** Makes a session that no longer resumes resumable again, as a copy. */

import { type RescueResult, rescueSession } from "../doctor/repair/rescue.ts";
import { noteRescue } from "./note_copy.ts";
import { locateSession, type PlaceOptions } from "./place.ts";

/** The session to rescue, and how. */
export interface RescueOptions extends PlaceOptions {
  /** The session's id, the first 8 characters of it, or the path of its transcript. */
  readonly session: string;
  /** Whether nothing is written. @default {false} */
  readonly dryRun?: boolean | undefined;
  /** Whether all thinking goes, as it does where the API has refused some. @default {false} */
  readonly dropThinking?: boolean | undefined;
}

/** Writes a repaired copy beside the session, and records it in the lineage. */
export function rescue(options: RescueOptions): RescueResult {
  const { dryRun = false, dropThinking = false } = options;
  const { session, projectDir } = locateSession(options);
  const result = rescueSession({ session, dryRun, dropThinking });
  noteRescue(projectDir, result);
  return result;
}
