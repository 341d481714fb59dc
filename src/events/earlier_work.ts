/** Builds the text about earlier work for a starting session. Loaded only if something was saved. */

import { DAY_MS } from "../core/time.ts";
import { shortId } from "../core/marks.ts";
import { readRunningUsage } from "../gauge/running_usage.ts";
import { ageText, boundText } from "../inject/bound.ts";
import { cleanLine } from "../inject/clean.ts";
import { hookOutput } from "../inject/output.ts";
import { handoffText } from "../saved/views/continuation.ts";
import { restoredText } from "../saved/views/restored.ts";
import {
  findHandoff,
  type FoundHandoff,
  isFresh,
  isHandedOver,
} from "../saved/lineage/handoffs.ts";
import type { SessionRecord } from "../saved/lineage/rows.ts";
import { lineageOf } from "../saved/lineage/sessions.ts";
import { findRestorePoint } from "../saved/restore_point.ts";
import type { FoundSave } from "../saved/store.ts";
import { readSessionState } from "../store/state.ts";
import { recordState } from "../store/state_update.ts";
import { hasSameOrigin } from "../transcript/origin.ts";
import { isHeadless, type Start } from "./call.ts";

const EVENT = "SessionStart";

/** Maximum number of sessions without an answer to skip while searching for earlier work. */
const MAX_SKIPPED = 5;

const MAX_SUMMARY_CHARS = 200;

export function saveToRestore(start: Start): FoundSave | null {
  const { owner, configDir, source, replacedId, transcript = "", now } = start;
  const { projectDir, sessionId } = owner;
  const place = { projectDir, configDir };
  if (source === "compact") {
    const saved = readSessionState(owner).last_checkpoint?.id;
    const isSaved = (id: string, { kind, id: saveId }: FoundSave): boolean =>
      id === sessionId && kind === "checkpoint" && saveId === saved;
    return findRestorePoint(place, { accepts: isSaved }) ??
      findRestorePoint(place, { accepts: (id) => id === sessionId });
  }
  if (source === "clear") {
    const sessions = continuableSessions(replacedId, projectDir);
    for (const before of sessions) {
      const found = findOpenWork(place, (id) => id === before);
      if (found !== null) return found;
    }
    // A copy or a fork continues its parent's work, so a save of the parent applies as well.
    const transcripts = sessions.flatMap((one) =>
      lineageOf(one, { projectDir })[0]?.transcript ?? []
    );
    return findOpenWork(place, (id) => transcripts.some((path) => hasSameOrigin(path, id)));
  }
  // The context of a copy already contains its parent's work.
  const isOther = (id: string): boolean =>
    id !== "" && id !== sessionId && !hasSameOrigin(transcript, id);
  // Older saves are probably about other work.
  return findOpenWork(place, isOther, { sinceMs: now() - DAY_MS });
}

/** Skips saves of work that was handed over, because only the handoff restores this work. */
function findOpenWork(
  place: { readonly projectDir: string; readonly configDir: string | undefined },
  accepts: (sessionId: string) => boolean,
  options: { readonly sinceMs?: number } = {},
): FoundSave | null {
  return findRestorePoint(place, {
    ...options,
    accepts: (id, { created }) =>
      accepts(id) && !isHandedOver(id, Date.parse(created), place.projectDir),
  });
}

/** Lists the session just left and its ancestors, up to the first session that has an answer. */
export function continuableSessions(replacedId: string | null, projectDir: string): string[] {
  if (replacedId === null) return [];
  const ids = [replacedId];
  for (const record of lineageOf(replacedId, { projectDir }).slice(0, MAX_SKIPPED)) {
    const { parent_session_id: parent } = record;
    if (parent === null || !isIdle(record)) break;
    ids.push(parent);
  }
  return ids;
}

/** Whether a session ended, or was just left, before its first answer, without using its handoff. */
export function isUnusedSession(
  id: string,
  { owner: { projectDir }, replacedId }: Start,
): boolean {
  const [record] = lineageOf(id, { projectDir });
  return record?.session_id === id && (id === replacedId || record.ended_at !== null) &&
    isIdle(record);
}

