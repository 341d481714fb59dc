/**
 * Handles the start of a session: records it in the lineage, and restores a handoff or the save of an earlier
 * session. If it restores neither, tells the user about the newest save.
 */

import type { WaitingValue } from "../config/merge.ts";
import { hookConfig } from "../config/read_config.ts";
import { reasonOf } from "../store/atomic.ts";
import { readLineage } from "../saved/lineage/file.ts";
import type { FoundHandoff } from "../saved/lineage/handoffs.ts";
import { type SessionRecord, withStarted } from "../saved/lineage/rows.ts";
import { joinPath, usesTrimtab } from "../store/paths.ts";
import { readSessionState } from "../store/state.ts";
import { type Call, isHeadless, isSubagent, type Start, textOf } from "./call.ts";

const EVENT = "SessionStart";

const WAIT_MS = 500;

const HANDOFF_FOLDER = ".claude/trimtab/handoffs";
const SAVE_FOLDERS = [".claude/checkpoints", ".claude/runtime/context-snapshots"];

export async function startOutput(call: Call): Promise<string> {
  const source = textOf(call.payload, "source");
  if (source === undefined || isSubagent(call)) return "";
  const { owner, configDir } = call;
  try {
    if (source === "compact") {
      const { isSubagentCompaction } = await import("./agent_compaction.ts");
      if (isSubagentCompaction(call)) return "";
    }
    const { config: { context: config, waiting } } = await hookConfig({ ...owner, configDir });
    let replacedId: string | null = null;
    if (source === "clear") {
      const { takeLeftSession } = await import("../saved/lineage/left_session.ts");
      const prompt_id = textOf(call.payload, "prompt_id") ?? "";
      const clearEvent = { prompt_id, client_pid: call.env("CLAUDE_PID") ?? "" };
      replacedId = takeLeftSession(owner.projectDir, clearEvent, call.now());
    }
    const start = { ...call, source, replacedId, config };
    if (source === "compact" && readSessionState(owner).auto_snapshot !== undefined) {
      const { updateSessionState } = await import("../store/state_update.ts");
      // Allows another snapshot, because the window can fill up again.
      updateSessionState(owner, () => ({ auto_snapshot: null }));
    }
    const output = await earlierWorkText(start);
    return isHeadless(call) ? output : await addNotices(start, output, waiting);
  } catch (error) {
    const { hookOutput } = await import("../inject/output.ts");
    return hookOutput({ event: EVENT, message: `trimtab: cannot restore: ${reasonOf(error)}` });
  }
}

async function addNotices(
  { source, configDir, owner, payload }: Start,
  output: string,
  waiting: readonly WaitingValue[],
): Promise<string> {
  const { projectDir } = owner;
  if (source === "resume" && payload["prompt_cache_likely_expired"] === true) {
    const { withColdCache } = await import("./notices.ts");
    const { context_tokens: tokens, estimated_cache_write_usd: cost } = payload;
    return withColdCache(output, owner, { tokens, cost });
  }
  if (source !== "startup" || configDir === undefined) return output;
  const isNew = !mayExist(joinPath(configDir, "trimtab", "told", "welcome"));
  if (!isNew && waiting.length === 0) return output;
  const { withWaiting, withWelcome } = await import("./notices.ts");
  const welcomed = isNew ? withWelcome(output, configDir) : output;
  return waiting.length === 0
    ? welcomed
    : withWaiting(welcomed, waiting, { projectDir, configDir });
}

