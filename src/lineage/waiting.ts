/** Handoffs that wait for the session that goes on from them. */

import { PRIVATE_FILE_MODE } from "../store/modes.ts";
import { type AtomicFileSystem, writeFileAtomicSync } from "../store/atomic.ts";
import { withLockSync } from "../store/lock.ts";
import { dropMark, isOurs, markOurs, type OwnPlace } from "../store/ours.ts";
import { joinPath } from "../store/paths.ts";
import { ensurePrivateDirSync } from "../store/private_dir.ts";
import {
  CLAIMED_MARK,
  type HandoffFile,
  type HandoffNote,
  handoffPath,
  KEPT_MARK,
  type ListedHandoff,
  listFiles,
  waitingFolder,
} from "./waiting_files.ts";
import { oldFiles } from "./waiting_prune.ts";
import { readOwnTextSync } from "../store/own_file.ts";
import { digestOf } from "../store/sha256.ts";

/** A handoff that nobody took is too old from then on, in milliseconds. */
export const MAX_WAIT_MS = 24 * 60 * 60 * 1000;

/** Clocks may differ by this, in milliseconds; a handoff from later on is none of ours. */
const MAX_AHEAD_MS = 5 * 60 * 1000;

/** Longest wait for other writers, in milliseconds: each writes two small files. */
const WAIT_MS = 2_000;

/** No prompt of ours is larger, in bytes. */
const MAX_PROMPT_BYTES = 1024 * 1024;

/** Handoffs that are over are kept so long, in days. */
const RETENTION_DAYS = 7;

export interface WriteHandoffOptions {
  readonly projectDir: string;
  /** Claude Code's configuration folder; undefined where there is none. @default {findConfigDir()} */
  readonly configDir?: string | undefined;
  /** What is written down about the handoff; its file is named by the function. */
  readonly note: Omit<HandoffNote, "prompt_file" | "view_sha256">;
  readonly prompt: string;
  /** Days for which finished handoffs are kept. @default {7} */
  readonly retentionDays?: number;
  /** Longest wait for other writers, in milliseconds. @default {2_000} */
  readonly waitMs?: number;
  readonly fs?: AtomicFileSystem;
}

export interface ClaimOptions {
  readonly projectDir: string;
  /** Claude Code's configuration folder; undefined where there is none. @default {findConfigDir()} */
  readonly configDir?: string | undefined;
  readonly sessionId: string;
  readonly nowMs: number;
  /** The session whose handoff comes first: the one that was just left. @default {null} */
  readonly parent?: string | null;
  /** Whether a handoff of another session than `parent` does. @default {true} */
  readonly orNewest?: boolean;
  /** Whether no person looks at the session: it gets only what was left for such. @default {false} */
  readonly forHeadless?: boolean;
  /** Longest wait for other writers, in milliseconds. @default {2_000} */
  readonly waitMs?: number;
}

export interface FoundHandoff extends HandoffNote {
  readonly prompt: string;
  readonly isOurs: boolean;
}

export interface ClaimedHandoff extends HandoffNote {
  readonly prompt: string;
}

/** Writes first the prompt, then the note that announces it: none is announced without its text. */
export function writeHandoff(options: WriteHandoffOptions): string {
  const { projectDir, note, prompt, retentionDays = RETENTION_DAYS } = options;
  const path = handoffPath(projectDir, note.parent_session_id);
  if (path === null) {
    throw new RangeError(
      `Cannot write handoff: ${JSON.stringify(note.parent_session_id)} is not the id of a session`,
    );
  }
  Deno.statSync(projectDir);
  const folder = waitingFolder(projectDir);
  ensurePrivateDirSync(joinPath(projectDir, ".claude", "trimtab"));
  ensurePrivateDirSync(folder);
  const fs = options.fs === undefined ? {} : { fs: options.fs };
  const done = locked(folder, options.waitMs, () => {
    const prompt_file = `${path}.md`;
    const text = `${prompt.trimEnd()}\n`;
    const whole = { ...note, prompt_file, view_sha256: digestOf(text) };
    const announced = `${JSON.stringify(whole, null, 2)}\n`;
    // Before it is there: without a mark nobody is given it.
    markHandoff(options, note.parent_session_id, [announced, text]);
    writeFileAtomicSync(prompt_file, text, fs);
    writeFileAtomicSync(`${path}.json`, announced, fs);
    tidy(folder, { nowMs: Date.parse(note.created), retentionDays });
    return prompt_file;
  });
  if (done === null) throw new Error(`Cannot write handoff: another process holds "${folder}"`);
  return done.value;
}

