import { readableWorkState, unreadWarning } from "../saved/session.ts";
import { snapshotSession } from "../saved/snapshot.ts";
import { locateSession, type SessionOptions } from "./place.ts";

/** The session to save, and a name for the snapshot. */
export interface SnapshotOptions extends SessionOptions {
  /** Name for finding the snapshot again. */
  readonly name?: string | undefined;
  /** Returns the current time. @default {() => new Date()} */
  readonly now?: () => Date;
}

/** A saved snapshot. */
export interface SnapshotResult {
  /** Id of the snapshot. */
  readonly snapshot_id: string;
  /** Name of the snapshot; `null` if it has none. */
  readonly name: string | null;
  /** Path of the snapshot's file. */
  readonly file_path: string;
  /** Estimated tokens of the snapshot. */
  readonly token_count: number;
  /** Names of the snapshot's parts, the same for every snapshot. */
  readonly components: readonly string[];
  /** Warnings about steps that failed although the save succeeded; absent if no step failed. */
  readonly warning?: string;
}

/** In the order of the fields in the snapshot's file. */
export const COMPONENTS: readonly string[] = ["requirements", "decisions", "state", "open_items"];

export function snapshot(options: SnapshotOptions = {}): SnapshotResult {
  const { session, projectDir, configDir, owner } = locateSession(options);
  const state = readableWorkState({ owner, transcript: session.path, configDir });
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
