/** Saves checkpoints. */

import { type AtomicFileSystem, reasonOf } from "../../store/atomic.ts";
import { findConfigDir, findProjectDir, joinPath } from "../../store/paths.ts";
import { readTextSync } from "../../store/read_file.ts";
import { digestOf } from "../../store/sha256.ts";
import type { WorkState } from "../../extract/work_state.ts";
import { OwnWriter } from "../own_writer.ts";
import { checkSnapshot } from "../snapshot/check.ts";
import {
  contentOf,
  type ContextSnapshot,
  type SaveReason,
  sealSnapshot,
} from "../snapshot/snapshot.ts";
import { renderCheckpoint, summaryOf } from "./checkpoint.ts";
import {
  checkpointFolder,
  checkpointPaths,
  MAX_CHECKPOINT_BYTES,
  newestOfSession,
} from "./files.ts";
import { largestIteration, nextIteration } from "./iteration.ts";
import { idOfTime, metaOfSave, TRIGGERS } from "./meta.ts";
import { mergeNotes } from "./notes.ts";
import { indexCheckpoint } from "./project_index.ts";
import { pruneCheckpoints } from "./prune.ts";

/** Options of {@linkcode writeCheckpoint}. */
export interface SaveOptions {
  /** The folder of the project; it must be there. @default {findProjectDir({ cwd: Deno.cwd() })} */
  readonly projectDir?: string;
  /**
   * Claude Code's configuration folder, for the index; `undefined` says that there is none.
   *
   * @default {findConfigDir()}
   */
  readonly configDir?: string | undefined;
  /** The trigger of the checkpoint. @default {"manual"} */
  readonly trigger?: SaveReason;
  /** The session; empty where it is not known. @default {the one of the work state} */
  readonly sessionId?: string;
  /** Fill of the window, 0 to 100; null if unknown. @default {null} */
  readonly usagePercent?: number | null;
  /** The clock, in milliseconds since 1970. @default {Date.now} */
  readonly now?: () => number;
  /** Days for which checkpoints are kept. @default {7} */
  readonly retentionDays?: number;
  /** Markdown to merge. */
  readonly notes?: string;
  /** The id of the checkpoint before. @default the newest of the session */
  readonly parent?: string | null;
  /** Time to wait for other writers, in milliseconds. @default {5_000} */
  readonly waitMs?: number;
  /** The system calls to write with. @default {Deno} */
  readonly fs?: AtomicFileSystem;
}

interface Save extends SaveOptions {
  readonly projectDir: string;
  readonly configDir: string | undefined;
  readonly trigger: SaveReason;
  readonly sessionId: string;
  readonly usagePercent: number | null;
  readonly now: () => number;
  readonly retentionDays: number;
}

/** A checkpoint that is on the disk. */
export interface SavedCheckpoint {
  /** The name of its file without `.md`. */
  readonly id: string;
  /** The file. */
  readonly path: string;
  /** The reason for the save. */
  readonly trigger: SaveReason;
  /** Its number among all of the project. */
  readonly iteration: number;
  /** Whether it was read back and found whole. */
  readonly verified: boolean;
  /** The task and the count of files. */
  readonly summary: string;
  /** When it was made, ISO 8601. */
  readonly created: string;
  /** Steps that failed although the save succeeded, in sentences; missing if none did. */
  readonly warning?: string;
}

const RETENTION_DAYS = 7;

