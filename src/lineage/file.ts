/** The file that the lineage of a project is kept in. */

import { isMissing } from "../config/files.ts";
import { projectOf } from "../saved/snapshot/place.ts";
import { type AtomicFileSystem, writeFileAtomicSync } from "../store/atomic.ts";
import { withLockSync } from "../store/lock.ts";
import { joinPath, parentPath } from "../store/paths.ts";
import { ensurePrivateDirSync } from "../store/private_dir.ts";
import { salvageRows, soundRows } from "./rows.ts";
import type { SessionRecord } from "./session_record.ts";
import { refuseLinks, refuseOthers } from "../store/own_file.ts";
import { readFileSync } from "../store/read_file.ts";

const LINEAGE_VERSION = 1;

/** No larger file is read, in bytes; ours is far smaller. */
const MAX_LINEAGE_BYTES = 8 * 1024 * 1024;

/** Placeholder for the bytes of a file that is too large to be read. */
const TOO_LARGE = new Uint8Array(0);

/** Longest wait for other writers, in milliseconds: each writes one small file. */
const WAIT_MS = 5_000;

/** Number of damaged files that are kept; the oldest go. */
const MAX_DAMAGED = 10;

const DAMAGED_PREFIX = "sessions.damaged-";

/** Where a lineage is, and how it is written. */
export interface LineageOptions {
  /** The folder of the project. @default {findProjectDir({ cwd: Deno.cwd() })} */
  readonly projectDir?: string;
  /** Longest wait for other writers, in milliseconds. @default {5_000} */
  readonly waitMs?: number;
  /** The system calls to write with. @default {Deno} */
  readonly fs?: AtomicFileSystem;
}

export interface Lineage {
  /** The rows that are fine, in their order. */
  readonly sessions: readonly SessionRecord[];
  /** The problem of the file, in a sentence; null if there is none. */
  readonly problem: string | null;
}

interface LineageChange<T> {
  /** All rows; null leaves them as they are. */
  readonly sessions: readonly SessionRecord[] | null;
  readonly value: T;
}

export interface LineageOutcome<T> {
  readonly value: T;
  readonly warning?: string;
}

export function lineagePath(projectDir: string): string {
  return joinPath(projectDir, ".claude", "trimtab", "sessions.json");
}

export function readLineage(options: LineageOptions = {}): Lineage {
  return parseLineage(readBytes(lineagePath(projectOf(options))));
}

/** Changes the lineage of a project, so that no other process's change is lost. */
export function changeLineage<T>(
  options: LineageOptions,
  change: (sessions: readonly SessionRecord[]) => LineageChange<T>,
): LineageOutcome<T> {
  const projectDir = projectOf(options);
  Deno.statSync(projectDir);
  const folder = joinPath(projectDir, ".claude", "trimtab");
  ensurePrivateDirSync(folder);
  const path = lineagePath(projectDir);
  const lock = joinPath(folder, ".sessions.lock");
  const locked = withLockSync(lock, () => {
    const bytes = readBytes(path);
    const { sessions, problem } = parseLineage(bytes);
    const { sessions: changed, value } = change(sessions);
    if (changed === null && problem === null) return { value };
    const aside = problem === null ? "" : keepAside(folder, bytes, options);
    write(path, lineageText(changed ?? sessions), options);
    if (problem === null) return { value };
    return { value, warning: `Repaired "${path}": ${problem} It is kept as "${aside}".` };
  }, { waitMs: options.waitMs ?? WAIT_MS });
  if (locked === null) {
    throw new Error(`Cannot change lineage "${path}": another process holds "${lock}"`);
  }
  return locked.value;
}

function lineageText(sessions: readonly SessionRecord[]): string {
  return `${JSON.stringify({ version: LINEAGE_VERSION, sessions }, null, 2)}\n`;
}

function parseLineage(bytes: Uint8Array | null): Lineage {
  if (bytes === null) return { sessions: [], problem: null };
  if (bytes === TOO_LARGE) {
    return { sessions: [], problem: `It had more than ${MAX_LINEAGE_BYTES} bytes.` };
  }
  const text = new TextDecoder().decode(bytes);
  const rows = rowsOf(text);
  if (rows === null) {
    const sessions = soundRows(salvageRows(text));
    return { sessions, problem: `It was not valid; ${sessions.length} rows were saved.` };
  }
  const sessions = soundRows(rows);
  const left = rows.length - sessions.length;
  return { sessions, problem: left === 0 ? null : `${left} of its rows were not valid.` };
}

/** The rows of a file that is whole; null where it is not. */
function rowsOf(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    const isOurs = typeof value === "object" && value !== null && "sessions" in value &&
      "version" in value && value.version === LINEAGE_VERSION && Array.isArray(value.sessions);
    return isOurs && Array.isArray(value.sessions) ? value.sessions : null;
  } catch {
    return null;
  }
}

/** Named by the time of the damaged file, so that a repair that was killed keeps it once. */
function keepAside(folder: string, bytes: Uint8Array | null, options: LineageOptions): string {
  const lineage = joinPath(folder, "sessions.json");
  const time = Deno.statSync(lineage).mtime ?? new Date(0);
  const aside = joinPath(folder, `${DAMAGED_PREFIX}${time.toISOString().replaceAll(":", "")}.json`);
  // A file that is read is copied, so that a kill leaves one of both in its place.
  if (bytes === null || bytes === TOO_LARGE) Deno.renameSync(lineage, aside);
  else write(aside, bytes, options);
  const kept = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.startsWith(DAMAGED_PREFIX)).sort();
  for (const name of kept.slice(0, -MAX_DAMAGED)) Deno.removeSync(joinPath(folder, name));
  return aside;
}

function write(path: string, data: string | Uint8Array, { fs }: LineageOptions): void {
  writeFileAtomicSync(path, data, fs === undefined ? {} : { fs });
}

function readBytes(path: string): Uint8Array | null {
  refuseLinks(parentPath(path));
  refuseOthers(path);
  try {
    return readFileSync(path, MAX_LINEAGE_BYTES);
  } catch (error) {
    if (error instanceof RangeError) return TOO_LARGE;
    if (isMissing(error)) return null;
    throw error;
  }
}
