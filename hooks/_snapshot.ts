/**
 * What the Stop hook needs only at the crossing of a threshold.
 *
 * @module
 */

import { claimNotice } from "../src/inject/once.ts";
import { hookOutput } from "../src/inject/output.ts";
import { createAutoCompactionManager } from "../src/memory/auto_compaction.ts";
import { sessionWorkState } from "../src/memory/checkpoint_session.ts";
import { joinPath } from "../src/store/paths.ts";
import type { StateOwner } from "../src/store/state.ts";
import { updateSessionState } from "../src/store/state_update.ts";
import type { HookDeps } from "./_payload.ts";

/** A session that is filling up. */
export interface FillingSession {
  /** The project and the session. */
  readonly owner: StateOwner;
  /** The transcript. */
  readonly transcript: string;
  /** How full the window is, 0 to 100. */
  readonly percent: number;
  /** From where on a snapshot is saved, 0 to 100. */
  readonly threshold: number;
}

/** How long the state of the session is waited for, in milliseconds. */
const WAIT_MS = 500;

/**
 * Saves a snapshot, unless another process has just done so.
 *
 * @param session The session.
 * @param deps What the hook is handed besides.
 * @returns What to print.
 */
export async function snapshotOnce(session: FillingSession, deps: HookDeps): Promise<string> {
  const { owner, transcript, percent, threshold } = session;
  const { projectDir } = owner;
  const created = new Date(deps.now()).toISOString();
  try {
    const manager = createAutoCompactionManager({
      projectDir,
      transcript,
      planningDir: joinPath(projectDir, ".planning"),
      state: sessionWorkState({ owner, transcript, activeOnly: true }),
      activeOnly: true,
      now: () => new Date(deps.now()),
    });
    if (!manager.shouldTrigger(percent / 100, threshold / 100)) return "";
    // Noted first: of two that come at once, one saves.
    const claim = { path: "", created };
    const outcome = updateSessionState(owner, (state) => {
      return state.auto_snapshot === undefined ? { auto_snapshot: claim } : null;
    }, { waitMs: WAIT_MS });
    if (outcome !== "written") return "";
    try {
      const path = await manager.trigger();
      updateSessionState(owner, () => ({ auto_snapshot: { path, created } }), { waitMs: WAIT_MS });
      return hookOutput({
        event: "Stop",
        message: `trimtab: context at ${percent}%, a snapshot of the work is saved. ` +
          "/clear starts afresh and goes on from it.",
      });
    } catch (error) {
      // The next turn may try again.
      updateSessionState(owner, () => ({ auto_snapshot: null }), { waitMs: WAIT_MS });
      throw error;
    }
  } catch (error) {
    return sayOnce(owner, error);
  }
}

function sayOnce(owner: StateOwner, error: unknown): string {
  try {
    if (!claimNotice(owner, "snapshot")) return "";
    const reason = error instanceof Error ? error.message : String(error);
    return hookOutput({ event: "Stop", message: `trimtab: no snapshot was saved: ${reason}` });
  } catch {
    // Whoever cannot write down that it spoke would speak after every turn.
    return "";
  }
}
