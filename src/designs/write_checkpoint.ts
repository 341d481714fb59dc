/** Saves a work state as a checkpoint, with the defaults of the documents. */

import type { WorkState } from "../extract/work_state.ts";
import { saveCheckpoint, type SavedCheckpoint } from "../saved/checkpoint.ts";
import { TRIGGERS } from "../saved/layout/checkpoint_view.ts";
import type { SaveReason } from "../saved/save.ts";
import type { AtomicFileSystem } from "../store/atomic.ts";
import { findConfigDir, projectOf } from "../store/paths.ts";

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
 * @param state The work state of the session.
 * @param given The project, the session and the trigger.
 * @returns The saved checkpoint.
 * @throws {Deno.errors.NotFound} When the project's folder is not there.
 * @throws {RangeError} When the trigger is none of `auto`, `manual` and `watcher`.
 * @throws {Error} When another process holds the folder for too long, or whatever the system says
 * when the file cannot be written or is gone again.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { writeCheckpoint } from "./write_checkpoint.ts";
 * import { extractState } from "../extract/extract_state.ts";
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
  const { trigger = "manual", usagePercent = null, now = Date.now } = given;
  // A checkpoint with any other could be written, and not be read again.
  if (!TRIGGERS.includes(trigger)) {
    const told = JSON.stringify(trigger);
    throw new RangeError(
      `Cannot save checkpoint: trigger is ${told}, expected one of ${TRIGGERS.join(", ")}`,
    );
  }
  return saveCheckpoint(state, {
    ...given,
    projectDir: projectOf(given),
    configDir: "configDir" in given ? given.configDir : findConfigDir(),
    trigger,
    sessionId: given.sessionId ?? state.session_id ?? "",
    usagePercent,
    now,
    retentionDays: given.retentionDays ?? RETENTION_DAYS,
  });
}
