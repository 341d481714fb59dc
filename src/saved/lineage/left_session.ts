/**
 * Identifies the session that `/clear` has just left. The events for its end and for the new session's start
 * share only the prompt's id in Claude Code 2.1.197. In 2.1.330, the start event has no prompt id, so the
 * events share only the client's process id.
 */

import { isObject } from "../../core/record.ts";
import { writeFileAtomicSync } from "../../store/atomic.ts";
import { joinPath, ownFolder } from "../../store/paths.ts";
import { withFolderLock } from "../../store/private_dir.ts";
import { readOwnJson } from "../../store/own_file.ts";

/** Longest time between the end of the old session and the start of the new one, in milliseconds. */
export const MAX_LEFT_AGE_MS = 30_000;

const MAX_LEFT_SESSIONS = 50;

const MAX_FILE_BYTES = 64 * 1024;

const LOCK = { action: "record the session just left", lock: ".left.lock", waitMs: 200 };

interface ClearEvent {
  /** Id of the `/clear` prompt; empty if the client does not report it. */
  readonly prompt_id: string;
  /** The client's process id; empty or missing if the client does not report it. */
  readonly client_pid?: string;
}

interface LeftSession extends ClearEvent {
  readonly session_id: string;
  /** Time, in milliseconds since 1970. */
  readonly left_at: number;
}

export function recordLeftSession(projectDir: string, left: LeftSession): void {
  const folder = ownFolder(projectDir);
  change(folder, (known) => [...known, left].slice(-MAX_LEFT_SESSIONS));
}

/**
 * Removes the session that was just left from the file, and returns its id; null if no recent session
 * matches. Matches by the prompt's id or, if that is unknown, by the process id. If neither is known, takes
 * the newest session.
 */
export function takeLeftSession(
  projectDir: string,
  start: ClearEvent,
  nowMs: number,
): string | null {
  const folder = ownFolder(projectDir);
  if (readLeftSessions(folder).length === 0) return null;
  let match: LeftSession | undefined;
  change(folder, (known) => {
    const fresh = known.filter(({ left_at }) => Math.abs(nowMs - left_at) <= MAX_LEFT_AGE_MS);
    match = fresh.findLast((left) => isMatch(left, start));
    return fresh.filter((left) => left !== match);
  });
  return match?.session_id ?? null;
}

function isMatch(
  left: LeftSession,
  { prompt_id: prompt, client_pid: pid = "" }: ClearEvent,
): boolean {
  if (prompt !== "") return left.prompt_id === prompt;
  return pid === "" || (left.client_pid ?? "") === pid;
}

function change(folder: string, update: (known: LeftSession[]) => LeftSession[]): void {
  withFolderLock(folder, LOCK, () => {
    const text = `${JSON.stringify(update(readLeftSessions(folder, true)))}\n`;
    writeFileAtomicSync(joinPath(folder, "left.json"), text);
  });
}

/** Treats a missing or damaged file as empty. The next change rewrites the file. */
function readLeftSessions(folder: string, isForChange = false): LeftSession[] {
  const value = readOwnJson(joinPath(folder, "left.json"), MAX_FILE_BYTES, isForChange);
  return Array.isArray(value) ? value.filter(isLeftSession) : [];
}

function isLeftSession(value: unknown): value is LeftSession {
  return isObject(value) && typeof value["left_at"] === "number" &&
    [value["session_id"], value["prompt_id"], value["client_pid"] ?? ""]
      .every((one) => typeof one === "string");
}
