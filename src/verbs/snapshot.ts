/** Saves what a session was doing, to restore it at three levels of detail. */

import { sessionWorkState, unreadWarning } from "../saved/session.ts";
import { snapshotSession } from "../saved/snapshot.ts";
import { locateSession, type SessionOptions } from "./place.ts";

/** The session to save, and its name. */
export interface SnapshotOptions extends SessionOptions {
  /** A name to find it by. */
  readonly name?: string | undefined;
  /** The clock. @default {() => new Date()} */
  readonly now?: () => Date;
}

/** A snapshot that was saved. */
export interface SnapshotResult {
  /** The id. */
  readonly snapshot_id: string;
  /** The name; `null` where it was given none. */
  readonly name: string | null;
  /** The file. */
  readonly file_path: string;
  /** Estimated tokens. */
  readonly token_count: number;
  /** The parts of the work that it has. */
  readonly components: readonly string[];
  /** Problems beside the save itself, in sentences; left out if there were none. */
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
