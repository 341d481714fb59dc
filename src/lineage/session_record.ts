/** A session's row in the lineage. */

/** No row and no session has a larger number; from it nobody counts on. */
export const LARGEST_NUMBER = 1_000_000_000;

/** Why a session ended. */
export type EndReason = "rollover" | "trim" | "rescue" | "compact" | "clear" | "exit";

/** Every reason, for checking a row of the file. */
export const END_REASONS: readonly EndReason[] = [
  "rollover",
  "trim",
  "rescue",
  "compact",
  "clear",
  "exit",
];

/** A session of a project. The names are those of the file. */
export interface SessionRecord {
  /** The number of the row among all of the project, from 1. */
  readonly id: number;
  /** Whose session it is. */
  readonly worker_id: string;
  /** The number of the session among those of its worker, from 1. */
  readonly session_number: number;
  /** The session's id; null for one that was announced, as by a rollover, and has not started. */
  readonly session_id: string | null;
  /** The session that it goes on from; null for the first. */
  readonly parent_session_id: string | null;
  /** When it started or was announced, ISO 8601. */
  readonly started_at: string;
  /** When it ended, ISO 8601; null while it is open. */
  readonly ended_at: string | null;
  /** Why it ended; null while it is open. */
  readonly end_reason: EndReason | null;
  /** Fill of the window at the end, in percent; null if unknown. */
  readonly context_at_end: number | null;
  /** The handoff, or a part of it; null where there is none. */
  readonly summary: string | null;
  /** The transcript's path; null if not known. */
  readonly transcript: string | null;
}

export function isSessionRecord(value: unknown): value is SessionRecord {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const row: Readonly<Record<string, unknown>> = { ...value };
  const { ended_at, end_reason, context_at_end } = row;
  return isNumber(row["id"]) && isNumber(row["session_number"]) &&
    isText(row["worker_id"]) && isTime(row["started_at"]) &&
    ["session_id", "parent_session_id", "transcript"].every((name) =>
      row[name] === null || isText(row[name])
    ) &&
    (ended_at === null || isTime(ended_at)) && (ended_at === null) === (end_reason === null) &&
    (end_reason === null || END_REASONS.some((reason) => reason === end_reason)) &&
    (context_at_end === null || Number.isFinite(context_at_end)) &&
    (row["summary"] === null || typeof row["summary"] === "string");
}

function isNumber(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= LARGEST_NUMBER;
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && Number.isFinite(Date.parse(value));
}
