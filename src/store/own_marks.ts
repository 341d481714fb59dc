/**
 * Tells files that trimtab wrote on this machine from files that came with a repository: each is signed with
 * the project's path and a random key in Claude Code's folder. If the project is moved or the key is lost,
 * trimtab's own files count as foreign until the user trusts them.
 */

import { writeFileAtomicSync } from "./atomic.ts";
import { unlessFailed } from "./exists.ts";
import { withLockSync } from "./lock.ts";
import { readOwnTextOrNull, readOwnTextSync } from "./own_file.ts";
import { findConfigDir, joinPath, ownFolder, parentPath, realFolder } from "./paths.ts";
import { ensureOwnFolder, ensurePrivateDirSync } from "./private_dir.ts";
import { signText } from "./sha256.ts";

export interface OwnPlace {
  readonly projectDir: string;
  /** Contains the key; undefined if there is none. @default {findConfigDir()} */
  readonly configDir?: string | undefined;
}

export const FOREIGN_LABEL = "not written on this machine";

const KEY_BYTES = 32;

const KEY_TEXT = /^[0-9a-f]{64}\n?$/;

const MAX_BYTES = 4_000;

/** A text is signed before it is written, so some signatures of a file belong to no text. */
const MAX_SIGNATURES = 40;

const WAIT_MS = 2_000;

/** Caches keys by their path, because a hook needs the same key many times. */
const KEYS = new Map<string, Uint8Array>();

export function keyPath(configDir: string): string {
  return joinPath(configDir, "trimtab", "ours", "key");
}

/** The folder contains one file of signatures for each marked name. Both files of a handoff share a name. */
export function markFolder(projectDir: string): string {
  return ownFolder(projectDir, "marks");
}

/** Resolves links in the project's folder, so that every path to it produces the same signature. */
export function createSignature(place: OwnPlace, kind: string, text: string): string {
  const configDir = configDirOf(place);
  if (configDir === undefined) throw new Error("Cannot sign: no configuration folder was found");
  return signText(
    readKey(configDir) ?? makeKey(configDir),
    kind,
    realFolder(place.projectDir),
    text,
  );
}

export function isValidSignature(
  place: OwnPlace,
  kind: string,
  text: string,
  signature: unknown,
): boolean {
  if (typeof signature !== "string") return false;
  const configDir = configDirOf(place);
  const key = configDir === undefined ? null : readKey(configDir);
  return key !== null && signText(key, kind, realFolder(place.projectDir), text) === signature;
}

/** Marks a file's content as trimtab's own. Earlier contents stay marked, in case the file is not written. */
export function markAsOwn(place: OwnPlace, name: string, text: string): void {
  const folder = markFolder(place.projectDir);
  const signature = createSignature(place, `file ${name}`, text);
  const known = readSignatures(place.projectDir, name).filter((one) => one !== signature);
  ensureOwnFolder(place.projectDir, folder);
  const kept = [...known, signature].slice(-MAX_SIGNATURES);
  writeFileAtomicSync(joinPath(folder, name), `${kept.join("\n")}\n`);
}

export function isMarkedAsOwn(place: OwnPlace, name: string, text: string): boolean {
  return readSignatures(place.projectDir, name)
    .some((signature) => isValidSignature(place, `file ${name}`, text, signature));
}

function readSignatures(projectDir: string, name: string): string[] {
  const text = readOwnTextOrNull(joinPath(markFolder(projectDir), name), MAX_BYTES) ?? "";
  return text.split("\n").filter((line) => line !== "").slice(-MAX_SIGNATURES);
}

export function dropMark(projectDir: string, name: string): void {
  // After a failure, `trimtab clean` deletes the mark later.
  unlessFailed(() => Deno.removeSync(joinPath(markFolder(projectDir), name)));
}

function configDirOf(place: OwnPlace): string | undefined {
  return "configDir" in place ? place.configDir : findConfigDir();
}

function readKey(configDir: string, read = readOwnTextOrNull): Uint8Array | null {
  const path = keyPath(configDir);
  const known = KEYS.get(path);
  if (known !== undefined) return known;
  const text = read(path, MAX_BYTES);
  if (text === null || !KEY_TEXT.test(text)) return null;
  return cacheKey(path, text);
}

function makeKey(configDir: string): Uint8Array {
  const path = keyPath(configDir);
  const folder = parentPath(path);
  ensurePrivateDirSync(folder);
  const key = withLockSync(joinPath(folder, ".lock"), () => {
    // Another process may have created the key in the meantime. An unreadable key must not be replaced.
    const existing = readKey(configDir, readOwnTextSync);
    if (existing !== null) return existing;
    const text = crypto.getRandomValues(new Uint8Array(KEY_BYTES)).toHex();
    writeFileAtomicSync(path, `${text}\n`);
    return cacheKey(path, text);
  }, { waitMs: WAIT_MS });
  if (key === null) throw new Error(`Cannot make key "${path}": another process is making it`);
  return key;
}

function cacheKey(path: string, text: string): Uint8Array {
  const key = Uint8Array.fromHex(text.trimEnd());
  KEYS.set(path, key);
  return key;
}
