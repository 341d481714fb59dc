/** The index of all projects' checkpoints, made from the files again where it is lost or behind. */

import { isRecord } from "../../core/record.ts";
import { isMissing } from "../../config/files.ts";
import { type AtomicFileSystem, writeFileAtomicSync } from "../../store/atomic.ts";
import { withLockSync } from "../../store/lock.ts";
import { joinPath, parentPath } from "../../store/paths.ts";
import { ensurePrivateDirSync } from "../../store/private_dir.ts";
import { type CheckpointRow, listCheckpoints, newestFirst } from "./files.ts";
import { TRIGGERS } from "./meta.ts";
import { isPassing, readOwnTextSync } from "../../store/own_file.ts";

interface CheckpointIndex {
  readonly version: "1.0";
  readonly checkpoints: readonly CheckpointRow[];
  /** When it was written, ISO 8601; empty where it never was. */
  readonly last_updated: string;
}

interface IndexOptions {
  readonly projectDir: string;
  readonly configDir: string;
  readonly nowMs: number;
  /** Time to wait for other writers, in milliseconds. @default {5_000} */
  readonly waitMs?: number;
  readonly fs?: AtomicFileSystem;
}

/** Longest wait for other writers: each reads one project's files and writes the index. */
const WAIT_MS = 5_000;

/** Older rows are dropped. */
export const MAX_INDEX_ROWS = 2_000;

/** No larger file is our index, in bytes. */
export const MAX_INDEX_BYTES = 8 * 1024 * 1024;

const TEXT_FIELDS = [
  "id",
  "path",
  "project",
  "created",
  "summary",
  "session_id",
] as const;

export function indexPath(configDir: string): string {
  return joinPath(configDir, "trimtab", "checkpoints", "index.json");
}

export function readIndex(configDir: string): CheckpointIndex {
  return viewIndex(readIndexText(configDir));
}

function viewIndex(text: string): CheckpointIndex {
  const raw = parseIndex(text);
  const rows = raw !== null && Array.isArray(raw["checkpoints"]) ? raw["checkpoints"] : [];
  const updated = raw?.["last_updated"];
  return {
    version: "1.0",
    checkpoints: rows.filter(isRow),
    last_updated: typeof updated === "string" ? updated : "",
  };
}

/** Updates the project's own rows from its files, and drops other rows whose files are gone. */
export function indexCheckpoint(options: IndexOptions): CheckpointIndex {
  const path = indexPath(options.configDir);
  const folder = parentPath(path);
  ensurePrivateDirSync(folder);
  const locked = withLockSync(joinPath(folder, ".lock"), () => {
    const index: CheckpointIndex = {
      version: "1.0",
      checkpoints: currentRows(options),
      last_updated: new Date(options.nowMs).toISOString(),
    };
    const text = `${JSON.stringify(index, null, 2)}\n`;
    writeFileAtomicSync(path, text, options.fs === undefined ? {} : { fs: options.fs });
    return index;
  }, { waitMs: options.waitMs ?? WAIT_MS });
  if (locked === null) {
    throw new Error(`Cannot update index "${path}": another process holds its lock`);
  }
  return locked.value;
}

function currentRows({ projectDir, configDir }: IndexOptions): CheckpointRow[] {
  const ours = listCheckpoints({ projectDir });
  const others = viewIndex(readIndexText(configDir, true)).checkpoints
    .filter((row) => row.project !== projectDir && isKept(row));
  const byPath = new Map([...others, ...ours].map((row) => [row.path, row]));
  return [...byPath.values()].sort(newestFirst).slice(0, MAX_INDEX_ROWS);
}

/** Whether a row stays: its file is there, or nobody can tell. */
function isKept(row: CheckpointRow): boolean {
  try {
    return Deno.lstatSync(row.path).isFile;
  } catch (error) {
    if (!isMissing(error)) return true;
    return !isReadable(parentPath(row.path)) && !isReadable(row.project);
  }
}

/** Whether a folder can be looked into; that of an unmounted disk cannot. */
function isReadable(folder: string): boolean {
  try {
    for (const _ of Deno.readDirSync(folder)) break;
    return true;
  } catch {
    // What the reason is makes no difference.
    return false;
  }
}

/** The text of the index; empty where there is none that could be ours. */
function readIndexText(configDir: string, isForChange = false): string {
  try {
    return readOwnTextSync(indexPath(configDir), MAX_INDEX_BYTES) ?? "";
  } catch (error) {
    // The rows of other projects stand nowhere else.
    if (error instanceof Deno.errors.NotCapable || (isForChange && isPassing(error))) throw error;
    return "";
  }
}

function parseIndex(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && Array.isArray(value["checkpoints"]) ? value : null;
  } catch {
    return null;
  }
}

function isRow(value: unknown): value is CheckpointRow {
  return isRecord(value) && TEXT_FIELDS.every((name) => typeof value[name] === "string") &&
    TRIGGERS.some((trigger) => trigger === value["trigger"]) &&
    typeof value["created"] === "string" && Number.isFinite(Date.parse(value["created"])) &&
    typeof value["verified"] === "boolean" && Number.isSafeInteger(value["iteration"]);
}
