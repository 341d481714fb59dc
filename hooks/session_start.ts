/**
 * SessionStart: writes the session down in the lineage, gives it the handoff that waits for it or what
 * an earlier session saved, and otherwise tells people that there is something to go on from.
 */

import { reasonOf } from "../src/store/atomic.ts";
import type { WaitingValue } from "../src/config/merge.ts";
import { hookConfig } from "../src/config/read_config.ts";
import { findConfigDir, joinPath } from "../src/store/paths.ts";
import { readSessionState, type StateOwner } from "../src/store/state.ts";
import { handoffFor, noteStart } from "./_handoff.ts";
import { ownerOf } from "./_owner.ts";
import { type HookDeps, parsePayload, type PayloadObject, runHook, textOf } from "./_payload.ts";
import { EVENT, type Start } from "./_start.ts";

/** How the client is called where no person looks at it. */
const HEADLESS_ENTRYPOINTS = /^sdk-/;

/** So much of an id names a session. */
const SHORT_ID_CHARS = 8;

const SAVED_IN = [".claude/checkpoints", ".claude/runtime/context-snapshots"];

/** Answers the event. */
export function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  return answer(bytes, deps);
}

async function answer(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const payload = parsePayload(bytes);
  const owner = payload === null ? null : ownerOf(payload, deps);
  const source = payload === null ? undefined : textOf(payload, "source");
  if (payload === null || owner === null || source === undefined) return "";
  const { projectDir } = owner;
  try {
    const configDir = findConfigDir(deps.env);
    const { config } = await hookConfig({ projectDir, configDir });
    const nowMs = deps.now();
    const start: Start = {
      owner,
      configDir,
      source,
      transcript: textOf(payload, "transcript_path") ?? "",
      left: source === "clear" ? await leftBefore(owner, payload, deps) : null,
      config: config.context,
      isHeadless: HEADLESS_ENTRYPOINTS.test(deps.env("CLAUDE_CODE_ENTRYPOINT") ?? ""),
      nowMs,
      env: deps.env,
    };
    if (source === "compact") await forgetSnapshot(owner);
    const said = await inform(start, config.waiting, await goOn(start));
    const isCold = source === "resume" && payload["prompt_cache_likely_expired"] === true;
    if (!isCold || start.isHeadless) return said;
    const { withColdCache } = await import("./_cold.ts");
    return withColdCache(said, owner, payload);
  } catch (error) {
    const { hookOutput } = await import("../src/inject/output.ts");
    const reason = reasonOf(error);
    return hookOutput({ event: EVENT, message: `trimtab: cannot restore: ${reason}` });
  }
}

/** Adds what a user is told once: what trimtab does, and which values of a project do not count. */
async function inform(
  start: Start,
  waiting: readonly WaitingValue[],
  said: string,
): Promise<string> {
  const { source, configDir, isHeadless } = start;
  if (source !== "startup" || configDir === undefined || isHeadless) return said;
  let words = said;
  if (!isThere(joinPath(configDir, "trimtab", "told", "welcome"))) {
    const { withWelcome } = await import("./_welcome.ts");
    words = withWelcome(words, configDir);
  }
  if (waiting.length === 0) return words;
  const { withWaiting } = await import("./_waiting.ts");
  return withWaiting(words, waiting, start);
}

/** The session that a `/clear` has just left. */
async function leftBefore(
  { projectDir }: StateOwner,
  payload: PayloadObject,
  deps: HookDeps,
): Promise<string | null> {
  const { takeLeft } = await import("../src/lineage/left_session.ts");
  const promptId = textOf(payload, "prompt_id") ?? "";
  const clientPid = deps.env("CLAUDE_PID") ?? "";
  return takeLeft(projectDir, { nowMs: deps.now(), promptId, clientPid });
}

async function goOn(start: Start): Promise<string> {
  const handoff = await handoffFor(start);
  if (handoff !== null) return handoff;
  await noteStart(start);
  if (start.source === "resume") {
    const words = await copyWords(start);
    if (words !== "") return words;
  }
  // Most projects have nothing saved: what reads it is the larger part of this hook.
  if (!SAVED_IN.some((folder) => isThere(joinPath(start.owner.projectDir, folder)))) return "";
  const { pointer, pointFor, restored } = await import("./_restore.ts");
  const point = pointFor(start);
  if (point === null) return "";
  const isWanted = start.config.restore_on.some((one) => one === start.source);
  if (!isWanted) return pointer(point, start);
  if (start.source !== "compact") {
    const { noteContinues } = await import("./_continues.ts");
    noteContinues(start.owner, point.sessionId);
  }
  return restored(point, start);
}

/** The model of a trimmed copy is told once how to read what was cut, the same bytes each time. */
async function copyWords({ transcript }: Start): Promise<string> {
  const { trimmedFrom } = await import("../src/transcript/trimmed_from.ts");
  const parent = transcript === "" ? null : trimmedFrom(transcript);
  if (parent === null) return "";
  const { hookOutput } = await import("../src/inject/output.ts");
  const id = parent.slice(0, SHORT_ID_CHARS);
  const context =
    `This session is a trimmed copy of session ${id}: older results are cut. Where one ` +
    `says "See line N of ${id} for full content", \`trimtab show ${id}:N\` prints it whole.`;
  return hookOutput({ event: EVENT, context: [context] });
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    // What may not be read is left to those who read it, and say so.
    return !(error instanceof Deno.errors.NotFound);
  }
}

/** A compaction makes room: when the window fills up again, what is saved then is something else. */
async function forgetSnapshot(owner: StateOwner): Promise<void> {
  if (readSessionState(owner).auto_snapshot === undefined) return;
  const { updateSessionState } = await import("../src/store/state_update.ts");
  updateSessionState(owner, () => ({ auto_snapshot: null }));
}

if (import.meta.main) await runHook(main);
