import { DEFAULT_CONFIG } from "../config/schema.ts";
import type { WorkState } from "../core/work_state.ts";
import { saveCheckpoint, type SavedCheckpoint } from "../saved/checkpoint.ts";
import { TRIGGERS } from "../saved/views/checkpoint_view.ts";
import type { SaveReason } from "../saved/save.ts";
import { findConfigDir, projectOf } from "../store/paths.ts";

/** Options for {@linkcode writeCheckpoint}. */
export interface SaveOptions {
  /** The project's folder, which must exist. @default {findProjectDir({ cwd: Deno.cwd() })} */
  readonly projectDir?: string;
  /** The configuration folder; if `undefined`, no index entry or mark is written. @default {findConfigDir()} */
  readonly configDir?: string | undefined;
  /** The reason for the save. @default {"manual"} */
  readonly trigger?: SaveReason;
  /** The session's id; empty if unknown. @default {the work state's id} */
  readonly sessionId?: string;
  /** Percentage of the limit in use, 0 to 100; null if unknown. @default {null} */
  readonly usagePercent?: number | null;
  /** Returns the current time, in milliseconds since 1970. @default {Date.now} */
  readonly now?: () => number;
  /** Retention of checkpoints, in days. @default {7} */
  readonly retentionDays?: number;
  /** Markdown notes to merge. */
  readonly notes?: string;
  /** The id of the previous checkpoint. @default {the session's newest checkpoint} */
  readonly parent?: string | null;
}

/**
 * Saves a work state as a checkpoint: writes its Markdown, reads it back, writes the JSON, deletes
 * checkpoints past their retention, and updates the index.
 *
 * Neither file overwrites an existing file. If one of them cannot be written, this function throws and leaves
 * no file behind. If deleting old checkpoints or updating the index fails, the checkpoint is still saved, and a
 * warning reports the failed step.
 *
 * Permissions: `--allow-read` for `<projectDir>` and `<configDir>/trimtab`, and `--allow-write` for
 * `<projectDir>/.claude/checkpoints`, `<projectDir>/.claude/trimtab` and `<configDir>/trimtab`; if the folders are
 * not given, also `--allow-env=CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE` to find them.
 *
 * @throws {Deno.errors.NotFound} When the project's folder does not exist.
 * @throws {RangeError} When the reason is not `auto`, `manual` or `watcher`.
 * @throws {TypeError} When the work state does not match the schema of a save.
 * @throws {Error} When another process holds the folder's lock for too long, when a file cannot be written, or
 * when the checkpoint was deleted in the meantime.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { collectContext } from "./collect_context.ts";
 * import { writeCheckpoint } from "./write_checkpoint.ts";
 *
 * const projectDir = Deno.makeTempDirSync();
 * const { state } = collectContext({ transcript: null });
 * const now = () => Date.parse("2026-03-01T10:01:00Z");
 * const { path, verified } = writeCheckpoint(state, { projectDir, configDir: undefined, now });
 * assertEquals(path, `${projectDir}/.claude/checkpoints/2026-03-01-100100.md`);
 * assertEquals(verified, true);
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function writeCheckpoint(state: WorkState, given: SaveOptions = {}): SavedCheckpoint {
  const { trigger = "manual", usagePercent = null, now = Date.now } = given;
  // A checkpoint with an unknown trigger could be written, but not read back.
  if (!TRIGGERS.includes(trigger)) {
    const shown = JSON.stringify(trigger);
    throw new RangeError(
      `Cannot save checkpoint: trigger is ${shown}, expected one of ${TRIGGERS.join(", ")}`,
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
    retentionDays: given.retentionDays ?? DEFAULT_CONFIG.context.retention_days,
  });
}
