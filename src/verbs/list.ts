/** Lists what can be gone on from in a project. */

import { findHandoff } from "../lineage/waiting.ts";
import { listFiles } from "../lineage/waiting_files.ts";
import { type CheckpointRow, listCheckpoints } from "../saved/checkpoint/files.ts";
import { sizeInKb } from "../inject/bound.ts";
import { isOurPoint } from "../saved/restore_point.ts";
import { listSnapshotFiles } from "../saved/snapshot/list.ts";
import { locateProject, type PlaceOptions } from "./place.ts";

/** A snapshot in the list. */
export interface SnapshotListRow {
  /** The id. */
  readonly id: string;
  /** The name that a person gave it. */
  readonly name: string | null;
  /** When it was saved, ISO 8601; `null` where the file cannot be read. */
  readonly timestamp: string | null;
  /** The size of its file, as `15KB`. */
  readonly size: string;
  /** The size of its file in bytes. */
  readonly bytes: number;
  /** The session that it is of, where it is known. */
  readonly session_id: string | null;
  /** The file. */
  readonly path: string;
  /** Why it cannot be used; `null` where it can. */
  readonly problem: string | null;
  /** Whether it was written on this machine. */
  readonly is_ours: boolean;
}

/** A checkpoint in the list. */
export interface CheckpointListRow extends CheckpointRow {
  /** The size of its file in bytes. */
  readonly bytes: number;
  /** Whether it was written on this machine. */
  readonly is_ours: boolean;
}

/** A handoff in the list. */
export interface HandoffListRow {
  /** The session that left it. */
  readonly id: string;
  /** When it was written, ISO 8601. */
  readonly created: string;
  /** A line that describes it. */
  readonly title: string;
  /** Whether a session has taken it. */
  readonly status: "waiting" | "claimed";
  /** Whether it was written on this machine. */
  readonly is_ours: boolean;
}

/** The saves of a project, of each kind the newest first. */
export interface SavesResult {
  /** Snapshots. */
  readonly snapshots: readonly SnapshotListRow[];
  /** Checkpoints. */
  readonly checkpoints: readonly CheckpointListRow[];
  /** Handoffs, those that a session has taken included. */
  readonly handoffs: readonly HandoffListRow[];
  /** Number of snapshots and checkpoints. */
  readonly count: number;
  /** The size of their files together, as `15KB`. */
  readonly total_size: string;
}

/** Lists the checkpoints, snapshots and handoffs of a project. */
export function list(options: PlaceOptions = {}): SavesResult {
  const place = locateProject(options);
  const { projectDir } = place;
  const snapshots = listSnapshotFiles({ projectDir }).map((file) => {
    const { id, name, timestamp, bytes, session_id, path, problem } = file;
    const is_ours = isOurPoint(file, place);
    return {
      id,
      name,
      timestamp,
      size: sizeInKb(bytes),
      bytes,
      session_id,
      path,
      problem,
      is_ours,
    };
  });
  const checkpoints = listCheckpoints({ projectDir }).map((row) => ({
    ...row,
    bytes: Deno.statSync(row.path).size,
    is_ours: isOurPoint(row, place),
  }));
  const handoffs = listFiles(projectDir).flatMap(({ note: { parent_session_id: id }, status }) => {
    const found = findHandoff(place, id);
    if (found === null) return [];
    const { created, title, isOurs } = found;
    return [{ id, created, title, status, is_ours: isOurs }];
  });
  const count = snapshots.length + checkpoints.length;
  const total_size = sizeInKb(...[...snapshots, ...checkpoints].map(({ bytes }) => bytes));
  return { snapshots, checkpoints, handoffs, count, total_size };
}
