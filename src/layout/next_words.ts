/** Words the part of the next step that follows from the last action. */

import { isLookUp } from "../inject/joined_steps.ts";
import { hasNoResult, isFailedCheck } from "../inject/step_words.ts";

/** Matches an edit that the client rejected because its text or its view of the file was out of date. */
const REJECTED_EDIT =
  /^(?:Edit|MultiEdit|Write|NotebookEdit) \S+ → failed: (?:String to replace not found|Found \d+ matches|File has (?:not been read|been modified))/;

/** Returns what the last action requires before the next step, such as "fix what failed, then "; may be empty. */
export function beforeNext(action: string): string {
  if (isFailedCheck(action)) return "fix what failed, then ";
  if (REJECTED_EDIT.test(action)) return "make the edit that failed, then ";
  return hasNoResult(action) && !isLookUp(action) ? "see how the last action ended, then " : "";
}
