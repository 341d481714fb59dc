/**
 * What is remembered of a session between two hooks, two commands and two runs of the status line.
 *
 * @module
 */

import { writeFileAtomicSync } from "./atomic.ts";
import { type LockOptions, withLockSync } from "./lock.ts";
import { joinPath } from "./paths.ts";
import { ensurePrivateDirSync } from "./private_dir.ts";

/** The newest checkpoint of a session. */
export interface LastCheckpoint {
  /** Its id. */
  readonly id: string;
  /** When it was made, ISO 8601. */
  readonly created: string;
}

/** What is remembered of a session. A field that is missing is not known. */
export interface SessionState {
  /** The size of the model's window in tokens, as the client told the status line. */
  readonly window_tokens?: number;
  /** When it told so, ISO 8601. */
  readonly window_seen_at?: string;
  /** The tokens in context, as the client told the status line. */
  readonly usage_tokens?: number;
  /** The level at which the session stood at the last look that made a difference. */
  readonly level?: string;
  /** When the model was last warned, ISO 8601. */
  readonly warned_at?: string;
  /** The newest checkpoint. */
  readonly last_checkpoint?: LastCheckpoint;
  /** What the user was told and is not to be told again, by the names of the notices. */
  readonly notices?: readonly string[];
}

/** What is to change in a state; a field that is null is forgotten. */
export type StateChange = {
  readonly [Field in keyof SessionState]?: SessionState[Field] | null;
};

/** Whose state it is. */
export interface StateOwner {
  /** The folder of the project. */
  readonly projectDir: string;
  /** The session's id. */
  readonly sessionId: string;
}

/** What came of a change. */
export type StateOutcome =
  /** It is in the file. */
  | "written"
  /** There was nothing to change. */
  | "unchanged"
  /** Another process was at it for too long: nothing was changed. */
  | "busy";

/** No state of ours is larger, in bytes; a larger file is not ours. */
const MAX_STATE_BYTES = 256 * 1024;

/** How a session's id looks. Nothing else becomes part of a path. */
const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Only the user may look into the folder. */
const PRIVATE_FOLDER_MODE = 0o700;

/** One for all sessions: it is held for a few system calls. */
const LOCK_NAME = ".lock";

const IS_FIELD: { readonly [Field in keyof SessionState]-?: (value: unknown) => boolean } = {
  window_tokens: isCount,
  window_seen_at: isText,
  usage_tokens: isCount,
  level: isText,
  warned_at: isText,
  last_checkpoint: isCheckpoint,
  notices: (value) => Array.isArray(value) && value.every(isText),
};

/**
 * Where the state of a session is kept.
 *
 * Permissions: none.
 *
 * @param owner The project and the session.
 * @returns The path, or null when the id is none.
 *
 * @example
 * ```ts
 * import { sessionStatePath } from "./state.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const sessionId = "0e3c1a52-7d3a-4a52-9a3e-6f1c5d1b2a10";
 * assertEquals(
 *   sessionStatePath({ projectDir: "/p", sessionId }),
 *   `/p/.claude/trimtab/state/${sessionId}.json`,
 * );
 * assertEquals(sessionStatePath({ projectDir: "/p", sessionId: "../../x" }), null);
 * ```
 */
export function sessionStatePath(owner: StateOwner): string | null {
  return SESSION_ID.test(owner.sessionId)
    ? joinPath(stateFolder(owner.projectDir), `${owner.sessionId}.json`)
    : null;
}

/**
 * Reads what is remembered of a session.
 *
 * A file that is missing, damaged or not ours counts as none, and a field of a wrong type as
 * missing: whoever writes next puts it right.
 *
 * Permissions: `--allow-read` for the state's file.
 *
 * @param owner The project and the session.
 * @returns What is known; empty when nothing is.
 * @throws {Deno.errors.NotCapable} When the permission is missing.
 *
 * @example
 * ```ts
 * import { readSessionState } from "./state.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const sessionId = "0e3c1a52-7d3a-4a52-9a3e-6f1c5d1b2a10";
 * assertEquals(readSessionState({ projectDir: "/nowhere", sessionId }), {});
 * ```
 */
export function readSessionState(owner: StateOwner): SessionState {
  const path = sessionStatePath(owner);
  return path === null ? {} : viewState(readRaw(path));
}

/**
 * Changes what is remembered of a session, so that no other process's change is lost.
 *
 * The file is read again under a lock that all writers take, and appears whole or not at all.
 * Fields that this version does not know stay as they are. The folder is made private and kept
 * out of git.
 *
 * Permissions: `--allow-read` and `--allow-write` for `<projectDir>/.claude/trimtab`.
 *
 * @param owner The project and the session.
 * @param change Says what is to change, given what is known now; null leaves everything as it is.
 * @param options How long to wait for the lock.
 * @returns Whether the change is in the file.
 * @throws {RangeError} When the session's id is none.
 * @throws {Error} Whatever the system says when the file cannot be written.
 *
 * @example
 * ```ts
 * import { readSessionState, updateSessionState } from "./state.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const projectDir = Deno.makeTempDirSync();
 * const owner = { projectDir, sessionId: "0e3c1a52-7d3a-4a52-9a3e-6f1c5d1b2a10" };
 * assertEquals(updateSessionState(owner, () => ({ window_tokens: 1_000_000 })), "written");
 * assertEquals(readSessionState(owner), { window_tokens: 1_000_000 });
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function updateSessionState(
  owner: StateOwner,
  change: (state: SessionState) => StateChange | null,
  options: LockOptions = {},
): StateOutcome {
  const path = sessionStatePath(owner);
  if (path === null) {
    throw new RangeError(
      `Cannot keep state: ${JSON.stringify(owner.sessionId)} is not the id of a session`,
    );
  }
  const folder = stateFolder(owner.projectDir);
  ensurePrivateDirSync(joinPath(owner.projectDir, ".claude", "trimtab"));
  Deno.mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  const locked = withLockSync(joinPath(folder, LOCK_NAME), () => {
    const raw = readRaw(path);
    const wanted = change(viewState(raw));
    if (wanted === null) return "unchanged";
    const text = `${JSON.stringify(merged(raw, wanted))}\n`;
    if (text === `${JSON.stringify(raw)}\n`) return "unchanged";
    writeFileAtomicSync(path, text);
    return "written";
  }, options);
  return locked === null ? "busy" : locked.value;
}

function stateFolder(projectDir: string): string {
  return joinPath(projectDir, ".claude", "trimtab", "state");
}

/** The file as it is, with what this version does not know. */
function readRaw(path: string): Record<string, unknown> {
  try {
    const { isFile, size } = Deno.statSync(path);
    if (!isFile || size > MAX_STATE_BYTES) return {};
    const value: unknown = JSON.parse(Deno.readTextFileSync(path));
    return isRecord(value) ? value : {};
  } catch (error) {
    // A missing permission is a mistake of ours to be seen; all else is healed by the next write.
    if (error instanceof Deno.errors.NotCapable) throw error;
    return {};
  }
}

function viewState(raw: Record<string, unknown>): SessionState {
  const known = Object.entries(IS_FIELD).filter(([field, isValid]) =>
    Object.hasOwn(raw, field) && isValid(raw[field])
  );
  return Object.fromEntries(known.map(([field]) => [field, raw[field]]));
}

function merged(raw: Record<string, unknown>, change: StateChange): Record<string, unknown> {
  const changes = Object.entries(change).filter(([, value]) => value !== undefined);
  const all = { ...raw, ...Object.fromEntries(changes) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isCheckpoint(value: unknown): boolean {
  return isRecord(value) && isText(value["id"]) && isText(value["created"]);
}
