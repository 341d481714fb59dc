/** Keeps the first lines of each group and counts the others, for search results and lists of files. */

import { clipLine } from "./clip_line.ts";
import { moreMark, NEWLINE } from "./marks.ts";

interface GroupOptions {
  /** Returns a line's group, such as its folder up to a depth; null for a line that is always kept. */
  readonly keyOf: (index: number, depth: number) => string | null;
  readonly what: string;
  /** Whether a line is dropped before other lines of its group. @default {() => false} */
  readonly isMinor?: (index: number) => boolean;
  /** Length of the result, in UTF-16 code units. */
  readonly maxChars: number;
}

interface Level {
  readonly shown: number;
  readonly depth: number;
  readonly withMinor: boolean;
}

/** These are tried in order until the result fits. */
const LEVELS: readonly Level[] = [
  { shown: 40, depth: Infinity, withMinor: true },
  { shown: 12, depth: Infinity, withMinor: false },
  { shown: 6, depth: Infinity, withMinor: false },
  { shown: 3, depth: Infinity, withMinor: false },
  { shown: 2, depth: Infinity, withMinor: false },
  { shown: 1, depth: Infinity, withMinor: false },
  { shown: 1, depth: 6, withMinor: false },
  { shown: 1, depth: 4, withMinor: false },
  { shown: 1, depth: 3, withMinor: false },
  { shown: 1, depth: 2, withMinor: false },
  { shown: 1, depth: 1, withMinor: false },
];

interface Group {
  readonly key: string;
  readonly shown: string[];
  left: number;
  first: number;
  last: number;
}

/** Orders the groups by their first lines. */
export function foldGroups(lines: readonly string[], options: GroupOptions): string {
  let text = "";
  for (const level of LEVELS) {
    text = fold(lines, options, level);
    if (text.length <= options.maxChars) break;
  }
  return text;
}

function fold(lines: readonly string[], options: GroupOptions, level: Level): string {
  const { keyOf, what, isMinor = (): boolean => false } = options;
  const groups = new Map<string, Group>();
  for (const [index, line] of lines.entries()) {
    const key = keyOf(index, level.depth);
    // A line without a group gets a unique name. Other names never begin with a line break.
    const name = key ?? `${NEWLINE}${index}`;
    let group = groups.get(name);
    if (group === undefined) {
      group = { key: key ?? "", shown: [], left: 0, first: -1, last: -1 };
      groups.set(name, group);
    }
    const isShown = level.withMinor || key === null || !isMinor(index);
    if (isShown && group.shown.length < level.shown) {
      group.shown.push(key === null ? line : clipLine(line));
    } else {
      if (group.left++ === 0) group.first = index;
      group.last = index;
    }
  }
  return [...groups.values()].flatMap((group) => linesOf(group, lines, what))
    .join(NEWLINE);
}

/** Replaces the omitted lines with a mark. A single line is shown instead unless its mark is shorter. */
function linesOf(group: Group, lines: readonly string[], what: string): string[] {
  const { key, shown, left, first, last } = group;
  if (left === 0) return shown;
  const isTogether = last - first + 1 === left;
  const range = first === last ? `line ${first + 1}` : `lines ${first + 1}-${last + 1}`;
  const place = `${key === "" ? "" : ` in ${key}`}${isTogether ? `, ${range}` : ""}`;
  const mark = moreMark(left, what, place);
  const only = left === 1 ? clipLine(lines[first] ?? "") : null;
  return [...shown, only !== null && only.length <= mark.length ? only : mark];
}

export function cutPath(path: string, depth: number): string {
  let at = path.startsWith("/") ? 0 : -1;
  for (let folders = 0; folders < depth; folders++) {
    const next = path.indexOf("/", at + 1);
    if (next < 0) return path;
    at = next;
  }
  return path.slice(0, at + 1);
}
