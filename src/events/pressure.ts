/** Handles a prompt or a batch of calls: warns as the window fills up, and delivers requests. */

import { hookConfig } from "../config/read_config.ts";
import { watchPressure } from "../gauge/watch.ts";
import { recordActivity } from "../store/needs_checkpoint.ts";
import { usesTrimtab } from "../store/paths.ts";
import { readSessionState, type SessionState } from "../store/state.ts";
import { hasBlackboard } from "../watch/board_path.ts";
import { type Call, isSubagent } from "./call.ts";

export async function pressureOutput(event: string, call: Call): Promise<string> {
  const { owner, transcript, configDir, now } = call;
  if (transcript === undefined || isSubagent(call)) return "";
  try {
    const state = readSessionState(owner);
    const place = { projectDir: owner.projectDir, configDir };
    const { config: { context: config }, notice } = await hookConfig(place);
    const clues = { state, config, nowMs: now(), transcript, place };
    const change = watchPressure({ ...call, ...clues });
    await recordWork(call, state);
    const isNoticeNew = notice !== null && state.notices?.includes("config") !== true;
    const posted = await boardMessage(call);
    if (change === null && !isNoticeNew && posted === null) return "";
    const { pressureMessages } = await import("./notices.ts");
    return pressureMessages({ event, owner, change, notice, posted });
  } catch (error) {
    const { reportOnce } = await import("./notices.ts");
    return reportOnce(
      { event, owner, name: "trouble", failure: "cannot watch the context" },
      error,
    );
  }
}

/** Records activity, at most once a minute. Does so even during a turn, because a turn can be long. */
async function recordWork({ owner, now }: Call, state: SessionState): Promise<void> {
  if (!usesTrimtab(owner.projectDir)) return;
  const activity = recordActivity(state, now());
  if (activity === null) return;
  const { updateSessionState } = await import("../store/state_update.ts");
  updateSessionState(owner, () => activity);
}

async function boardMessage({ owner, now }: Call): Promise<string | null> {
  if (!hasBlackboard(owner.projectDir)) return null;
  const { takeTriggerText } = await import("../watch/blackboard.ts");
  return takeTriggerText(owner, now());
}
