/**
 * A session starts: it is written down in the lineage, and gets the handoff that waits for it or what
 * an earlier session saved; otherwise people are told that there is something to go on from.
 */

import type { WaitingValue } from "../config/merge.ts";
import { joinPath } from "../store/paths.ts";
import { readSessionState, type StateOwner } from "../store/state.ts";
import { handoffFor, noteStart } from "./handoff.ts";
import { EVENT, type Start } from "./started.ts";

const SAVED_IN = [".claude/checkpoints", ".claude/runtime/context-snapshots"];

/** Words the answer to a start, as the client reads it; empty where there is nothing to say. */
export async function startWords(start: Start, waiting: readonly WaitingValue[]): Promise<string> {
  if (start.source === "compact") await forgetSnapshot(start.owner);
  const said = await inform(start, waiting, await goOn(start));
  const { coldCache, isHeadless, owner } = start;
  if (coldCache === undefined || isHeadless) return said;
  const { withColdCache } = await import("./cold_cache.ts");
  return withColdCache(said, owner, coldCache);
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
    const { withWelcome } = await import("./welcome.ts");
    words = withWelcome(words, configDir);
  }
  if (waiting.length === 0) return words;
  const { withWaiting } = await import("./waiting_values.ts");
  return withWaiting(words, waiting, start);
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
  const { pointer, pointFor, restored } = await import("./restore.ts");
  const point = pointFor(start);
  if (point === null) return "";
  const isWanted = start.config.restore_on.some((one) => one === start.source);
  if (!isWanted) return pointer(point, start);
  if (start.source !== "compact") {
    const { noteContinues } = await import("./continues.ts");
    noteContinues(start.owner, point.sessionId);
  }
  return restored(point, start);
}

/** The model of a trimmed copy is told once how to read what was cut, the same bytes each time. */
async function copyWords({ transcript }: Start): Promise<string> {
  const { trimmedFrom } = await import("../transcript/origin.ts");
  const parent = transcript === "" ? null : trimmedFrom(transcript);
  if (parent === null) return "";
  const { hookOutput } = await import("../inject/output.ts");
  const { SHORT_ID_CHARS } = await import("../core/marks.ts");
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
    // A missing permission is reported by the code that reads the file.
    return !(error instanceof Deno.errors.NotFound);
  }
}

/** A compaction makes room: when the window fills up again, what is saved then is something else. */
async function forgetSnapshot(owner: StateOwner): Promise<void> {
  if (readSessionState(owner).auto_snapshot === undefined) return;
  const { updateSessionState } = await import("../store/state_update.ts");
  updateSessionState(owner, () => ({ auto_snapshot: null }));
}
