/** Reading and replacing Claude Code's settings, with a copy of what was there. */

import { isMissing } from "../../config/files.ts";
import { type AtomicFileSystem, writeFileAtomicSync } from "../../store/atomic.ts";
import { fileName, joinPath, parentPath } from "../../store/paths.ts";
import { readFileSync } from "../../store/read_file.ts";

export interface SettingsFile {
  /** Where it is, behind any link. */
  readonly path: string;
  /** Its text; null where there is no file. */
  readonly text: string | null;
  readonly mode: number;
}

const MAX_BACKUPS = 5;

/** Largest settings file that is read, in bytes. */
export const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;

const NEW_FILE_MODE = 0o600;
const PERMISSION_BITS = 0o777;

export function readSettingsFile(path: string): SettingsFile {
  try {
    Deno.lstatSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return { path, text: null, mode: NEW_FILE_MODE };
  }
  const real = Deno.realPathSync(path);
  const { mode } = Deno.statSync(real);
  const bits = mode === null ? NEW_FILE_MODE : mode & PERMISSION_BITS;
  return { path: real, text: decode(readFileSync(real, MAX_SETTINGS_BYTES), path), mode: bits };
}

/** Replaces a settings file in one step, after a copy of it was made. A link is written through. */
export function replaceSettingsFile(
  path: string,
  change: { readonly file: SettingsFile; readonly text: string | null; readonly nowMs: number },
  fs: AtomicFileSystem = Deno,
): string | null {
  const { file, text } = change;
  Deno.mkdirSync(parentPath(path), { recursive: true });
  const backup = file.text === null ? null : backUp(path, { ...change, before: file.text, fs });
  // The client writes this file, too; what it has just changed must not be lost.
  if (readSettingsFile(path).text !== file.text) {
    throw new Error(`Cannot write settings "${path}": it was changed meanwhile; try again`);
  }
  if (text === null) fs.removeSync(file.path);
  else writeFileAtomicSync(file.path, text, { mode: file.mode, fs });
  pruneBackups(path);
  return backup;
}

export function listBackups(path: string): string[] {
  const folder = parentPath(path);
  const pattern = new RegExp(
    `^${RegExp.escape(fileName(path))}\\.trimtab-backup-\\d{8}T\\d{9}Z(?:-\\d{1,3})?$`,
  );
  try {
    const names = [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile)
      .map(({ name }) => name).filter((name) => pattern.test(name));
    return names.sort(byStamp).reverse().map((name) => joinPath(folder, name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function backUp(
  path: string,
  { before, file, nowMs, fs }: {
    readonly before: string;
    readonly file: SettingsFile;
    readonly nowMs: number;
    readonly fs: AtomicFileSystem;
  },
): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:.]/g, "");
  const plain = `${path}.trimtab-backup-${stamp}`;
  // Behind the newest of the same moment, not in a gap that pruning has left.
  const newest = listBackups(path).find((one) => one.startsWith(plain));
  const number = newest === undefined ? 1 : Number(newest.slice(plain.length + 1) || "1") + 1;
  const backup = number === 1 ? plain : `${plain}-${number}`;
  writeFileAtomicSync(backup, before, { mode: file.mode, fs });
  return backup;
}

function pruneBackups(path: string): void {
  for (const old of listBackups(path).slice(MAX_BACKUPS)) Deno.removeSync(old);
}

/** `-10` is newer than `-9`, and both than none. */
function byStamp(a: string, b: string): number {
  const [stampA = "", nA = "0"] = a.split("Z").map((part) => part.replace(/^-/, ""));
  const [stampB = "", nB = "0"] = b.split("Z").map((part) => part.replace(/^-/, ""));
  return stampA === stampB ? Number(nA) - Number(nB) : stampA < stampB ? -1 : 1;
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new TypeError(`Cannot read settings "${path}": it is not UTF-8`);
  }
}
