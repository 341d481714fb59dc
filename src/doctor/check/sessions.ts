/** Finds sessions that resume without their beginning, or do not resume. */

import type { JsonObject } from "../../core/record.ts";
import {
  type ActiveContext,
  findActiveContext,
  readNodes,
} from "../../transcript/tree/active_context.ts";
import { cleanupDays } from "../../transcript/kept.ts";
import { type ProjectSession, projectSessions } from "../../transcript/find.ts";
import type { CheckResult, DoctorPlace, Problem } from "./check.ts";
import { startsWithAnswer, unfinishedEntries } from "../repair/lines.ts";
import { refusesThinking, repairMessage } from "../repair/blocks.ts";
import { openFileSync } from "../../store/read_file.ts";

interface ResumeVerdict {
  readonly refused: readonly string[];
  readonly cutOff: ActiveContext["cutOff"];
  readonly beginsWithAnswer: boolean;
  /** Whether the client was killed while it wrote a trim in place. */
  readonly isUnfinished: boolean;
}

/** Maximum number of sessions that are checked without `--all`, so that the check takes a few seconds. */
export const MAX_DOCTOR_SESSIONS = 20;

/** Maximum total size of these sessions. */
const MAX_DOCTOR_BYTES = 64 * 1024 * 1024;

export function checkSessions(place: DoctorPlace): CheckResult {
  const all = projectSessions(place);
  const chosen = place.all ? all : withinBudget(all);
  const problems = chosen.flatMap(({ path }) => sessionProblems(path));
  const note = all.length === 0
    ? "sessions: none in this project yet"
    : chosen.length === all.length
    ? `sessions: all ${all.length} in this project`
    : `sessions: ${chosen.length} of ${all.length}, the newest ones within the size limit; ` +
      "use --all to check every session";
  const days = place.configDir === undefined ? undefined : cleanupDays(place.configDir);
  const cleanupNote = days === undefined
    ? ""
    : `; Claude Code deletes each one ${days} days after its last use; trimtab keep preserves it`;
  return { problems, note: note + cleanupNote };
}

export function judgeResume(path: string): ResumeVerdict {
  using file = openFileSync(path);
  const { size } = file.statSync();
  const context = findActiveContext(file, size);
  const refused = new Set<string>();
  let last: JsonObject = {};
  for (const { entry } of readNodes(file, context.nodes)) {
    last = entry.raw;
    for (const note of repairMessage(entry.raw, false).notes) {
      // If the API refuses an image, the client repeats the request without it.
      if (note.kind !== "image") refused.add(note.what);
    }
  }
  if (refusesThinking(last)) refused.add("the API rejected its thinking in the last request");
  return {
    refused: [...refused],
    cutOff: context.cutOff,
    beginsWithAnswer: startsWithAnswer(file, context),
    isUnfinished: unfinishedEntries(file, context).length > 0,
  };
}

function sessionProblems(subject: string): Problem[] {
  const { refused, cutOff, isUnfinished, beginsWithAnswer } = judgeResume(subject);
  const problems: Problem[] = [];
  const missing = isUnfinished
    ? "Claude Code was stopped during a trim, so earlier messages are missing."
    : cutOff === "unlinked"
    ? "Earlier messages exist, but no parent link reaches them."
    : beginsWithAnswer
    ? "It begins with an answer, because its start is not in the file."
    : null;
  if (missing !== null) problems.push({ id: "session_cut_off", subject, problem: missing });
  if (refused.length > 0) {
    const problem = `Problems: ${refused.join("; ")}.`;
    problems.push({ id: "session_refused", subject, problem });
  }
  return problems;
}

function withinBudget(sessions: readonly ProjectSession[]): ProjectSession[] {
  let remainingBytes = MAX_DOCTOR_BYTES;
  return sessions.slice(0, MAX_DOCTOR_SESSIONS).filter(({ bytes }) => {
    const isChosen = bytes <= remainingBytes;
    if (isChosen) remainingBytes -= bytes;
    return isChosen;
  });
}
