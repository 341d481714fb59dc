/** Reads and changes a project's lineage file. */

import { counted } from "../../inject/bound.ts";
import { isObject } from "../../core/record.ts";
import { isMissing, listFolder } from "../../store/exists.ts";
import { writeFileAtomicSync } from "../../store/atomic.ts";
import { refuseLinks, refuseNonFiles } from "../../store/own_file.ts";
import { joinPath, ownFolder, parentPath, projectOf } from "../../store/paths.ts";
import { withFolderLock } from "../../store/private_dir.ts";
import { readTextSync } from "../../store/read_file.ts";
import {
  type ChangedRecords,
  type EndSessionOptions,
  isSessionRecord,
  type LineageOptions,
  type SessionRecord,
  withEnded,
} from "./rows.ts";

const LINEAGE_VERSION = 1;

const MAX_LINEAGE_BYTES = 8 * 1024 * 1024;

const MAX_DAMAGED_COPIES = 10;

const DAMAGED_PREFIX = "sessions.damaged-";

export interface Lineage {
  readonly sessions: readonly SessionRecord[];
  /** Describes the damage in a sentence; null if the file is valid or missing. */
  readonly problem: string | null;
}

export interface LineageOutcome<T> {
  readonly value: T;
  readonly warning?: string;
}

export function lineagePath(projectDir: string): string {
  return ownFolder(projectDir, "sessions.json");
}

export function readLineage(options: LineageOptions): Lineage {
  const path = lineagePath(projectOf(options));
  refuseLinks(parentPath(path));
  refuseNonFiles(path);
  try {
    return parseLineage(readTextSync(path, MAX_LINEAGE_BYTES));
  } catch (error) {
    if (isMissing(error)) return { sessions: [], problem: null };
    if (!(error instanceof RangeError)) throw error;
    return { sessions: [], problem: `It had more than ${MAX_LINEAGE_BYTES} bytes.` };
  }
}

/** Changes the lineage under a lock, so that changes by other processes are not lost. */
export function changeLineage<T>(
  options: LineageOptions,
  change: (sessions: readonly SessionRecord[]) => ChangedRecords<T>,
): LineageOutcome<T> {
  const projectDir = projectOf(options);
  Deno.statSync(projectDir);
  const path = lineagePath(projectDir);
  const { waitMs, fs = Deno } = options;
  const lockOptions = { action: `change lineage "${path}"`, lock: ".sessions.lock", waitMs };
  return withFolderLock(parentPath(path), lockOptions, () => {
    const { sessions, problem } = readLineage(options);
    const { sessions: changed, record: value } = change(sessions);
    if (changed === sessions && problem === null) return { value };
    const copy = problem === null ? "" : copyDamaged(path);
    const lineage = { version: LINEAGE_VERSION, sessions: changed };
    writeFileAtomicSync(path, `${JSON.stringify(lineage, null, 2)}\n`, { fs });
    if (problem === null) return { value };
    const warning = `Repaired "${path}": ${problem} A copy of the damaged file is "${copy}".`;
    return { value, warning };
  });
}

/** The outcome's value is null if the session is not in the lineage. */
export function recordEnd(options: EndSessionOptions): LineageOutcome<SessionRecord | null> {
  // Most sessions end in projects without a lineage. Do not create a folder there.
  if (withEnded(readLineage(options).sessions, options).record === null) return { value: null };
  return changeLineage(options, (sessions) => withEnded(sessions, options));
}

function parseLineage(text: string): Lineage {
  let lineage: unknown = null;
  try {
    lineage = JSON.parse(text);
  } catch {
    // Invalid JSON is reported below, like any other content that is not a lineage.
  }
  const records = isObject(lineage) && lineage["version"] === LINEAGE_VERSION
    ? lineage["sessions"]
    : null;
  if (!Array.isArray(records)) return { sessions: [], problem: "It did not contain a lineage." };
  const sessions = records.filter(isSessionRecord);
  const invalid = records.length - sessions.length;
  return {
    sessions,
    problem: invalid === 0 ? null : `It had ${counted(invalid, "invalid record")}.`,
  };
}

/**
 * Names the copy after the file's modification time, so that repeating an interrupted repair does not make a
 * second copy.
 */
function copyDamaged(path: string): string {
  const folder = parentPath(path);
  const time = Deno.statSync(path).mtime ?? new Date(0);
  const copy = joinPath(folder, `${DAMAGED_PREFIX}${time.toISOString().replaceAll(":", "")}.json`);
  Deno.copyFileSync(path, copy);
  const copies = listFolder(folder).map(({ name }) => name)
    .filter((name) => name.startsWith(DAMAGED_PREFIX)).sort();
  for (const name of copies.slice(0, -MAX_DAMAGED_COPIES)) Deno.removeSync(joinPath(folder, name));
  return copy;
}
