/**
 * SessionStart: gives a session what an earlier one saved, where the user wants that, and otherwise
 * tells people that there is something to go on from.
 *
 * @module
 */

import { readHookConfig } from "../src/config/cached.ts";
import type { ContextConfig } from "../src/config/schema.ts";
import { hookOutput } from "../src/inject/output.ts";
import { takeLeft } from "../src/memory/left_session.ts";
import {
  findRestorePoint,
  restoredContext,
  type RestorePoint,
} from "../src/memory/restore_point.ts";
import { hasSameOrigin } from "../src/memory/same_origin.ts";
import { findConfigDir } from "../src/store/paths.ts";
import { readSessionState, type StateOwner } from "../src/store/state.ts";
import { updateSessionState } from "../src/store/state_update.ts";
import { ownerOf } from "./_owner.ts";
import { type HookDeps, parsePayload, type PayloadObject, runHook, textOf } from "./_payload.ts";

const EVENT = "SessionStart";

const HOUR_MS = 3_600_000;

/** How the client is called where no person looks at it. */
const HEADLESS_ENTRYPOINTS = /^sdk-/;

/** What a start goes by. */
interface Start {
  readonly owner: StateOwner;
  readonly source: string;
  readonly payload: PayloadObject;
  readonly config: ContextConfig;
  readonly deps: HookDeps;
}

/**
 * Answers the event.
 *
 * @param bytes What the client hands over.
 * @param deps What the hook is handed besides.
 * @returns What to print.
 */
export function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  return Promise.resolve(answer(bytes, deps));
}

function answer(bytes: Uint8Array, deps: HookDeps): string {
  const payload = parsePayload(bytes);
  const owner = payload === null ? null : ownerOf(payload, deps);
  const source = payload === null ? undefined : textOf(payload, "source");
  if (payload === null || owner === null || source === undefined) return "";
  const configDir = findConfigDir(deps.env);
  try {
    const { config } = readHookConfig({ projectDir: owner.projectDir, configDir });
    const start = { owner, source, payload, config: config.context, deps };
    if (source === "compact") forgetSnapshot(owner);
    const point = pointFor(start);
    if (point === null) return "";
    const { restore_on: restoreOn, restore_max_chars: maxChars } = config.context;
    if (!restoreOn.some((one) => one === source)) return pointer(point, deps);
    const context = restoredContext(point, owner.projectDir, maxChars);
    return hookOutput({ event: EVENT, context: context === "" ? [] : [context] });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return hookOutput({ event: EVENT, message: `trimtab: cannot restore: ${reason}` });
  }
}

function pointFor({ owner, source, payload, config, deps }: Start): RestorePoint | null {
  const { projectDir, sessionId } = owner;
  const nowMs = deps.now();
  if (source === "compact") {
    return findRestorePoint(projectDir, { accepts: (id) => id === sessionId });
  }
  if (source === "clear") {
    const promptId = textOf(payload, "prompt_id") ?? "";
    const left = takeLeft(projectDir, { nowMs, promptId });
    return left === null ? null : findRestorePoint(projectDir, { accepts: (id) => id === left });
  }
  const transcript = textOf(payload, "transcript_path") ?? "";
  return findRestorePoint(projectDir, {
    // A copy has in its context what its parent saved.
    accepts: (id) => id !== "" && id !== sessionId && !hasSameOrigin(transcript, id),
    sinceMs: nowMs - config.restore_max_age_hours * HOUR_MS,
  });
}

/** A compaction makes room: when the window fills up again, what is saved then is something else. */
function forgetSnapshot(owner: StateOwner): void {
  if (readSessionState(owner).auto_snapshot === undefined) return;
  updateSessionState(owner, () => ({ auto_snapshot: null }));
}

/** For people alone: a program that runs the client has not asked. */
function pointer(point: RestorePoint, { env }: HookDeps): string {
  if (HEADLESS_ENTRYPOINTS.test(env("CLAUDE_CODE_ENTRYPOINT") ?? "")) return "";
  const about = point.summary === "" ? "" : ` (${point.summary})`;
  const load = point.kind === "checkpoint" ? "/resume-checkpoint" : `/fresh-start ${point.id}`;
  const message = `trimtab: ${point.kind} ${point.id}${about} of this project: ${load} loads it`;
  return hookOutput({ event: EVENT, message });
}

if (import.meta.main) await runHook(main);
