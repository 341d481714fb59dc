/** Reads and replaces Claude Code's settings, and keeps backups of them. */

import { writeFileAtomicSync } from "../../store/atomic.ts";
import { exists, listFolder, unlessMissing } from "../../store/exists.ts";
import { fileName, joinPath, parentPath } from "../../store/paths.ts";
import { MAX_SETTINGS_BYTES, readFileSync } from "../../store/read_file.ts";

export interface SettingsFile {
  /** The path, with links resolved. */
  readonly path: string;
  readonly text: string | null;
  readonly mode: number;
}

const MAX_BACKUPS = 5;

export function readSettingsFile(path: string): SettingsFile {
  if (!exists(path)) return { path, text: null, mode: 0o600 };
  const real = unlessMissing(() => Deno.realPathSync(path));
  if (real === null) {
    throw new TypeError(
      `Cannot read settings "${path}": it is a link to a missing file; ` +
        "remove the link, or create the file",
    );
  }
  const mode = (Deno.statSync(real).mode ?? 0o600) & 0o777;
  const bytes = readFileSync(real, MAX_SETTINGS_BYTES);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { path: real, text, mode };
  } catch {
    throw new TypeError(`Cannot read settings "${path}": it is not UTF-8`);
  }
}

export function replaceSettingsFile(
  path: string,
  change: { readonly file: SettingsFile; readonly text: string | null; readonly nowMs: number },
): string | null {
  const { file, text, nowMs } = change;
  Deno.mkdirSync(parentPath(path), { recursive: true });
  const backup = file.text === null ? null : freeBackupPath(path, nowMs);
  if (backup !== null) writeFileAtomicSync(backup, file.text ?? "", { mode: file.mode });
  // The client may have written the file in the meantime.
  if (readSettingsFile(path).text !== file.text) {
    throw new Error(`Cannot write settings "${path}": it has changed in the meantime; try again`);
  }
  if (text === null) Deno.removeSync(file.path);
  else writeFileAtomicSync(file.path, text, { mode: file.mode });
  for (const old of listBackups(path).slice(MAX_BACKUPS)) Deno.removeSync(old);
  return backup;
}

export function listBackups(path: string): string[] {
  const pattern = new RegExp(
    `^${RegExp.escape(fileName(path))}\\.trimtab-backup-\\d{8}T\\d{9}Z(?:-\\d+)?$`,
  );
  const names = listFolder(parentPath(path)).filter(({ isFile }) => isFile)
    .map(({ name }) => name).filter((name) => pattern.test(name));
  return names.sort().reverse().map((name) => joinPath(parentPath(path), name));
}

function freeBackupPath(path: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:.]/g, "");
  const backup = `${path}.trimtab-backup-${stamp}`;
  return exists(backup) ? freeBackupPath(path, nowMs + 1) : backup;
}
