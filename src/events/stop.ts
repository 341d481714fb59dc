/**
 * Handles the end of a turn: saves the work that a compaction would lose.
 *
 * The user waits for this hook after every turn. In most turns, it only reads the end of the transcript and,
 * once a minute, records activity.
 */

import { hookConfig } from "../config/read_config.ts";
import { readUsageOfTurn } from "../gauge/running_usage.ts";
import { gaugeUsage } from "../gauge/gauge.ts";
import {
  hasAutoSnapshot,
  needsCheckpoint,
  recordActivity,
  withInsideWork,
} from "../store/needs_checkpoint.ts";
import { usesTrimtab } from "../store/paths.ts";
import { readInsideRecord, readSessionState } from "../store/state.ts";
import { type Call, isSubagent, textOf } from "./call.ts";

export async function stopOutput(call: Call): Promise<string> {
  const { owner, transcript, configDir, payload, env, now, sleep } = call;
  if (transcript === undefined || isSubagent(call)) return "";
  const place = { projectDir: owner.projectDir, configDir };
  const { config: { context: config } } = await hookConfig(place);
  const state = withInsideWork(readSessionState(owner), readInsideRecord(owner));
  const usage = readUsageOfTurn(transcript, textOf(payload, "prompt_id"), sleep);
  const { percent, tokens, level } = gaugeUsage(usage, { owner, config, env });
  const nowMs = now();
  const activity = usesTrimtab(owner.projectDir) ? recordActivity(state, nowMs) : null;
  const need = needsCheckpoint({ state, percent, nowMs, threshold: config.warn_threshold });
  const isFull = percent !== null && percent >= config.auto_compact_threshold &&
    !hasAutoSnapshot(state, nowMs);
  // Makes the estimate now, so that the warning at the next prompt does not wait for it.
  if (tokens !== null && level !== null && level !== "ok") {
    const { freedOf } = await import("./known_freed.ts");
    await freedOf({ owner, transcript, tokens, config, state });
  }
  if (activity === null && need.reason === null && need.change === null && !isFull) return "";
  const { makeDueSaves } = await import("./save_due.ts");
  return makeDueSaves({
    ...call,
    transcript,
    percent,
    config,
    change: { ...activity, ...need.change },
    isCheckpointDue: need.reason !== null,
    isCrossing: need.reason === "context_60_percent",
    isSnapshotDue: isFull,
  });
}
