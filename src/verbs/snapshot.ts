/** Saves a session's work state, to restore it at three levels of detail. */

import { sessionWorkState, unreadWarning } from "../saved/session.ts";
import { snapshotSession } from "../saved/snapshot.ts";
import { locateSession, type SessionOptions } from "./place.ts";

/** The session to save, and its name. */
export interface SnapshotOptions extends SessionOptions {
  /** A name for finding the snapshot. */
  readonly name?: string | undefined;
  /** Returns the current time. @default {() => new Date()} */
  readonly now?: () => Date;
}

/** A saved snapshot. */
export interface SnapshotResult {
  /** The id. */
  readonly snapshot_id: string;
  /** The name; `null` without one. */
  readonly name: string | null;
  /** The path of its file. */
  readonly file_path: string;
  /** Estimated tokens of the snapshot. */
  readonly token_count: number;
  /** The parts of the snapshot. */
  readonly components: readonly string[];
  /** Steps that failed although the save succeeded, in sentences; missing if none did. */
  readonly warning?: string;
}

/** The parts of a snapshot, in the order of its text. */
export const COMPONENTS: readonly string[] = ["requirements", "decisions", "state", "open_items"];

/** Saves a snapshot of a session. */
export function snapshot(options: SnapshotOptions = {}): SnapshotResult {
  const { session, projectDir, configDir, owner } = locateSession(options);
  const state = sessionWorkState({ owner, transcript: session.path, configDir });
  const { path, snapshot: saved, warning = unreadWarning(state) } = snapshotSession(state, {
    projectDir,
    configDir,
    transcript: session.path,
    name: options.name ?? null,
    now: options.now?.() ?? new Date(),
  });
  const { snapshot_id, name, token_count } = saved;
  const result = { snapshot_id, name, file_path: path, token_count, components: COMPONENTS };
  return warning === undefined ? result : { ...result, warning };
}
