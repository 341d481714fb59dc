/** What a rollover means for sessions that start after it. */

import { digestOf } from "../store/sha256.ts";
import { stateOf } from "../saved/snapshot/snapshot.ts";
import { buildContinuationPrompt } from "./continuation.ts";
import { readLineage } from "./file.ts";
import type { ClaimedHandoff } from "./waiting.ts";
import { listFiles } from "./waiting_files.ts";

/** The turn that rolls over ends soon after, and may save once more, in milliseconds. */
const SAME_TURN_MS = 2 * 60_000;

/** Whether what a session saved was handed over: it is then for that one other session alone. */
export function isHandedOver(sessionId: string, savedMs: number, projectDir: string): boolean {
  const record = readLineage({ projectDir }).sessions.find((one) => one.session_id === sessionId);
  const times = listFiles(projectDir).filter(({ note }) => note.parent_session_id === sessionId)
    .map(({ note }) => note.created);
  if (record?.end_reason === "rollover" && record.ended_at !== null) times.push(record.ended_at);
  return times.some((time) => savedMs <= Date.parse(time) + SAME_TURN_MS);
}

/** Words a handoff from its save; Markdown that a person wrote anew is the handoff. */
export function handoffContext(
  handoff: ClaimedHandoff,
  room: {
    readonly maxChars: number;
    readonly sessionNumber?: number;
    readonly projectDir?: string;
  },
): string {
  const { save, summary } = handoff;
  const isOwn = digestOf(handoff.prompt) === handoff.view_sha256;
  return buildContinuationPrompt({
    sessionNumber: room.sessionNumber ?? handoff.session_number,
    issue: handoff.issue,
    percent: handoff.percent,
    summary: isOwn && summary !== undefined ? summary : handoff.prompt,
    state: isOwn && save !== undefined ? stateOf(save) : undefined,
    projectDir: room.projectDir ?? "",
    parentSessionId: handoff.parent_session_id,
    workerId: handoff.worker_id,
    hasEpisodicMemory: handoff.has_episodic_memory,
    checkpointId: handoff.checkpoint,
    maxChars: room.maxChars,
  });
}
