/** The files of handoffs that wait. */

import { isMissing } from "../config/files.ts";
import { joinPath } from "../store/paths.ts";
import { checkContent } from "../saved/snapshot/check.ts";
import type { SnapshotContent } from "../saved/snapshot/snapshot.ts";
import { sessionStatePath } from "../store/state.ts";
import { readOwnTextSync, refuseLinks } from "../store/own_file.ts";

/** What precedes the session that took a handoff, in the name of its note. */
export const CLAIMED_MARK = ".claimed-";

/** What precedes the session that got a handoff that is kept, in the name of a file. */
export const KEPT_MARK = ".kept-";

/** No larger note is ours, in bytes. */
const MAX_NOTE_BYTES = 4 * 1024 * 1024;

/** No more notes of a project are looked at, the last by name first. */
const MAX_NOTES = 1_000;

const ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const WAITING_NAME = new RegExp(`^(${ID})\\.json$`, "i");
const CLAIMED_NAME = new RegExp(`^(${ID})\\.claimed-(${ID})\\.\\d{1,16}\\.json$`, "i");
const PROMPT_NAME = new RegExp(`^(${ID})\\.md$`, "i");
const KEPT_NAME = new RegExp(`^(${ID})\\.kept-(${ID})$`, "i");

const NAMES = [
  ["prompt", PROMPT_NAME],
  ["waiting", WAITING_NAME],
  ["claimed", CLAIMED_NAME],
  ["kept", KEPT_NAME],
] as const;

interface HandoffName {
  readonly kind: typeof NAMES[number][0];
  readonly parent: string;
  /** The session that took it; empty where none did. */
  readonly session: string;
}

export interface HandoffNote {
  readonly parent_session_id: string;
  readonly session_number: number;
  readonly worker_id: string;
  /** When it was written, ISO 8601. */
  readonly created: string;
  /** Fill of the window, in percent; null if unknown. */
  readonly percent: number | null;
  /** The task; null if unknown. */
  readonly issue: string | null;
  readonly title: string;
  readonly prompt_file: string;
  /** The id of the parent's checkpoint; null where there is none. */
  readonly checkpoint: string | null;
  readonly has_episodic_memory: boolean;
  /** Whether it stays for others when a session takes it. */
  readonly keep: boolean;
  /** Whether a session without a person may take it. @default {false} */
  readonly for_headless?: boolean;
  /** The model's summary, or a generated one; missing in files of version 0.1.0. */
  readonly summary?: string;
  /** The parent's work state; missing in files of version 0.1.0. */
  readonly save?: SnapshotContent;
  /** The digest of the Markdown that stands beside it, SHA-256 in hexadecimal digits. */
  readonly view_sha256?: string;
}

export interface ListedHandoff extends HandoffNote {
  readonly status: "waiting" | "claimed" | "expired";
  readonly claimed_by: readonly string[];
}

export interface HandoffFile {
  /** The path of the handoff's files without their endings. */
  readonly path: string;
  readonly note: HandoffNote;
  readonly text: string;
  readonly status: "waiting" | "claimed";
  readonly claimed_by: readonly string[];
  /** The sessions that got it although it is kept. */
  readonly kept_for: readonly string[];
}

export function waitingFolder(projectDir: string): string {
  return joinPath(projectDir, ".claude", "trimtab", "handoffs");
}

export function handoffPath(projectDir: string, sessionId: string): string | null {
  const isId = sessionStatePath({ projectDir, sessionId }) !== null;
  return isId ? joinPath(waitingFolder(projectDir), sessionId) : null;
}

export function listFiles(projectDir: string): HandoffFile[] {
  const folder = waitingFolder(projectDir);
  const names = namesIn(folder);
  const notes = names.filter((name) => name.endsWith(".json")).slice(-MAX_NOTES);
  const files = notes.flatMap((name) => fileOf(folder, name, names));
  return files.sort((a, b) =>
    Date.parse(b.note.created) - Date.parse(a.note.created) ||
    b.note.session_number - a.note.session_number
  );
}

export function namesIn(folder: string): string[] {
  refuseLinks(folder);
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) =>
      partsOf(name) !== null
    ).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

export function partsOf(name: string): HandoffName | null {
  for (const [kind, pattern] of NAMES) {
    const [all, parent = "", session = ""] = pattern.exec(name) ?? [];
    if (all !== undefined) return { kind, parent, session };
  }
  return null;
}

function fileOf(folder: string, name: string, names: readonly string[]): HandoffFile[] {
  const parts = partsOf(name);
  if (parts?.kind !== "waiting" && parts?.kind !== "claimed") return [];
  const { kind: status, parent, session } = parts;
  const read = readNote(joinPath(folder, name));
  if (read === null || read.note.parent_session_id !== parent) return [];
  const kept = status === "claimed"
    ? []
    : names.map(partsOf).flatMap((one) =>
      one?.kind === "kept" && one.parent === parent ? [one.session] : []
    );
  const claimed_by = status === "claimed" ? [session] : kept;
  return [{ path: joinPath(folder, parent), ...read, status, claimed_by, kept_for: kept }];
}

function readNote(path: string): Pick<HandoffFile, "note" | "text"> | null {
  try {
    const text = readOwnTextSync(path, MAX_NOTE_BYTES) ?? "null";
    const note: unknown = JSON.parse(text);
    return isNote(note) ? { note, text } : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    // Damaged, or taken by another session just now.
    return null;
  }
}

function isNote(value: unknown): value is HandoffNote {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const note: Readonly<Record<string, unknown>> = { ...value };
  return ["parent_session_id", "worker_id", "title", "prompt_file"].every((name) =>
    typeof note[name] === "string"
  ) && typeof note["created"] === "string" && Number.isFinite(Date.parse(note["created"])) &&
    Number.isSafeInteger(note["session_number"]) &&
    (note["percent"] === null || Number.isFinite(note["percent"])) &&
    ["issue", "checkpoint"].every((name) =>
      note[name] === null || typeof note[name] === "string"
    ) &&
    typeof note["keep"] === "boolean" &&
    (note["for_headless"] === undefined || typeof note["for_headless"] === "boolean") &&
    ["summary", "view_sha256"].every((name) =>
      note[name] === undefined || typeof note[name] === "string"
    ) && (note["save"] === undefined || checkContent(note["save"]).length === 0) &&
    typeof note["has_episodic_memory"] === "boolean";
}
