/** The log of shaped outputs and their savings. */

import { isObject, isText } from "../core/record.ts";
import { addToLogSync, MAX_LOG_BYTES, olderLogPath } from "../store/log.ts";
import { readOwnTextSync } from "../store/own_file.ts";
import { joinPath } from "../store/paths.ts";

export interface LiveRecord {
  /** When the output was shaped, ISO 8601. */
  readonly time: string;
  readonly session_id: string;
  readonly tool: string;
  readonly kind: string;
  /** Length of the output, in characters. */
  readonly before: number;
  /** Length that the model got, in characters, notice included. */
  readonly after: number;
}

/** Savings of shaping. The names are those of the JSON that the command prints. */
export interface LiveTotals {
  /** Number of shaped outputs. */
  readonly outputs: number;
  /** Their length, in characters. */
  readonly before_chars: number;
  /** Length that the model got. */
  readonly after_chars: number;
  /** Number of characters that the model did not get. */
  readonly saved_chars: number;
  /** Saved characters in percent of their length before, rounded. */
  readonly saved_percent: number;
}

/** Totals and their parts. */
export interface LiveStats {
  /** All together. */
  readonly totals: LiveTotals;
  /** Savings by tool, the largest first. */
  readonly by_tool: Readonly<Record<string, LiveTotals>>;
  /** Savings by kind of output. */
  readonly by_kind: Readonly<Record<string, LiveTotals>>;
  /** Number of sessions. */
  readonly sessions: number;
  /** When the first output was shaped, ISO 8601; null if none was. */
  readonly since: string | null;
}

const MAX_NAME_CHARS = 200;

export function liveLogPaths(projectDir: string): { newest: string; older: string } {
  const newest = joinPath(projectDir, ".claude", "trimtab", "live.jsonl");
  return { newest, older: olderLogPath(newest) };
}

export function logShaped(projectDir: string, record: LiveRecord): void {
  const line = { ...record, tool: record.tool.slice(0, MAX_NAME_CHARS) };
  addToLogSync(liveLogPaths(projectDir).newest, `${JSON.stringify(line)}\n`);
}

/**
 * Sums up the log.
 *
 * Permissions: `--allow-read` for `<projectDir>/.claude/trimtab`.
 *
 * @param projectDir The folder of the project.
 * @returns The savings of shaping, as far back as the log goes; invalid lines are skipped.
 * @throws {Error} Whatever the system says when the log may not be read.
 */
export function readLiveStats(projectDir: string): LiveStats {
  const { newest, older } = liveLogPaths(projectDir);
  // A writer that cannot get the lock appends to a full log.
  const records = [older, newest].flatMap((path) =>
    recordsOf(readOwnTextSync(path, MAX_LOG_BYTES * 2))
  );
  return {
    totals: totalsOf(records),
    by_tool: totalsBy(records, ({ tool }) => tool),
    by_kind: totalsBy(records, ({ kind }) => kind),
    sessions: new Set(records.map((record) => record.session_id)).size,
    since: records[0]?.time ?? null,
  };
}

function totalsBy(
  records: readonly LiveRecord[],
  nameOf: (record: LiveRecord) => string,
): Record<string, LiveTotals> {
  const groups = [...Map.groupBy(records, nameOf)].map(([name, group]) =>
    [name, totalsOf(group)] as const
  );
  return Object.fromEntries(groups.sort(([, a], [, b]) => b.saved_chars - a.saved_chars));
}

function totalsOf(records: readonly LiveRecord[]): LiveTotals {
  const before = records.reduce((sum, record) => sum + record.before, 0);
  const after = records.reduce((sum, record) => sum + record.after, 0);
  return {
    outputs: records.length,
    before_chars: before,
    after_chars: after,
    saved_chars: before - after,
    saved_percent: before === 0 ? 0 : Math.round((before - after) / before * 100),
  };
}

function recordsOf(text: string | null): LiveRecord[] {
  return (text ?? "").split("\n").flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isLiveRecord(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

function isLiveRecord(value: unknown): value is LiveRecord {
  return isObject(value) &&
    ["time", "session_id", "tool", "kind"].every((name) => isText(value[name])) &&
    ["before", "after"].every((name) => Number.isSafeInteger(value[name]));
}
