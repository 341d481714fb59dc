/** Maintains the index of all projects' checkpoints. Each update derives one project's rows from its files. */

import { isObject } from "../core/record.ts";
import { infoOf } from "../store/exists.ts";
import { writeFileAtomicSync } from "../store/atomic.ts";
import { joinPath, parentPath } from "../store/paths.ts";
import { withFolderLock } from "../store/private_dir.ts";
import { readOwnJson } from "../store/own_file.ts";
import { TRIGGERS } from "./views/checkpoint_view.ts";
import { type CheckpointRow, listCheckpoints, newestFirst } from "./store.ts";
import type { WriteOptions } from "./write.ts";

interface CheckpointIndex {
  readonly version: "1.0";
  readonly checkpoints: readonly CheckpointRow[];
  /** Time of the last update, ISO 8601; empty if never written. */
  readonly last_updated: string;
}

interface IndexOptions extends Omit<WriteOptions, "configDir"> {
  readonly configDir: string;
  readonly nowMs: number;
}

const MAX_INDEX_ROWS = 2_000;

export const MAX_INDEX_BYTES = 8 * 1024 * 1024;

const STRING_FIELDS = ["id", "path", "project", "created", "summary", "session_id"] as const;

export function indexPath(configDir: string): string {
  return joinPath(configDir, "trimtab", "checkpoints", "index.json");
}

/**
 * Returns an empty index if the file is missing or invalid. With `isForChange`, throws if a temporary
 * error prevents the read.
 */
export function readIndex(configDir: string, isForChange = false): CheckpointIndex {
  // A change after a failed read would drop the rows of other projects, which are stored only here.
  const index = readOwnJson(indexPath(configDir), MAX_INDEX_BYTES, isForChange);
  const [rows, updated] = isObject(index) ? [index["checkpoints"], index["last_updated"]] : [];
  return {
    version: "1.0",
    checkpoints: Array.isArray(rows) ? rows.filter(isRow) : [],
    last_updated: typeof updated === "string" ? updated : "",
  };
}

/** Updates the project's rows from its files, and drops other rows whose files are gone. */
export function indexCheckpoint(options: IndexOptions): CheckpointIndex {
  const path = indexPath(options.configDir);
  const { nowMs, waitMs, fs = Deno } = options;
  const lockOptions = { action: `update index "${path}"`, waitMs };
  return withFolderLock(parentPath(path), lockOptions, () => {
    const index: CheckpointIndex = {
      version: "1.0",
      checkpoints: currentRows(options),
      last_updated: new Date(nowMs).toISOString(),
    };
    writeFileAtomicSync(path, `${JSON.stringify(index, null, 2)}\n`, { fs });
    return index;
  });
}

function currentRows({ projectDir, configDir }: IndexOptions): CheckpointRow[] {
  const own = listCheckpoints({ projectDir });
  const others = readIndex(configDir, true).checkpoints
    .filter((row) => row.project !== projectDir && isKept(row));
  const byPath = new Map([...others, ...own].map((row) => [row.path, row]));
  // Checkpoint numbers of different projects cannot be compared.
  return [...byPath.values()]
    .sort((a, b) => Date.parse(b.created) - Date.parse(a.created) || newestFirst(a, b))
    .slice(0, MAX_INDEX_ROWS);
}

function isKept({ path }: CheckpointRow): boolean {
  try {
    return infoOf(path)?.isFile === true;
  } catch {
    return true;
  }
}

function isRow(value: unknown): value is CheckpointRow {
  return isObject(value) && STRING_FIELDS.every((name) => typeof value[name] === "string") &&
    TRIGGERS.some((trigger) => trigger === value["trigger"]) &&
    Number.isFinite(Date.parse(String(value["created"]))) &&
    typeof value["verified"] === "boolean" && Number.isSafeInteger(value["iteration"]);
}
