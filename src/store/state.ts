/** Reads the state of a session, which hooks, commands and the status line share. */

import {
  type FreedRecord,
  hasAnswerAfter,
  isCount,
  isFreedRecord,
  isObject,
  isText,
  isTime,
} from "../core/record.ts";
import {
  type InsideRecord,
  insideRecordPath,
  type InsideWatch,
  MAX_RECORD_CHARS,
  parseInsideRecord,
} from "./inside_record.ts";
import type { OwnPlace } from "./own_marks.ts";
import { isSessionId, joinPath, ownFolder } from "./paths.ts";
import { readOwnJson, readOwnTextSync } from "./own_file.ts";

interface LastCheckpoint {
  readonly id: string;
  /** ISO 8601. */
  readonly created: string;
  readonly transcript_bytes?: number;
}

interface AutoSnapshot {
  /** Empty while the snapshot is being saved. */
  readonly path: string;
  /** ISO 8601. */
  readonly created: string;
}

export type { FreedRecord } from "../core/record.ts";

/** A missing field is unknown or not set; a missing `checkpoint_armed` means true. */
export interface SessionState extends Omit<InsideWatch, "offered"> {
  /** As the client reports it; a trimmed copy may start with its parent's value. */
  readonly window_tokens?: number;
  /** Time at which the client first reported this value of `window_tokens`, ISO 8601. */
  readonly window_seen_at?: string;
  readonly usage_tokens?: number;
  /** Tokens at the last automatic compaction. */
  readonly auto_compacted_at?: number;
  readonly last_checkpoint?: LastCheckpoint;
  /** Id of the earlier session whose work this session continues. */
  readonly continues?: string;
  /** A compaction removes this value, so that another snapshot can be saved. */
  readonly auto_snapshot?: AutoSnapshot;
  /** False once usage has passed the threshold, until it falls below the threshold again. */
  readonly checkpoint_armed?: boolean;
  /** Id of the newest request on the blackboard that the model has seen. */
  readonly board_read?: string;
  readonly freed?: FreedRecord;
  readonly notices?: readonly string[];
}

export interface StateOwner extends OwnPlace {
  readonly sessionId: string;
}

const MAX_STATE_BYTES = 256 * 1024;

const FIELD_VALIDATORS: { readonly [Field in keyof SessionState]-?: (value: unknown) => boolean } =
  {
    window_tokens: (value) => isCount(value) && value !== 0,
    window_seen_at: isText,
    usage_tokens: isCount,
    auto_compacted_at: (value) => isCount(value) && value !== 0,
    level: isText,
    warned_at: isText,
    last_checkpoint: isCheckpoint,
    continues: (value) => typeof value === "string" && isSessionId(value),
    auto_snapshot: (value) => isObject(value) && isText(value["path"]) && isText(value["created"]),
    checkpoint_armed: (value) => typeof value === "boolean",
    active_since: isTime,
    last_active_at: isTime,
    board_read: isText,
    freed: isFreedRecord,
    notices: (value) => Array.isArray(value) && value.every(isText),
  };

export function sessionStatePath({ projectDir, sessionId }: StateOwner): string | null {
  return isSessionId(sessionId) ? joinPath(stateFolder(projectDir), `${sessionId}.json`) : null;
}

export function readSessionState(owner: StateOwner): SessionState {
  const path = sessionStatePath(owner);
  return path === null ? {} : currentState(owner, readStateFile(path));
}

export function currentState(owner: StateOwner, raw: Record<string, unknown>): SessionState {
  const state = validFields(raw);
  // The module in the client changes only its own record, so a trim makes this state outdated.
  const canBeOutdated = state.freed !== undefined || state.warned_at !== undefined;
  const trimMs = canBeOutdated ? readInsideRecord(owner).trims.at(-1)?.at_ms ?? 0 : 0;
  return trimMs === 0 ? state : withoutOutdated(state, trimMs);
}

export function readInsideRecord({ projectDir, sessionId }: StateOwner): InsideRecord {
  const text = readOwnTextSync(insideRecordPath(projectDir, sessionId), MAX_RECORD_CHARS);
  return parseInsideRecord(text ?? "");
}

function withoutOutdated(state: SessionState, trimMs: number): SessionState {
  const { freed, level, warned_at: warnedAt, ...others } = state;
  const isWarned = Date.parse(warnedAt ?? "") > trimMs;
  return {
    ...others,
    ...(freed !== undefined && hasAnswerAfter(freed, trimMs) ? { freed } : {}),
    ...(isWarned && level !== undefined ? { level } : {}),
    ...(isWarned && warnedAt !== undefined ? { warned_at: warnedAt } : {}),
  };
}

export function stateFolder(projectDir: string): string {
  return ownFolder(projectDir, "state");
}

/** Keeps unknown fields. */
export function readStateFile(path: string, isForChange = false): Record<string, unknown> {
  // A damaged file counts as empty, because the next write replaces it.
  const value = readOwnJson(path, MAX_STATE_BYTES, isForChange);
  return isObject(value) ? value : {};
}

function validFields(raw: Record<string, unknown>): SessionState {
  const known = Object.entries(FIELD_VALIDATORS)
    .flatMap(([field, isValid]) => isValid(raw[field]) ? [[field, raw[field]]] : []);
  return Object.fromEntries(known);
}

function isCheckpoint(value: unknown): boolean {
  return isObject(value) && isText(value["id"]) && /^[\w-]{1,60}$/.test(value["id"]) &&
    isTime(value["created"]) &&
    (value["transcript_bytes"] === undefined || isCount(value["transcript_bytes"]));
}
