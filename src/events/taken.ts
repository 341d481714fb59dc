/** Words a handoff for the session that takes it. Loaded only when there is one, which is seldom. */

import { SHORT_ID_CHARS } from "../core/marks.ts";
import { cleanLine } from "../inject/clean.ts";
import { hookOutput } from "../inject/output.ts";
import { findRestorePoint } from "../saved/restore_point.ts";
import { handoffContext, isHandedOver } from "../lineage/rolled_over.ts";
import type { ClaimedHandoff } from "../lineage/waiting.ts";
import { noteContinues } from "./continues.ts";
import { EVENT, type Start } from "./started.ts";

/** Words a handoff for the session that took it. */
export function wordsOf(
  handoff: ClaimedHandoff,
  start: Start,
  sessionNumber: number | undefined,
): string {
  const context = handoffContext(handoff, {
    maxChars: start.config.restore_max_chars,
    projectDir: start.owner.projectDir,
    ...(sessionNumber === undefined ? {} : { sessionNumber }),
  });
  const later = laterWork(handoff, start);
  noteContinues(start.owner, handoff.parent_session_id);
  const { parent_session_id: parent, title } = handoff;
  const message = `trimtab: handoff of ${parent.slice(0, SHORT_ID_CHARS)} loaded: ${
    cleanLine(title)
  }`;
  return hookOutput({ event: EVENT, context: [context, ...later], message, title });
}

/** The session may have gone on after it was rolled over: the handoff does not know of that. */
function laterWork(
  { parent_session_id: parent }: ClaimedHandoff,
  { owner: { projectDir }, configDir }: Start,
): string[] {
  try {
    const later = findRestorePoint(projectDir, {
      configDir,
      accepts: (id, { created }) =>
        id === parent && !isHandedOver(id, Date.parse(created), projectDir),
    });
    if (later === null) return [];
    return [
      `That session continued after this handoff: \`trimtab restore ${later.id}\` prints where it ` +
      "stood last.",
    ];
  } catch {
    // The handoff is claimed by now, so an unreadable file must not keep it from the model.
    return [];
  }
}
