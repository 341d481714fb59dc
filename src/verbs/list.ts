/** Lists a project's saves. */

import { sizeInKb } from "../inject/bound.ts";
import { listHandoffs } from "../saved/lineage/handoffs.ts";
import { type CheckpointRow, isOwnSave, listSaves, readableSaves, rowOf } from "../saved/store.ts";
import { locateProject, type PlaceOptions } from "./place.ts";

/** A snapshot in the list. */
export interface SnapshotListRow {
  /** The id. */
  readonly id: string;
  /** The name given by the user; `null` without one. */
  readonly name: string | null;
  /** Time of the save, ISO 8601; `null` if the file cannot be read. */
  readonly timestamp: string | null;
  /** The size of its file, such as `15KB`. */
  readonly size: string;
  /** The size of its file in bytes. */
  readonly bytes: number;
  /** The id of the saved session; `null` if unknown. */
  readonly session_id: string | null;
  /** The path of its file. */
  readonly path: string;
  /** Why it cannot be used; `null` if it can. */
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
  /** Whether a session has claimed it. */
  readonly status: "waiting" | "claimed";
  /** Whether it was written on this machine. */
  readonly is_ours: boolean;
}

/** The saves of a project; each list is newest first. */
export interface SavesResult {
  /** Snapshots. */
  readonly snapshots: readonly SnapshotListRow[];
  /** Checkpoints. */
  readonly checkpoints: readonly CheckpointListRow[];
  /** Handoffs, claimed ones included. */
  readonly handoffs: readonly HandoffListRow[];
  /** Number of snapshots and checkpoints. */
  readonly count: number;
  /** The total size of their files, such as `15KB`. */
  readonly total_size: string;
}

/** Lists the checkpoints, snapshots and handoffs of a project. */
export function list(options: PlaceOptions = {}): SavesResult {
  const place = locateProject(options);
  const { projectDir } = place;
  const snapshots = listSaves("snapshot", { projectDir }).map((found) => ({
    id: found.id,
    name: found.save?.name ?? null,
    timestamp: found.save?.timestamp ?? null,
    size: sizeInKb(found.bytes),
    bytes: found.bytes,
    session_id: found.save?.session_id ?? null,
    path: found.path,
    problem: found.problem,
    is_ours: isOwnSave(found, place),
  }));
  const checkpoints = readableSaves("checkpoint", { projectDir }).map((found) => ({
    ...rowOf(found, projectDir),
    bytes: Deno.statSync(found.path).size,
    is_ours: isOwnSave(found, place),
  }));
  const handoffs = listHandoffs(projectDir).filter(({ view }) => view !== null).map((found) => ({
    id: found.id,
    created: found.created,
    title: found.summary,
    status: found.status,
    is_ours: isOwnSave(found, place),
  }));
  const count = snapshots.length + checkpoints.length;
  const total_size = sizeInKb(...[...snapshots, ...checkpoints].map(({ bytes }) => bytes));
  return { snapshots, checkpoints, handoffs, count, total_size };
}
