/** Saves a compacted snapshot of a session once, before the client compacts the session. */

import { collectContext, type CollectContextOptions } from "./collect_context.ts";
import { compactWithCoreInfo, saveContextSnapshot } from "./compacted_context.ts";
import { emitEvent } from "./emit_event.ts";
import { AUTO_COMPACTION } from "../events/log.ts";
import { PLANNING_DIR } from "../store/planning.ts";
import { SNAPSHOT_DIR } from "../saved/store.ts";

const AUTO_COMPACTION_THRESHOLD = 0.8;

/** Options for an {@linkcode AutoCompactionManager}. */
export interface AutoCompactionOptions
  extends Pick<CollectContextOptions, "projectDir" | "transcript" | "state"> {
  /** Claude Code's configuration folder; undefined if there is none. @default {findConfigDir()} */
  readonly configDir?: string | undefined;
  /** Returns the current time. @default {() => new Date()} */
  readonly now?: () => Date;
}

/** Options for {@linkcode createAutoCompactionManager}. */
export interface AutoCompactionManagerOptions extends AutoCompactionOptions {
  /** The folder of plans; a relative path is resolved against the project. @default {".planning"} */
  readonly planningDir?: string;
  /** The folder of snapshots; a relative path is resolved against the project. @default {SNAPSHOT_DIR} */
  readonly snapshotDir?: string;
}

/**
 * Saves a compacted snapshot of a session once, when enough of the window is used.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { AutoCompactionManager } from "./auto_compaction.ts";
 *
 * const manager = new AutoCompactionManager();
 * assertEquals(manager.shouldTrigger(0.79), false);
 * assertEquals(manager.shouldTrigger(0.8), true);
 * assertEquals(manager.getSnapshotPath(), null);
 * ```
 */
export class AutoCompactionManager {
  readonly #options: AutoCompactionManagerOptions;
  #snapshotPath: string | null = null;

  /** Creates a manager for one session. */
  constructor(
    planningDir: string = PLANNING_DIR,
    snapshotDir: string = SNAPSHOT_DIR,
    options: AutoCompactionOptions = {},
  ) {
    this.#options = { ...options, planningDir, snapshotDir };
  }

  /**
   * Checks whether the session should be saved now.
   *
   * @param usageRatio The used fraction of the window, 0 to 1.
   * @param threshold The fraction at which to save, 0 to 1; defaults to 0.8.
   * @returns Whether to call {@linkcode AutoCompactionManager.trigger}. Always false after a save.
   */
  shouldTrigger(usageRatio: number, threshold: number = AUTO_COMPACTION_THRESHOLD): boolean {
    return this.#snapshotPath === null && usageRatio >= threshold;
  }

  /**
   * Collects, compacts and saves the context, and records the save in the event log. After a
   * failure, this method can be called again.
   *
   * Permissions: `--allow-read` for the transcript, the plan folder and the project, `--allow-write` for
   * `<project>/.claude`, and both for `trimtab` in Claude Code's configuration folder; to find the folders and
   * the current session also `--allow-env`.
   *
   * @param currentPlanId The plan in progress, if known.
   * @returns The path of the snapshot's file.
   * @throws {Error} When this session was already saved, or when reading or writing fails.
   */
  trigger(currentPlanId?: string): Promise<string> {
    return Promise.try(() => this.#trigger(currentPlanId));
  }

  /** Returns the path of the snapshot's file; null before the save. */
  getSnapshotPath(): string | null {
    return this.#snapshotPath;
  }

  /** Forgets the saved snapshot, so that a new session can be saved. */
  reset(): void {
    this.#snapshotPath = null;
  }

  #trigger(planId: string | undefined): string {
    if (this.#snapshotPath !== null) {
      throw new Error("Auto-compaction already triggered this session");
    }
    const { now = () => new Date(), ...from } = this.#options;
    const compacted = compactWithCoreInfo(collectContext({ ...from, planId }));
    const options = { ...from, now: now() };
    const snapshotPath = saveContextSnapshot(compacted, options);
    const { compressionRatio, originalTokens, compactedTokens } = compacted;
    const payload = { snapshotPath, compressionRatio, originalTokens, compactedTokens };
    emitEvent({ ...AUTO_COMPACTION, payload }, options);
    this.#snapshotPath = snapshotPath;
    return snapshotPath;
  }
}

/** Creates a manager. */
export function createAutoCompactionManager(
  options: AutoCompactionManagerOptions = {},
): AutoCompactionManager {
  const { planningDir, snapshotDir, ...rest } = options;
  return new AutoCompactionManager(planningDir, snapshotDir, rest);
}

/**
 * Saves a compacted snapshot now, regardless of the usage. Permissions, result and errors are the same as for
 * {@linkcode AutoCompactionManager.trigger}.
 */
export function triggerAutoCompaction(
  currentPlanId?: string,
  options: AutoCompactionManagerOptions = {},
): Promise<string> {
  return createAutoCompactionManager(options).trigger(currentPlanId);
}
