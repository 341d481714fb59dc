import { sizeInKb } from "../inject/bound.ts";
import { listHandoffs } from "../saved/lineage/handoffs.ts";
import {
  type CheckpointRow,
  filesOf,
  isOwnSave,
  listSaves,
  readableSaves,
  rowOf,
} from "../saved/store.ts";
import { sizeOf } from "../store/exists.ts";
import { locateProject, type PlaceOptions } from "./place.ts";

/** A snapshot in a list. */
export interface SnapshotListRow {
  /** Id of the snapshot. */
  readonly id: string;
  /** Name given by the user; `null` if there is none. */
  readonly name: string | null;
  /** Time of the save, ISO 8601; `null` if the file cannot be read. */
  readonly timestamp: string | null;
  /** Size of the file, such as `15KB`. */
  readonly size: string;
  /** Size of the file, in bytes. */
  readonly bytes: number;
  /** Id of the saved session; `null` if unknown. */
  readonly session_id: string | null;
  /** Path of the file. */
  readonly path: string;
  /** Reason why the snapshot cannot be used; `null` if it can. */
  readonly problem: string | null;
  /** Whether the snapshot was written on this machine or is trusted. */
  readonly is_ours: boolean;
}

/** A checkpoint in a list. */
export interface CheckpointListRow extends CheckpointRow {
  /** Size of the Markdown and the JSON together, in bytes. */
  readonly bytes: number;
  /** Whether the checkpoint was written on this machine or is trusted. */
  readonly is_ours: boolean;
}

/** A handoff in a list. */
export interface HandoffListRow {
  /** Id of the session that left the handoff. */
  readonly id: string;
  /** Time of the handoff, ISO 8601. */
  readonly created: string;
  /** Describes the handoff on one line. */
  readonly title: string;
  /** `claimed` if a session has received the handoff, and the handoff is not kept for other sessions. */
  readonly status: "waiting" | "claimed";
  /** Whether the handoff was written on this machine or is trusted. */
  readonly is_ours: boolean;
}

/** Saves of a project. Each list is newest first. */
export interface SavesResult {
  /** The project's snapshots. */
  readonly snapshots: readonly SnapshotListRow[];
  /** The project's checkpoints. */
  readonly checkpoints: readonly CheckpointListRow[];
  /** The project's handoffs, including those that a session has claimed. */
  readonly handoffs: readonly HandoffListRow[];
  /** Number of snapshots and checkpoints. */
  readonly count: number;
  /** Total size of the snapshots and checkpoints, such as `15KB`. */
  readonly total_size: string;
}

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
    bytes: filesOf(found).reduce((sum, path) => sum + sizeOf(path), 0),
    is_ours: isOwnSave(found, place),
  }));
  const handoffs = listHandoffs(projectDir).map((found) => ({
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
