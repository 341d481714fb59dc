/** Keeps snapshots as files of a project. */

import type { AtomicFileSystem } from "../../store/atomic.ts";
import { findConfigDir, isAbsolutePath, joinPath } from "../../store/paths.ts";
import { OwnWriter } from "../own_writer.ts";
import { checkSnapshot } from "./check.ts";
import { projectOf, snapshotFolder, type SnapshotPlace } from "./place.ts";
import { type ContextSnapshot, snapshotStamp } from "./snapshot.ts";

/** Options for saving a snapshot. */
export interface SaveSnapshotOptions extends SnapshotPlace {
  /** The time that its id tells. @default {new Date()} */
  readonly now?: Date;
  /** Claude Code's configuration folder; undefined where there is none. @default {findConfigDir()} */
  readonly configDir?: string | undefined;
  /** The system calls to use. @default {Deno} */
  readonly fs?: AtomicFileSystem;
  /** Longest wait for other writers, in milliseconds. @default {5000} */
  readonly waitMs?: number;
}

/** A snapshot that is in its file. */
export interface SavedSnapshot {
  /** The file. */
  readonly path: string;
  /** Its content. */
  readonly snapshot: ContextSnapshot;
  /** A step that failed although the save succeeded, in a sentence; missing if none did. */
  readonly warning?: string;
}

/**
 * Saves a snapshot in a file of its own, which appears whole or not at all.
 *
 * The id and the time are those of the saving; another snapshot of the same second is left alone,
 * and this one gets a suffix. The folder is private and kept out of git.
 *
 * Permissions: `--allow-read` and `--allow-write` for the folder.
 *
 * @param snapshot The snapshot.
 * @param options Where and when.
 * @returns The file and what is in it.
 * @throws {TypeError} When the snapshot has not its shape; nothing is written then.
 * @throws {Deno.errors.NotFound} When the project's folder is not there.
 * @throws {Error} When other writers hold the folder for too long, and whatever the system says when
 * the file cannot be written.
 *
 * @example
 * ```ts
 * import { assert, assertEquals } from "@std/assert";
 * import { extractFromEntries } from "../../extract/extract_state.ts";
 * import { snapshotOf } from "./snapshot.ts";
 * import { saveSnapshot } from "./store.ts";
 *
 * const projectDir = Deno.makeTempDirSync();
 * const now = new Date("2026-03-01T14:35:22Z");
 * const { path, snapshot } = saveSnapshot(snapshotOf(extractFromEntries([])), { projectDir, now });
 * assert(path.endsWith("/.claude/runtime/context-snapshots/20260301_143522.json"));
 * assertEquals(snapshot.snapshot_id, "20260301_143522");
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function saveSnapshot(
  snapshot: ContextSnapshot,
  options: SaveSnapshotOptions = {},
): SavedSnapshot {
  const now = options.now ?? new Date();
  const stamp = snapshotStamp(now);
  const folder = snapshotFolder(options);
  const stamped = { ...snapshot, snapshot_id: stamp, timestamp: now.toISOString() };
  const problems = checkSnapshot(stamped);
  if (problems.length > 0) throw new TypeError(`Cannot save snapshot: ${problems.join(" ")}`);
  // The project's own folder is never made.
  if (!isAbsolutePath(options.snapshotDir ?? "")) Deno.statSync(projectOf(options));
  const isElsewhere = isAbsolutePath(options.snapshotDir ?? "");
  const writer = new OwnWriter("snapshot", {
    projectDir: isElsewhere ? folder : projectOf(options),
    // A file outside the snapshot folder is never restored automatically.
    configDir: isElsewhere
      ? undefined
      : "configDir" in options
      ? options.configDir
      : findConfigDir(),
    waitMs: options.waitMs,
    fs: options.fs,
  });
  return writer.underFreeId(folder, stamp, (id) => {
    const path = joinPath(folder, `${id}.json`);
    const saved = { ...stamped, snapshot_id: id };
    writer.write(path, `${JSON.stringify(saved, null, 2)}\n`);
    const [warning] = writer.warnings;
    return { path, snapshot: saved, ...(warning === undefined ? {} : { warning }) };
  });
}