export function claimHandoff(options: ClaimOptions): ClaimedHandoff | null {
  const { projectDir, sessionId, nowMs } = options;
  // An id becomes a part of a file's name.
  if (handoffPath(projectDir, sessionId) === null) return null;
  // Most sessions have nothing to take: no lock then, and no folder.
  if (candidates(options).length === 0) return null;
  const folder = waitingFolder(projectDir);
  const done = locked(folder, options.waitMs, () => {
    for (const { path, note, text } of candidates(options)) {
      const prompt = readOwnTextSync(`${path}.md`, MAX_PROMPT_BYTES);
      if (prompt === null || !isOurHandoff(options, note, [text, prompt])) continue;
      take(path, { sessionId, nowMs, isKept: note.keep });
      return { ...note, prompt };
    }
    return null;
  });
  return done?.value ?? null;
}

export function listHandoffs(projectDir: string, nowMs: number): ListedHandoff[] {
  return listFiles(projectDir).map(({ note, status, claimed_by }) => ({
    ...note,
    status: status === "waiting" && !isFresh(note, nowMs) ? "expired" : status,
    claimed_by,
  }));
}

/** Finds the handoff of a session by name, whoever wrote it; the newest where there are several. */
export function findHandoff(place: OwnPlace, parentSessionId: string): FoundHandoff | null {
  for (const { path, note, text } of listFiles(place.projectDir)) {
    if (note.parent_session_id !== parentSessionId) continue;
    // What a note says of the place is not gone by: it may have come with a cloned project.
    const prompt = readOwnTextSync(`${path}.md`, MAX_PROMPT_BYTES);
    if (prompt === null) return null;
    return { ...note, prompt, isOurs: isOurHandoff(place, note, [text, prompt]) };
  }
  return null;
}

/** Takes a handoff that somebody else may have written for one of ours. */
export function trustHandoff(place: OwnPlace, parentSessionId: string): void {
  const file = listFiles(place.projectDir).find(({ note }) =>
    note.parent_session_id === parentSessionId
  );
  const prompt = file === undefined ? null : readOwnTextSync(`${file.path}.md`, MAX_PROMPT_BYTES);
  if (file === undefined || prompt === null) {
    throw new Error(`Cannot trust handoff: ${parentSessionId} has none`);
  }
  markOurs(place, markName(parentSessionId), file.text, prompt);
}

/** A handoff that cannot be marked waits all the same: then it is asked about. */
function markHandoff(place: OwnPlace, parentSessionId: string, texts: readonly string[]): void {
  if ("configDir" in place && place.configDir === undefined) return;
  try {
    markOurs(place, markName(parentSessionId), ...texts);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
  }
}

function isOurHandoff(place: OwnPlace, note: HandoffNote, texts: readonly string[]): boolean {
  return texts.every((text) => isOurs(place, markName(note.parent_session_id), text));
}

function markName(parentSessionId: string): string {
  return `${parentSessionId}.handoff`;
}

/** Takes back a handoff that was just put down, when what belongs to it failed. */
export function withdrawHandoff(projectDir: string, parentSessionId: string): void {
  const path = handoffPath(projectDir, parentSessionId);
  if (path === null) return;
  // The note first: nothing is announced without its text.
  for (const name of [`${path}.json`, `${path}.md`]) removeQuietly(name);
  dropMark(projectDir, markName(parentSessionId));
}

function candidates(options: ClaimOptions): HandoffFile[] {
  const { projectDir, sessionId, nowMs, parent = null, orNewest = true, forHeadless = false } =
    options;
  const waiting = listFiles(projectDir).filter(({ note, status, kept_for }) =>
    status === "waiting" && isFresh(note, nowMs) && note.parent_session_id !== sessionId &&
    !kept_for.includes(sessionId) && (!forHeadless || note.for_headless === true)
  );
  const own = waiting.filter(({ note }) => note.parent_session_id === parent);
  return orNewest ? [...own, ...waiting.filter((one) => !own.includes(one))] : own;
}

function isFresh(note: HandoffNote, nowMs: number): boolean {
  const age = nowMs - Date.parse(note.created);
  return age <= MAX_WAIT_MS && age >= -MAX_AHEAD_MS;
}

function take(
  path: string,
  claim: { readonly sessionId: string; readonly nowMs: number; readonly isKept: boolean },
): void {
  if (claim.isKept) {
    const marker = `${path}${KEPT_MARK}${claim.sessionId}`;
    Deno.openSync(marker, { write: true, createNew: true, mode: PRIVATE_FILE_MODE }).close();
  } else {
    // The time keeps apart what one session took from the same parent twice.
    Deno.renameSync(`${path}.json`, `${path}${CLAIMED_MARK}${claim.sessionId}.${claim.nowMs}.json`);
  }
}

/** What is over goes; what cannot be deleted is tried again the next time. */
function tidy(
  folder: string,
  clues: { readonly nowMs: number; readonly retentionDays: number },
): void {
  try {
    for (const name of oldFiles(folder, clues)) removeQuietly(joinPath(folder, name));
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
  }
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
  }
}

function locked<T>(
  folder: string,
  waitMs: number | undefined,
  work: () => T,
): { value: T } | null {
  return withLockSync(joinPath(folder, ".lock"), work, { waitMs: waitMs ?? WAIT_MS });
}