function isIdle({ transcript }: SessionRecord): boolean {
  if (transcript === null) return false;
  const { usage, isCompacted } = readRunningUsage(transcript);
  return usage === null && !isCompacted;
}

export function restoredOutput(found: FoundSave, start: Start): string {
  const { owner, config, source, now } = start;
  if (source !== "compact") recordContinuedSession(start, found.sessionId);
  const context = restoredText(found, {
    projectDir: owner.projectDir,
    maxChars: config.restore_max_chars,
    // After a compaction, the summary covers the same work, but is not in the transcript yet.
    isBesideSummary: source === "compact",
    isForNewSession: source !== "compact",
  });
  if (context === "") return "";
  const age = ageText(Math.max(0, now() - Date.parse(found.created)));
  const prefix = source === "clear" ? "To start without it, restart Claude Code; to" : "To";
  // After a compaction, the user sees that the session continues. After other starts, it looks empty.
  const message = source === "compact" || isHeadless(start)
    ? ""
    : `trimtab: loaded ${found.kind} ${found.id}, saved ${age}${summarySuffix(found)}. ${prefix} ` +
      `stop loading at ${source}, set restore_on in trimtab.toml`;
  return hookOutput({ event: EVENT, context: [context], message });
}

export function restoreHint(found: FoundSave, start: Start): string {
  if (isHeadless(start)) return "";
  const { kind, id } = found;
  const load = kind === "checkpoint" ? "/resume-checkpoint" : `/fresh-start ${id}`;
  const save = `${kind} ${id}${summarySuffix(found)}`;
  const message = `trimtab: this project has ${save}: ${load} loads it`;
  return hookOutput({ event: EVENT, message });
}

export function handoffTakenOutput({ replacedId, owner: { projectDir }, ...start }: Start): string {
  const found = replacedId === null || isHeadless(start)
    ? null
    : findHandoff(projectDir, replacedId);
  const claimer = found?.handoff.claimed_by.at(-1);
  if (found === null || claimer === undefined || !isFresh(found, start.now())) return "";
  const [other, own] = [claimer, found.id].map(shortId);
  const message = `trimtab: session ${other}, which started before this one, has the handoff: ` +
    `/resume-checkpoint ${own} loads it here as well`;
  return hookOutput({ event: EVENT, message });
}

function summarySuffix({ summary }: FoundSave): string {
  const text = boundText(cleanLine(summary), MAX_SUMMARY_CHARS);
  return text === "" ? "" : ` (${text})`;
}

export async function handoffOutput(
  found: FoundHandoff,
  start: Start,
  sessionNumber: number | undefined,
): Promise<string> {
  const { owner: { projectDir }, config } = start;
  const { workAfterHandoff } = await import("./left_work.ts");
  const work = workAfterHandoff(found, start);
  const context = handoffText(found, {
    maxChars: config.restore_max_chars,
    projectDir,
    sessionNumber,
    work,
  });
  const later = work === undefined ? laterWork(found, start) : [CONTINUED];
  recordContinuedSession(start, found.id);
  const title = sessionNumber === undefined
    ? found.summary
    : found.summary.replace(/^Session \d+/, `Session ${sessionNumber}`);
  const message = `trimtab: handoff of ${shortId(found.id)} loaded: ${cleanLine(title)}`;
  return hookOutput({ event: EVENT, context: [context, ...later], message, title });
}

const CONTINUED = "That session continued after it wrote this handoff: its requests and its last " +
  "steps are shown as they were at its end.";

/** Mentions later work, because the parent may have continued after it wrote the handoff. */
function laterWork({ id: parent }: FoundHandoff, { owner, configDir }: Start): string[] {
  try {
    const later = findOpenWork({ projectDir: owner.projectDir, configDir }, (id) => id === parent);
    if (later === null) return [];
    return [
      `That session continued after this handoff: \`trimtab restore ${later.id}\` prints its ` +
      "last state.",
    ];
  } catch {
    // The handoff is already claimed, so an unreadable file must not keep it from the model.
    return [];
  }
}

/** Records which session this one continues, so that checkpoints include the earlier work. */
function recordContinuedSession({ owner }: Start, parent: string): void {
  if (parent !== "" && parent !== owner.sessionId) recordState(owner, { continues: parent });
}
