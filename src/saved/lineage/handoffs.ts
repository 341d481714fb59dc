/** Writes, lists and claims handoffs, which are saves for the next session. */

import { unlessFailed } from "../../store/exists.ts";
import { DAY_MS } from "../../core/time.ts";
import { writeFileAtomicSync } from "../../store/atomic.ts";
import { markAsOwn, type OwnPlace } from "../../store/own_marks.ts";
import { withFolderLock } from "../../store/private_dir.ts";
import { readSessionState, sessionStatePath, type StateOwner } from "../../store/state.ts";
import type { ContextSnapshot, SaveHandoff } from "../save.ts";
import {
  type FoundSave,
  isOwnSave,
  oldSaves,
  readableSaves,
  removeSave,
  saveFolder,
  saveMarkName,
} from "../store.ts";
import { jsonText, type WriteOptions, writeSave } from "../write.ts";
import { readLineage } from "./file.ts";

export const MAX_HANDOFF_AGE_MS = DAY_MS;

const MAX_CLOCK_SKEW_MS = 5 * 60 * 1000;

const WAIT_MS = 2_000;

/** A save made this soon after a rollover belongs to the turn that was handed over. */
const SAME_TURN_MS = 2 * 60_000;

export interface FoundHandoff extends FoundSave {
  readonly json: string;
  readonly save: ContextSnapshot;
  readonly handoff: SaveHandoff;
  readonly status: "waiting" | "claimed";
}

export interface ClaimOptions extends StateOwner {
  readonly nowMs: number;
  /** The session whose handoff to claim. @default {any session} */
  readonly parent?: string;
  /**
   * Whether the session is headless. A headless session receives only handoffs that are meant for
   * headless sessions. @default {false}
   */
  readonly forHeadless?: boolean;
  /** Longest wait for other writers, in milliseconds. @default {2_000} */
  readonly waitMs?: number;
  /** Whether a session that claimed a handoff never used it. @default {() => false} */
  readonly isUnused?: (sessionId: string) => boolean;
}

interface HandoffDraft {
  readonly save: ContextSnapshot;
  readonly prompt: string;
  readonly retentionDays: number;
}

export function listHandoffs(projectDir: string): FoundHandoff[] {
  return readableSaves("handoff", { projectDir }).flatMap((found) => {
    const { save, json } = found;
    if (save?.handoff === undefined || json === null) return [];
    const { handoff } = save;
    // An earlier version put the claiming session's id in the file name.
    const isClaimed = json.includes(".claimed-") ||
      (!handoff.keep && handoff.claimed_by.length > 0);
    const status = isClaimed ? "claimed" : "waiting";
    return [{ ...found, json, save, handoff, status }];
  });
}

export function findHandoff(projectDir: string, sessionId: string): FoundHandoff | null {
  return listHandoffs(projectDir).find(({ id }) => id === sessionId) ?? null;
}

/** Finds the handoff of a session if trimtab wrote it on this machine. Its Markdown may have been edited. */
export function findOwnHandoff(sessionId: string, place: OwnPlace): FoundHandoff | null {
  const found = findHandoff(place.projectDir, sessionId);
  return found !== null && isOwnSave({ ...found, view: null }, place) ? found : null;
}

export function receivedHandoff(
  owner: StateOwner,
  configDir: string | undefined,
): FoundHandoff | null {
  const { continues } = readSessionState(owner);
  const { projectDir } = owner;
  return continues === undefined ? null : findOwnHandoff(continues, { projectDir, configDir });
}

/**
 * Writes a handoff, which replaces an earlier handoff of the session. Also removes old handoffs. Returns the
 * path of the prompt.
 */
export function writeHandoff(draft: HandoffDraft, options: WriteOptions): string {
  const { projectDir } = options;
  const { save, prompt, retentionDays } = draft;
  const folder = saveFolder("handoff", { projectDir });
  const { view, json } = writeSave({
    kind: "handoff",
    folder,
    stamp: save.session_id ?? "",
    isReplacing: true,
    make: () => ({ save, view: `${prompt.trimEnd()}\n` }),
  }, options);
  const oldOptions = { ...options, retentionDays, nowMs: Date.parse(save.timestamp) };
  // After an error, the next call tries again.
  unlessFailed(() => {
    for (const found of oldSaves("handoff", oldOptions)) removeSave(found, projectDir);
  });
  return view ?? json;
}

/**
 * Claims the newest available handoff for a session. Another session can claim it later only if the handoff
 * is kept, or if no session that claimed it has used it.
 */
export function claimHandoff(options: ClaimOptions): FoundHandoff | null {
  // Most sessions have no handoff. This check avoids taking a lock and creating a folder.
  if (sessionStatePath(options) === null || candidateHandoffs(options).length === 0) return null;
  const folder = saveFolder("handoff", options);
  const lockOptions = { action: "claim handoff", waitMs: options.waitMs ?? WAIT_MS };
  // After an error, the handoff is still available to the next session.
  return unlessFailed(() =>
    withFolderLock(folder, lockOptions, () => {
      for (const found of candidateHandoffs(options)) {
        if (!isOwnSave(found, options)) continue;
        claim(found, options);
        return found;
      }
      return null;
    })
  );
}

function candidateHandoffs(options: ClaimOptions): FoundHandoff[] {
  const { projectDir, sessionId, nowMs, parent, forHeadless = false, isUnused } = options;
  const isFree = ({ status, handoff }: FoundHandoff): boolean =>
    status === "waiting" ||
    (isUnused !== undefined && handoff.claimed_by.length > 0 && handoff.claimed_by.every(isUnused));
  return listHandoffs(projectDir).filter((found) =>
    isFree(found) && isFresh(found, nowMs) && found.id !== sessionId &&
    (parent === undefined || found.id === parent) &&
    !found.handoff.claimed_by.includes(sessionId) && (!forHeadless || found.handoff.for_headless)
  );
}

export function isFresh({ created }: Pick<FoundSave, "created">, nowMs: number): boolean {
  const age = nowMs - Date.parse(created);
  return age <= MAX_HANDOFF_AGE_MS && age >= -MAX_CLOCK_SKEW_MS;
}

function claim(found: FoundHandoff, options: ClaimOptions): void {
  const { save, handoff, json } = found;
  const claimed_by = [...handoff.claimed_by, options.sessionId];
  const text = jsonText({ ...save, handoff: { ...handoff, claimed_by } });
  markAsOwn(options, saveMarkName(found, json), text);
  writeFileAtomicSync(json, text);
}

/**
 * Whether a session's handoff, or its rollover in the lineage, covers the work saved at `savedAtMs`. Such
 * work is restored from the handoff rather than from the save.
 */
export function isHandedOver(sessionId: string, savedAtMs: number, projectDir: string): boolean {
  const record = readLineage({ projectDir }).sessions.find((one) => one.session_id === sessionId);
  const times = listHandoffs(projectDir).filter(({ id }) => id === sessionId)
    .map(({ created }) => created);
  if (record?.end_reason === "rollover" && record.ended_at !== null) times.push(record.ended_at);
  return times.some((time) => savedAtMs <= Date.parse(time) + SAME_TURN_MS);
}
