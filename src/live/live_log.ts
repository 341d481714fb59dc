/** Logs shaped outputs, and adds up their savings. */

import { isObject, isText, parseObject } from "../core/record.ts";
import { addToLogSync, MAX_LOG_BYTES, olderLogPath } from "../store/log.ts";
import { readOwnTextSync } from "../store/own_file.ts";
import { ownFolder } from "../store/paths.ts";

export interface LiveRecord {
  /** ISO 8601. */
  readonly time: string;
  readonly session_id: string;
  readonly tool: string;
  readonly before: number;
  /** Length of the text that the model received, in characters, including the notice. */
  readonly after: number;
}

/** Uses the field names of the JSON that `trimtab live` prints. */
export interface LiveTotals {
  readonly outputs: number;
  readonly before_chars: number;
  readonly after_chars: number;
  readonly saved_chars: number;
  /** Percentage of `before_chars`, rounded. */
  readonly saved_percent: number;
}

export interface LiveStats {
  readonly totals: LiveTotals;
  /** The tool with the largest savings comes first. */
  readonly by_tool: Readonly<Record<string, LiveTotals>>;
  readonly sessions: number;
  /** Time of the oldest record, ISO 8601; null if there is none. */
  readonly since: string | null;
}

const MAX_NAME_CHARS = 200;

export function liveLogPaths(projectDir: string): { newest: string; older: string } {
  const newest = ownFolder(projectDir, "live.jsonl");
  return { newest, older: olderLogPath(newest) };
}

export function logShaped(projectDir: string, record: LiveRecord): void {
  const line = { ...record, tool: record.tool.slice(0, MAX_NAME_CHARS) };
  addToLogSync(liveLogPaths(projectDir).newest, `${JSON.stringify(line)}\n`);
}

/** Adds up all records of the log. Skips invalid lines. */
export function readLiveStats(projectDir: string): LiveStats {
  const { newest, older } = liveLogPaths(projectDir);
  // A log can exceed its limit, because a writer that cannot acquire the lock appends to a full log.
  const lines: unknown[] = [older, newest].flatMap((path) =>
    (readOwnTextSync(path, MAX_LOG_BYTES * 2) ?? "").split("\n").map(parseObject)
  );
  const records = lines.filter(isLiveRecord);
  const byTool = [...Map.groupBy(records, ({ tool }) => tool)]
    .map(([name, group]) => [name, totalsOf(group)] as const)
    .sort(([, a], [, b]) => b.saved_chars - a.saved_chars);
  return {
    totals: totalsOf(records),
    by_tool: Object.fromEntries(byTool),
    sessions: new Set(records.map((record) => record.session_id)).size,
    since: records[0]?.time ?? null,
  };
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

function isLiveRecord(value: unknown): value is LiveRecord {
  return isObject(value) &&
    ["time", "session_id", "tool"].every((name) => isText(value[name])) &&
    ["before", "after"].every((name) => Number.isSafeInteger(value[name]));
}
