/** Handles a prompt or a batch of calls: warns as the window fills up, and delivers requests. */

import { hookConfig } from "../config/read_config.ts";
import { watchPressure } from "../gauge/watch.ts";
import { recordActivity } from "../store/needs_checkpoint.ts";
import { usesTrimtab } from "../store/paths.ts";
import { readSessionState } from "../store/state.ts";
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
    const activity = usesTrimtab(owner.projectDir) ? recordActivity(state, now()) : null;
    if (activity !== null) {
      const { updateSessionState } = await import("../store/state_update.ts");
      updateSessionState(owner, () => activity);
    }
    const isNoticeNew = notice !== null && state.notices?.includes("config") !== true;
    const posted = hasBlackboard(owner.projectDir)
      ? (await import("../watch/blackboard.ts")).takeTriggerText(owner, now())
      : null;
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