async function earlierWorkText(start: Start): Promise<string> {
  const { source, config, owner } = start;
  const hasHandoffs = ["startup", "clear"].includes(source) &&
    mayExist(joinPath(owner.projectDir, HANDOFF_FOLDER));
  const handoff = hasHandoffs ? await claimHandoffFor(start) : null;
  if (handoff !== null) {
    const origin = { parentSessionId: handoff.id, workerId: handoff.handoff.worker_id };
    const record = await recordSessionStart(start, origin);
    const { handoffOutput } = await import("./earlier_work.ts");
    return handoffOutput(handoff, start, record?.session_number);
  }
  await recordSessionStart(start, { parentSessionId: start.replacedId });
  if (source === "resume") {
    const notice = await trimmedCopyOutput(start);
    if (notice !== "") return notice;
  }
  // Loading the code that reads saves takes most of this hook's time, so it is loaded only for saves.
  const hasSaves = SAVE_FOLDERS.some((folder) => mayExist(joinPath(owner.projectDir, folder)));
  if (!hasSaves && !hasHandoffs) return "";
  const texts = await import("./earlier_work.ts");
  const newest = hasSaves ? texts.saveToRestore(start) : null;
  const isRestored = config.restore_on.some((one) => one === source);
  let save = newest;
  if (isRestored && source === "clear") {
    const { refreshedSave, saveLeftWork } = await import("./left_work.ts");
    // Saves the work that followed the newest save; without a save, the work that the session continued.
    save = newest === null ? saveLeftWork(start) : refreshedSave(newest, start);
  }
  if (save === null) return texts.handoffTakenOutput(start);
  return isRestored ? texts.restoredOutput(save, start) : texts.restoreHint(save, start);
}

/** Tells the model in a trimmed copy how to read the cut results. The text is the same at every resume. */
async function trimmedCopyOutput({ transcript }: Start): Promise<string> {
  const { trimmedFrom } = await import("../transcript/origin.ts");
  const parent = transcript === undefined ? null : trimmedFrom(transcript);
  if (parent === null) return "";
  const { hookOutput } = await import("../inject/output.ts");
  const { shortId } = await import("../core/marks.ts");
  const id = shortId(parent);
  const context =
    `This session is a trimmed copy of session ${id}: older results are cut. Where a result ` +
    `says "See line N of ${id} for full content", \`trimtab show ${id}:N\` prints it in full.`;
  return hookOutput({ event: EVENT, context: [context] });
}

function mayExist(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    // An unreadable path counts as existing, so that the code that reads it reports the error.
    return !(error instanceof Deno.errors.NotFound);
  }
}

/** Claims the handoff of the session just left or of its ancestor; otherwise, the project's newest. */
async function claimHandoffFor(start: Start): Promise<FoundHandoff | null> {
  const { owner, configDir, replacedId, now } = start;
  const { claimHandoff, isFresh, listHandoffs } = await import("../saved/lineage/handoffs.ts");
  const { projectDir } = owner;
  if (!listHandoffs(projectDir).some((one) => isFresh(one, now()))) return null;
  const { continuableSessions, isUnusedSession } = await import("./earlier_work.ts");
  const claimOptions = {
    ...owner,
    configDir,
    nowMs: now(),
    forHeadless: isHeadless(start),
    waitMs: WAIT_MS,
    // If the user quits before the first answer, the next session can claim the handoff again.
    isUnused: (id: string) => isUnusedSession(id, start),
  };
  if (replacedId === null) return claimHandoff(claimOptions);
  // After `/clear`, the user continues the session just left.
  for (const parent of continuableSessions(replacedId, projectDir)) {
    const found = claimHandoff({ ...claimOptions, parent });
    if (found !== null) return found;
  }
  return null;
}

/** Records the session in the lineage. Ignores a failure, because the session must start even without it. */
async function recordSessionStart(
  start: Start,
  origin: { readonly parentSessionId: string | null; readonly workerId?: string },
): Promise<SessionRecord | null> {
  const { owner: { projectDir, sessionId }, transcript = null, now, env } = start;
  try {
    // A headless run, which may ask only one question, must not leave files in the project.
    if (isHeadless(start) && !usesTrimtab(projectDir)) return null;
    const { sessions, problem } = readLineage({ projectDir });
    const known = sessions.find((one) => one.session_id === sessionId);
    const parentSessionId = origin.parentSessionId ?? known?.parent_session_id ?? null;
    const session = { ...origin, sessionId, parentSessionId, transcript };
    // If the record is complete, for example after a compaction, the code that writes it is not loaded.
    if (known !== undefined && problem === null && known.transcript === transcript) {
      const restart = { ...session, workerId: known.worker_id, retentionDays: 0, nowMs: now() };
      if (withStarted(sessions, restart).sessions === sessions) return known;
    }
    const { recordStart } = await import("../saved/lineage/sessions.ts");
    return recordStart({ projectDir, ...session, now: new Date(now()), env }).value;
  } catch {
    return null;
  }
}
