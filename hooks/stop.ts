/**
 * Stop: saves automatically what a compaction would lose: a checkpoint when the window passes its threshold
 * or after half an hour of work, and a snapshot when the window has filled up.
 *
 * It runs at the end of every turn and holds the user up, so all that it does as a rule is to look at
 * the end of the transcript, and to write down once a minute that there is work.
 */

import { hookConfig } from "../src/config/read_config.ts";
import { noteActivity } from "../src/events/activity.ts";
import { hasAutoSnapshot, needsCheckpoint } from "../src/events/needs_checkpoint.ts";
import { readCaughtUpUsage } from "../src/gauge/caught_up.ts";
import { gaugeUsage } from "../src/gauge/gauge.ts";
import { findConfigDir, isUsed } from "../src/store/paths.ts";
import { readInsideRecord, withInsideWork } from "../src/store/inside_state.ts";
import { readSessionState } from "../src/store/state.ts";
import { isSubagent, ownerOf } from "./_owner.ts";
import { type HookDeps, parsePayload, runHook, textOf } from "./_payload.ts";

/** Answers the event. */
export async function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const payload = parsePayload(bytes);
  if (payload === null || isSubagent(payload)) return "";
  const owner = ownerOf(payload, deps);
  const transcript = textOf(payload, "transcript_path");
  if (owner === null || transcript === undefined) return "";
  const configDir = findConfigDir(deps.env);
  const place = { projectDir: owner.projectDir, configDir };
  const { config } = await hookConfig(place);
  const inside = readInsideRecord(owner);
  const state = withInsideWork(readSessionState(owner), inside);
  // The newest answer is the last thing that was written: no tree is needed to find it.
  const moment = { promptId: textOf(payload, "prompt_id"), isAnswered: true };
  const usage = readCaughtUpUsage({ transcript, moment, sleep: deps.sleep });
  const pressure = gaugeUsage(usage, { owner, config: config.context, env: deps.env });
  const { percent, tokens, level } = pressure;
  const nowMs = deps.now();
  const activity = isUsed(owner.projectDir) ? noteActivity(state, nowMs) : null;
  const need = needsCheckpoint({
    state,
    percent,
    nowMs,
    threshold: config.context.warn_threshold,
  });
  const threshold = config.context.auto_compact_threshold;
  const isFull = percent !== null && percent >= threshold && !hasAutoSnapshot(state, nowMs);
  // Worked out now, so that the next prompt's warning need not.
  if (tokens !== null && level !== null && level !== "ok") {
    const { freedOf } = await import("../src/verbs/known_freed.ts");
    await freedOf({ owner, transcript, tokens, config: config.context, state });
  }
  if (activity === null && need.reason === null && need.change === null && !isFull) return "";
  const { saveWhatIsDue } = await import("./_due.ts");
  return saveWhatIsDue({
    owner,
    transcript,
    configDir,
    pressure,
    config: config.context,
    change: { ...activity, ...need.change },
    isCheckpointDue: need.reason !== null,
    isCrossing: need.reason === "context_60_percent",
    isSnapshotDue: isFull,
  }, deps);
}

if (import.meta.main) await runHook(main);
