/** Shared by the hooks that watch the window. */

import { hookConfig } from "../src/config/read_config.ts";
import { noteActivity } from "../src/events/activity.ts";
import { hasBlackboard } from "../src/watch/board_path.ts";
import { watchPressure } from "../src/gauge/watch.ts";
import { findConfigDir, isUsed } from "../src/store/paths.ts";
import { readSessionState, type SessionState, type StateOwner } from "../src/store/state.ts";
import { isSubagent, ownerOf } from "./_owner.ts";
import {
  type HookDeps,
  isPayloadObject,
  parsePayload,
  type PayloadObject,
  textOf,
} from "./_payload.ts";

/** No batch has more calls than this that are looked for. */
const MAX_CALLS = 100;

/** Looks at the session that a payload is about and words what there is to say. */
export async function pressureHook(
  event: string,
  bytes: Uint8Array,
  deps: HookDeps,
): Promise<string> {
  const payload = parsePayload(bytes);
  if (payload === null || isSubagent(payload)) return "";
  const owner = ownerOf(payload, deps);
  const transcript = textOf(payload, "transcript_path");
  if (owner === null || transcript === undefined) return "";
  try {
    const state = readSessionState(owner);
    const configDir = findConfigDir(deps.env);
    const place = { projectDir: owner.projectDir, configDir };
    const { config, notice } = await hookConfig(place);
    const moment = { promptId: textOf(payload, "prompt_id"), toolUseIds: callsOf(payload) };
    const clues = { state, config: config.context, nowMs: deps.now(), moment, transcript, place };
    const news = watchPressure({ ...deps, ...clues });
    await noteWork(owner, state, deps);
    const isNoticeNew = notice !== null && state.notices?.includes("config") !== true;
    const posted = await postedFor(owner, deps);
    if (news === null && !isNoticeNew && posted === null) return "";
    const { speak } = await import("./_speak.ts");
    return await speak({ event, owner, transcript, config: config.context, news, notice, posted });
  } catch (error) {
    const { speakOfTrouble } = await import("./_speak.ts");
    return speakOfTrouble(event, owner, error);
  }
}

/** A turn can be long: that there is work is noted while it goes on, once a minute. */
async function noteWork(owner: StateOwner, state: SessionState, deps: HookDeps): Promise<void> {
  if (!isUsed(owner.projectDir)) return;
  const activity = noteActivity(state, deps.now());
  if (activity === null) return;
  const { updateSessionState } = await import("../src/store/state_update.ts");
  updateSessionState(owner, () => activity);
}

async function postedFor(owner: StateOwner, deps: HookDeps): Promise<string | null> {
  if (!hasBlackboard(owner.projectDir)) return null;
  const { deliverTrigger } = await import("../src/watch/blackboard.ts");
  return deliverTrigger(owner, deps.now());
}

function callsOf(payload: PayloadObject): string[] {
  const { tool_calls: calls, tool_use_id: id } = payload;
  const ids = Array.isArray(calls)
    ? calls.slice(-MAX_CALLS).map((call) => isPayloadObject(call) ? call["tool_use_id"] : undefined)
    : [id];
  return ids.filter((one) => typeof one === "string");
}
