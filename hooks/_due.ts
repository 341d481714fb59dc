/** Saves for the Stop hook; loaded only when something is due. */

import type { ContextConfig } from "../src/config/schema.ts";
import { hasAutoSnapshot } from "../src/events/needs_checkpoint.ts";
import { claimNotice } from "../src/inject/once.ts";
import { hookOutput } from "../src/inject/output.ts";
import type { SessionPressure } from "../src/gauge/judge.ts";
import { reasonOf } from "../src/store/atomic.ts";
import { joinPath } from "../src/store/paths.ts";
import type { StateOwner } from "../src/store/state.ts";
import { type StateChange, updateSessionState } from "../src/store/state_update.ts";
import type { HookDeps } from "./_payload.ts";

/** The result of a look at a session. */
interface Due {
  /** The project and the session. */
  readonly owner: StateOwner;
  readonly transcript: string;
  /** Claude Code's configuration folder; undefined where there is none. */
  readonly configDir: string | undefined;
  /** The usage of the window. */
  readonly pressure: SessionPressure;
  readonly config: ContextConfig;
  readonly change: StateChange;
  readonly isCheckpointDue: boolean;
  /** Whether that is because the window passed its threshold. */
  readonly isCrossing: boolean;
  readonly isSnapshotDue: boolean;
}

/** The longest wait for the state of the session, in milliseconds. */
const WAIT_MS = 500;

/** Writes down what is to be remembered, and saves what is due. */
export async function saveWhatIsDue(due: Due, deps: HookDeps): Promise<string> {
  try {
    const isFirst = remember(due);
    const words = due.isCheckpointDue && isFirst ? await writeCheckpoint(due, deps) : null;
    if (due.isSnapshotDue) return await saveSnapshot(due, deps, words);
    return words === null ? "" : hookOutput({ event: "Stop", message: `trimtab: ${words}` });
  } catch (error) {
    return sayOnce(due.owner, error);
  }
}

/** Noted first: of two processes that come at once, one saves. */
function remember({ owner, change, isCrossing }: Due): boolean {
  if (Object.keys(change).length === 0) return true;
  let isFirst = false;
  updateSessionState(owner, (state) => {
    isFirst = !isCrossing || state.checkpoint_armed !== false;
    return isFirst ? change : null;
  }, { waitMs: WAIT_MS });
  return isFirst;
}

/** Quietly where all is well: the window's warning has been said. */
async function writeCheckpoint(due: Due, deps: HookDeps): Promise<string | null> {
  const { owner, transcript, configDir, pressure, config } = due;
  const { checkpointSession } = await import("../src/saved/checkpoint/session.ts");
  const { unmarkedWords } = await import("../src/events/unmarked.ts");
  try {
    const { saved } = checkpointSession({
      owner,
      transcript,
      configDir,
      trigger: "watcher",
      usagePercent: pressure.percent,
      retentionDays: config.retention_days,
      now: deps.now,
      activeOnly: true,
    });
    return saved === null ? null : unmarkedWords(owner, saved, configDir);
  } catch (error) {
    // The next turn may try again.
    if (due.isCrossing) {
      updateSessionState(owner, () => ({ checkpoint_armed: null }), { waitMs: WAIT_MS });
    }
    throw error;
  }
}

async function saveSnapshot(due: Due, deps: HookDeps, before: string | null): Promise<string> {
  const { owner, transcript, configDir } = due;
  const { projectDir } = owner;
  const created = new Date(deps.now()).toISOString();
  const { createAutoCompactionManager } = await import("../src/designs/auto_compaction.ts");
  const { sessionWorkState } = await import("../src/saved/checkpoint/session.ts");
  const manager = createAutoCompactionManager({
    projectDir,
    configDir,
    transcript,
    planningDir: joinPath(projectDir, ".planning"),
    state: sessionWorkState({ owner, transcript, configDir, activeOnly: true }),
    activeOnly: true,
    now: () => new Date(deps.now()),
  });
  const claim = { path: "", created };
  const outcome = updateSessionState(owner, (state) => {
    return hasAutoSnapshot(state, deps.now()) ? null : { auto_snapshot: claim };
  }, { waitMs: WAIT_MS });
  const messageOf = (words: string): string =>
    hookOutput({ event: "Stop", message: `trimtab: ${words}` });
  if (outcome !== "written") return before === null ? "" : messageOf(before);
  let path: string;
  try {
    path = await manager.trigger();
    updateSessionState(owner, () => ({ auto_snapshot: { path, created } }), { waitMs: WAIT_MS });
  } catch (error) {
    // The next turn may try again.
    updateSessionState(owner, () => ({ auto_snapshot: null }), { waitMs: WAIT_MS });
    throw error;
  }
  const { unmarkedWords } = await import("../src/events/unmarked.ts");
  const unmarked = before ?? unmarkedWords(owner, { path }, configDir);
  // The next prompt's hook warns of the window; both would say the same.
  const yet = unmarked === null ? "" : ` Yet ${unmarked}`;
  return messageOf(`a snapshot of the work is saved.${yet}`);
}

function sayOnce(owner: StateOwner, error: unknown): string {
  try {
    if (!claimNotice(owner, "save")) return "";
    const reason = reasonOf(error);
    return hookOutput({ event: "Stop", message: `trimtab: could not save the work: ${reason}` });
  } catch {
    // Without a record of having spoken, the hook would speak after every turn.
    return "";
  }
}
