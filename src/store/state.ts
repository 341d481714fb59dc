/** The state of a session, kept between hooks, commands and runs of the status line. */

import {
  type FreedRecord,
  isAfter,
  isCount,
  isFreedRecord,
  isObject,
  isText,
  isTime,
} from "../core/record.ts";
import {
  type InsideRecord,
  insideRecordPath,
  MAX_RECORD_CHARS,
  parseInsideRecord,
} from "./inside_record.ts";
import { joinPath } from "./paths.ts";
import { isPassing, readOwnTextSync } from "./own_file.ts";

interface LastCheckpoint {
  readonly id: string;
  /** When it was made, ISO 8601. */
  readonly created: string;
  readonly transcript_bytes?: number;
}

/** The snapshot that was saved automatically as the window filled up. */
interface AutoSnapshot {
  readonly path: string;
  /** When it was saved, ISO 8601. */
  readonly created: string;
}

export type { FreedRecord } from "../core/record.ts";

/** The state of a session; a missing field is unknown. */
export interface SessionState {
  /** The model's window in tokens, as the client reports it to the status line. */
  readonly window_tokens?: number;
  /** When the client reported the window, ISO 8601. */
  readonly window_seen_at?: string;
  readonly usage_tokens?: number;
  /** Tokens at the last automatic compaction. */
  readonly auto_compacted_at?: number;
  /** The level at the last check that changed it. */
  readonly level?: string;
  /** When the model was last warned, ISO 8601. */
  readonly warned_at?: string;
  readonly last_checkpoint?: LastCheckpoint;
  /** The id of the session that this one continues, by a handoff or after `/clear`. */
  readonly continues?: string;
  /** The automatic snapshot; a compaction removes it, so that another one can be saved. */
  readonly auto_snapshot?: AutoSnapshot;
  /** False after the window has passed the threshold, until it is below the threshold again. */
  readonly checkpoint_armed?: boolean;
  /** Start of the work, ISO 8601; a long pause moves it forward. */
  readonly active_since?: string;
  /** Time of the last work, ISO 8601; updated at most once a minute. */
  readonly last_active_at?: string;
  /** The id of the newest request on the blackboard that the model has seen. */
  readonly board_read?: string;
  readonly freed?: FreedRecord;
  /** Size of the transcript, in bytes, when its links were last checked and none was broken. */
  readonly whole_at?: number;
  readonly notices?: readonly string[];
}

export interface StateOwner {
  readonly projectDir: string;
  /** Claude Code's configuration folder, which holds the key. @default {findConfigDir()} */
  readonly configDir?: string | undefined;
  readonly sessionId: string;
}

/** Largest state file that is read. */
const MAX_STATE_BYTES = 256 * 1024;

/** A session's id; checked because it becomes part of a path. */
const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const IS_FIELD: { readonly [Field in keyof SessionState]-?: (value: unknown) => boolean } = {
  window_tokens: (value) => isCount(value) && value !== 0,
  window_seen_at: isText,
  usage_tokens: isCount,
  auto_compacted_at: (value) => isCount(value) && value !== 0,
  level: isText,
  warned_at: isText,
  last_checkpoint: isCheckpoint,
  continues: (value) => typeof value === "string" && SESSION_ID.test(value),
  auto_snapshot: isSnapshot,
  checkpoint_armed: (value) => typeof value === "boolean",
  active_since: isTime,
  last_active_at: isTime,
  board_read: isText,
  freed: isFreedRecord,
  whole_at: isCount,
  notices: (value) => Array.isArray(value) && value.every(isText),
};

export function sessionStatePath(owner: StateOwner): string | null {
  return SESSION_ID.test(owner.sessionId)
    ? joinPath(stateFolder(owner.projectDir), `${owner.sessionId}.json`)
    : null;
}

export function readSessionState(owner: StateOwner): SessionState {
  const path = sessionStatePath(owner);
  return path === null ? {} : currentState(owner, readStateFile(path));
}

/** The valid fields of a state, except those that a trim in place has made outdated. */
export function currentState(owner: StateOwner, raw: Record<string, unknown>): SessionState {
  const state = viewState(raw);
  // The module inside the client changes only its own record, so a trim leaves outdated values here.
  const isOutdatable = state.freed !== undefined || state.warned_at !== undefined;
  const trimMs = isOutdatable ? readInsideRecord(owner).trims.at(-1)?.at_ms ?? 0 : 0;
  return trimMs === 0 ? state : withoutOutdated(state, trimMs);
}

/** Reads the record that the module inside the client writes for a session; empty if there is none. */
export function readInsideRecord({ projectDir, sessionId }: StateOwner): InsideRecord {
  const text = readOwnTextSync(insideRecordPath(projectDir, sessionId), MAX_RECORD_CHARS);
  return parseInsideRecord(text ?? "");
}

function withoutOutdated(state: SessionState, trimMs: number): SessionState {
  const { freed, level, warned_at: warnedAt, ...others } = state;
  const isWarned = Date.parse(warnedAt ?? "") > trimMs;
  return {
    ...others,
    ...(freed !== undefined && isAfter(freed, trimMs) ? { freed } : {}),
    ...(isWarned && level !== undefined ? { level } : {}),
    ...(isWarned && warnedAt !== undefined ? { warned_at: warnedAt } : {}),
  };
}

export function stateFolder(projectDir: string): string {
  return joinPath(projectDir, ".claude", "trimtab", "state");
}

/** Reads a state file with all its fields, including unknown ones. */
export function readStateFile(path: string, isForChange = false): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readOwnTextSync(path, MAX_STATE_BYTES) ?? "{}");
    return isObject(value) ? value : {};
  } catch (error) {
    // A damaged file counts as empty, since the next write replaces it.
    if (error instanceof Deno.errors.NotCapable || (isForChange && isPassing(error))) throw error;
    return {};
  }
}

/** Picks the known fields with a valid type. */
function viewState(raw: Record<string, unknown>): SessionState {
  const known = Object.entries(IS_FIELD).filter(([field, isValid]) =>
    Object.hasOwn(raw, field) && isValid(raw[field])
  );
  return Object.fromEntries(known.map(([field]) => [field, raw[field]]));
}

/** Whether a value is safe to print, since the file may have come with a repository. */
function isName(value: unknown): boolean {
  return typeof value === "string" && /^[\w-]{1,60}$/.test(value);
}

function isCheckpoint(value: unknown): boolean {
  return isObject(value) && isName(value["id"]) && isTime(value["created"]) &&
    (value["transcript_bytes"] === undefined || isCount(value["transcript_bytes"]));
}

function isSnapshot(value: unknown): boolean {
  return isObject(value) && isText(value["path"]) && isText(value["created"]);
}
