/** Renders the part with the files that a session changed or only read. */

import { isTemporaryPath } from "../core/shell_commands.ts";
import { cleanLine } from "../inject/clean.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { folderLines } from "../inject/folder_lines.ts";
import { MIN_LINE_CHARS, sizeOfLines } from "../inject/fit_lines.ts";
import { emptyTrail } from "../extract/trail/trail.ts";
import type { FileChange } from "../core/work_state.ts";
import { isByHand, withPlace } from "./lines.ts";
import type { Fit, PartOptions, ShownText, Work } from "./part.ts";
import { REQUEST, splitByRequest } from "./requests.ts";

const READ_SHARE = 1 / 4;
const HEADINGS_CHARS = 110;

const MAX_NOTES = 4;
const MAX_LINE_CHARS = 300;

/** Matches a file to which the client moved a long result. */
const SAVED_RESULT = /\/tool-results\//;

/**
 * Lists handwritten notes, changed files, files that were only read, and plans. Files that were changed since
 * the newest request come before files that were changed earlier.
 */
export function filesPart(work: Work, { shown, hasChanges, hasNow }: PartOptions): Fit {
  const { read, plans } = work.trail ?? emptyTrail();
  const changes = hasChanges ? [] : work.changes;
  const notes = changes.filter(({ from, what }) => isByHand(from) && what !== "")
    .slice(0, MAX_NOTES)
    .map(({ what, from }) => shown.item(withPlace(excerptLine(what, MAX_LINE_CHARS), from)));
  const { since, before } = hasNow ? splitByRequest(changes, work) : { since: changes, before: [] };
  // Omits counts of edits, which cover the whole session, if the changes are split.
  const isSplit = before.length > 0;
  const [fresh = [], older = []] = [since, before].map((some) => editedFiles(some, shown, isSplit));
  const known = new Set(work.changes.map(({ file }) => pathOf(file, shown)));
  const others = read.map((file) => pathOf(file, shown))
    .filter((file) => !known.has(file) && !isTemporaryPath(file) && !SAVED_RESULT.test(file));
  const planned = plans.map((file) => pathOf(file, shown)).filter((file) => file !== "");
  const plan = planned.length === 0 ? [] : [`Plan: ${planned.join(", ")}`];
  return (room) => {
    const left = room - sizeOfLines([...notes, ...plan]) - HEADINGS_CHARS;
    const count = fresh.length + older.length;
    if (left < MIN_LINE_CHARS) return { lines: [], omitted: count + others.length };
    const editsRoom = others.length === 0 ? left : left * (1 - READ_SHARE);
    const lines = folderLines(fresh, editsRoom);
    const olderLines = folderLines(older, Math.max(0, editsRoom - sizeOfLines(lines)));
    const usedRoom = sizeOfLines([...lines, ...olderLines]);
    const reads = folderLines(others, Math.max(left * READ_SHARE, left - usedRoom));
    const [head, olderHead] = older.length === 0
      ? ["Changed, newest first:", ""]
      : ["Changed since the newest request:", `Changed before ${REQUEST}, newest first:`];
    return withOmitted([
      ...notes,
      ...(lines.length === 0 ? [] : [head, ...lines]),
      ...(olderLines.length === 0 ? [] : [olderHead, ...olderLines]),
      ...(reads.length === 0 ? [] : ["Read, not seen to be edited, newest first:", ...reads]),
      ...plan,
    ]);
  };
}

export function withOmitted(
  lines: readonly string[],
): { lines: readonly string[]; omitted: number } {
  const counts = lines.map((line) => Number(/^\((\d+) more\)$/.exec(line)?.[1] ?? 0));
  return { lines, omitted: counts.reduce((sum, count) => sum + count, 0) };
}

export function editedFiles(
  changes: readonly FileChange[],
  shown: ShownText,
  omitsCounts = false,
): string[] {
  return changes.filter(({ from }) => !isByHand(from)).map(({ file, count }) =>
    pathOf(file, shown) + (count > 1 && !omitsCounts ? ` (${count} edits)` : "")
  );
}

export function pathOf(file: string, shown: ShownText): string {
  return cleanLine(shown.line(file));
}