/**
 * Saves a work state as a checkpoint: writes its Markdown, reads it back, writes the JSON, deletes
 * checkpoints that are older than they are kept, and brings the index up to the files.
 *
 * The file never replaces another one. When the file cannot be written this throws and nothing is
 * left; when something after it fails, the checkpoint is saved and a warning says what is not.
 *
 * Permissions: `--allow-read` and `--allow-write` for `<projectDir>/.claude/checkpoints`,
 * `<projectDir>/.claude/trimtab` and `<configDir>/trimtab/checkpoints`; to find the folders, where
 * they are left out, also `--allow-env=CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE`.
 *
 * @param state What the session was doing.
 * @param given Whose it is, and where to.
 * @returns What was saved.
 * @throws {Deno.errors.NotFound} When the project's folder is not there.
 * @throws {RangeError} When the trigger is none of `auto`, `manual` and `watcher`.
 * @throws {Error} When another process holds the folder for too long, or whatever the system says
 * when the file cannot be written or is gone again.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { writeCheckpoint } from "./store.ts";
 * import { extractState } from "../../extract/extract_state.ts";
 *
 * const projectDir = Deno.makeTempDirSync();
 * const transcript = `${projectDir}/session.jsonl`;
 * Deno.writeTextFileSync(transcript, "");
 * const saved = writeCheckpoint(extractState(transcript), {
 *   projectDir,
 *   configDir: `${projectDir}/config`,
 *   now: () => Date.parse("2026-03-01T10:01:00Z"),
 * });
 * assertEquals(saved.path, `${projectDir}/.claude/checkpoints/2026-03-01-100100.md`);
 * assertEquals({ verified: saved.verified, iteration: saved.iteration }, {
 *   verified: true,
 *   iteration: 1,
 * });
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function writeCheckpoint(state: WorkState, given: SaveOptions = {}): SavedCheckpoint {
  const options = wholeOptions(state, given);
  const { projectDir, notes, trigger } = options;
  Deno.statSync(projectDir);
  const whole = notes === undefined ? state : mergeNotes(state, notes, projectDir);
  const writer = new OwnWriter("checkpoint", options);
  const { warnings } = writer;
  const stamp = idOfTime(new Date(options.now()));
  const { save, path } = writer.underFreeId(
    checkpointFolder(projectDir),
    stamp,
    (id) => write(whole, id, options, writer),
  );
  const { id, iteration, created, verified, summary = "" } = metaOfSave(save);
  tidy(id, options, warnings);
  // Nothing is called saved that is not there.
  Deno.statSync(checkpointPaths(path).json);
  const saved = { id, path, trigger, iteration, verified, summary, created };
  return warnings.length === 0 ? saved : { ...saved, warning: warnings.join(" ") };
}

function wholeOptions(state: WorkState, given: SaveOptions): Save {
  const { trigger = "manual" } = given;
  // A checkpoint with any other could be written, and not be read again.
  if (!TRIGGERS.includes(trigger)) {
    const told = JSON.stringify(trigger);
    throw new RangeError(
      `Cannot save checkpoint: trigger is ${told}, expected one of ${TRIGGERS.join(", ")}`,
    );
  }
  return {
    ...given,
    projectDir: given.projectDir ?? findProjectDir({ cwd: Deno.cwd() }),
    configDir: "configDir" in given ? given.configDir : findConfigDir(),
    trigger,
    sessionId: given.sessionId ?? state.session_id ?? "",
    usagePercent: given.usagePercent ?? null,
    now: given.now ?? Date.now,
    retentionDays: given.retentionDays ?? RETENTION_DAYS,
  };
}

interface Written {
  readonly save: ContextSnapshot;
  readonly path: string;
}

/** Picks the number, and writes; under the lock, so that nobody picks the same. */
function write(state: WorkState, id: string, options: Save, writer: OwnWriter): Written {
  const { projectDir, sessionId, trigger } = options;
  const { warnings } = writer;
  const folder = checkpointFolder(projectDir);
  const time = new Date(options.now());
  const content = contentOf({ ...state, session_id: sessionId === "" ? null : sessionId });
  const save: ContextSnapshot = {
    ...sealSnapshot(content, { now: time }),
    snapshot_id: id,
    reason: trigger,
    project: projectDir,
    iteration: countOn(options, warnings),
    usage_percent: options.usagePercent,
    parent: options.parent === undefined
      ? newestOfSession(sessionId, options)?.id ?? null
      : options.parent,
    summary: summaryOf(state),
    verified: true,
  };
  const { json, view } = checkpointPaths(joinPath(folder, `${id}.md`));
  const text = renderCheckpoint(state, metaOfSave(save), { projectDir });
  // The JSON announces the checkpoint, so it comes last.
  writer.write(view, text);
  const isWhole = readTextSync(view, MAX_CHECKPOINT_BYTES) === text;
  if (!isWhole) warnings.push("The checkpoint was changed by another process while it was saved.");
  const whole = { ...save, verified: isWhole, view_sha256: digestOf(text) };
  const problems = checkSnapshot(whole);
  if (problems.length > 0) throw new TypeError(`Cannot save checkpoint: ${problems.join(" ")}`);
  try {
    writer.write(json, `${JSON.stringify(whole, null, 2)}\n`);
  } catch (error) {
    Deno.removeSync(view);
    throw error;
  }
  return { save: whole, path: view };
}

/** A counter that cannot be written must not lose the checkpoint; the lock keeps this unique too. */
function countOn(options: Save, warnings: string[]): number {
  const largest = largestIteration(options.projectDir);
  try {
    return nextIteration(options.projectDir, { ...options, largest });
  } catch (error) {
    warnings.push(`The checkpoint counter was not saved: ${reasonOf(error)}.`);
    return largest + 1;
  }
}

/** Steps that can fail without harm to the checkpoint. */
function tidy(keepId: string, options: Save, warnings: string[]): void {
  const nowMs = options.now();
  const { projectDir, retentionDays, configDir } = options;
  try {
    pruneCheckpoints({ projectDir, configDir, retentionDays, nowMs, keepId });
  } catch (error) {
    warnings.push(`Old checkpoints were not deleted: ${reasonOf(error)}.`);
  }
  try {
    if (configDir === undefined) return;
    indexCheckpoint({ ...options, configDir, nowMs });
  } catch (error) {
    warnings.push(`The checkpoint is saved but not in the index: ${reasonOf(error)}.`);
  }
}
