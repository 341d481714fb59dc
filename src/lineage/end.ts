/** The end of a session as a hook writes it down: without a handoff, so without what one needs. */

import { type EndSessionOptions, withEnded } from "./change.ts";
import { changeLineage, readLineage } from "./file.ts";

export function endSessionIfKnown(
  options: Omit<EndSessionOptions, "id" | "summary"> & { readonly sessionId: string },
): boolean {
  // Most sessions end in projects in which nothing is kept: no folder is made for them.
  if (!readLineage(options).sessions.some((one) => one.session_id === options.sessionId)) {
    return false;
  }
  return changeLineage(options, (sessions) => {
    const { record, sessions: all } = withEnded(sessions, options);
    return { sessions: all === sessions ? null : all, value: record !== null };
  }).value;
}
