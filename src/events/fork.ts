/** A fork that ends. Loaded only for a session that the lineage does not know. */

import { hasSameOrigin } from "../transcript/origin.ts";
import { createSession, endSession, listSessions } from "../lineage/lineage.ts";
import type { EndSessionOptions } from "../lineage/change.ts";
import type { EnvReader } from "../store/paths.ts";

/**
 * Writes a session down that ends, if it is a fork of one that the lineage knows: a headless fork
 * starts under the id of its parent, and tells its own only at its end.
 */
export function writeFork(
  end: EndSessionOptions & { readonly projectDir: string },
  more: { readonly transcript: string; readonly env: EnvReader },
): void {
  const parent = forkedFrom(more.transcript, end.projectDir);
  if (parent === null) return;
  createSession({ ...end, ...more, parentSessionId: parent });
  endSession(end);
}

function forkedFrom(transcript: string, projectDir: string): string | null {
  const ids = listSessions({ projectDir }).map(({ session_id: id }) => id);
  return ids.findLast((id) => id !== null && hasSameOrigin(transcript, id)) ?? null;
}
