/** Shapes search results: keeps the first matches of each file and counts the rest. */

import { clipLine } from "./clip_line.ts";
import { moreMark } from "./marks.ts";

/** Matches `path:12:text`, as grep and ripgrep print it. */
const NUMBERED = /^((?:[A-Za-z]:[\\/])?[^:\n]{1,500}?):\d+:/;

/**
 * Matches the number in `path-12-text`, the format of a context line, which is near a match. A path can also
 * contain such a number.
 */
const CONTEXT_NUMBER = /-\d+-/g;

const MAX_PATH_CHARS = 500;
const MAX_TRIES = 8;

/** Matches `12:text` or `12-text`, from a search of a single file. */
const ONE_FILE = /^\d+[:-]/;

/** Matches a compiler's message, such as `path:12:5: words`, which is not a search result. */
const DIAGNOSTIC = /^[^:\n]{1,500}:\d+:\d+: |^[^\n(]{1,500}\(\d+,\d+\): /;

const MIN_MATCH_SHARE = 0.9;

const MIN_MATCHES = 12;

/** Printed by grep between groups of lines. */
const SEPARATOR = "--";

const NO_FILE = "";

/** With this many lines per file, context lines are shown as well as matches. */
const MAX_SHOWN = 40;

/** Lines to show per file, tried in this order until the result fits. */
const SHOWN_COUNTS = [MAX_SHOWN, 12, 6, 3, 2, 1];

type Files = readonly (string | null)[];

interface Group {
  readonly file: string;
  readonly shown: string[];
  omittedCount: number;
  first: number;
  last: number;
}

export function shapeSearchResults(text: string, maxChars: number): string {
  const lines = text.split("\n");
  const files = filesOf(lines);
  if (files === null) return text;
  let shaped = "";
  for (const maxShown of SHOWN_COUNTS) {
    shaped = groupByFile(lines, files, maxShown);
    if (shaped.length <= maxChars) break;
  }
  return shaped;
}

function groupByFile(lines: readonly string[], files: Files, maxShown: number): string {
  const groups = new Map<string, Group>();
  for (const [index, line] of lines.entries()) {
    const file = files[index] ?? null;
    // Each line without a file is a group of its own. File names never begin with a line break.
    const name = file ?? `\n${index}`;
    let group = groups.get(name);
    if (group === undefined) {
      group = { file: file ?? NO_FILE, shown: [], omittedCount: 0, first: -1, last: -1 };
      groups.set(name, group);
    }
    const isShown = file === null || maxShown === MAX_SHOWN || isMatch(line);
    if (isShown && group.shown.length < maxShown) {
      group.shown.push(file === null ? line : clipLine(line));
    } else {
      if (group.omittedCount++ === 0) group.first = index;
      group.last = index;
    }
  }
  const hasContextLines = lines.some((line, index) =>
    files[index] !== null && line !== "" && !isMatch(line)
  );
  const noun = hasContextLines ? "more lines" : "more matches";
  return [...groups.values()].flatMap((group) => linesOf(group, lines, noun)).join("\n");
}

/**
 * Replaces the omitted lines with a mark. If only one line is omitted, shows the line itself unless the mark
 * is shorter.
 */
function linesOf(group: Group, lines: readonly string[], noun: string): string[] {
  const { file, shown, omittedCount, first, last } = group;
  if (omittedCount === 0) return shown;
  const isContiguous = last - first + 1 === omittedCount;
  const range = first === last ? `line ${first + 1}` : `lines ${first + 1}-${last + 1}`;
  const place = `${file === NO_FILE ? "" : ` in ${file}`}${isContiguous ? `, ${range}` : ""}`;
  const mark = moreMark(omittedCount, noun, place);
  const only = omittedCount === 1 ? clipLine(lines[first] ?? "") : null;
  return [...shown, only !== null && only.length <= mark.length ? only : mark];
}

function isMatch(line: string): boolean {
  return NUMBERED.test(line) || /^\d+:/.test(line);
}

function filesOf(lines: readonly string[]): Files | null {
  const filled = lines.filter((line) => line.trim() !== "" && line !== SEPARATOR);
  if (filled.length < MIN_MATCHES) return null;
  const diagnostics = filled.filter((line) => DIAGNOSTIC.test(line)).length;
  if (diagnostics > filled.length * (1 - MIN_MATCH_SHARE)) return null;
  for (const read of [readNumbered, readOneFile]) {
    const files = read(lines);
    const known = files.filter((file, index) =>
      file !== null && lines[index] !== SEPARATOR && lines[index]?.trim() !== ""
    );
    if (known.length >= filled.length * MIN_MATCH_SHARE) return files;
  }
  return null;
}

/** Finds the file of each line. A context line must be from the same file as one of the matches. */
function readNumbered(lines: readonly string[]): Files {
  const known = new Set(lines.flatMap((line) => NUMBERED.exec(line)?.[1] ?? []));
  const found = new Map<string, string | null>();
  let newest: string | null = null;
  return lines.map((line) => {
    if (line === SEPARATOR) return newest;
    const file = NUMBERED.exec(line)?.[1] ?? fileOfContextLine(line, known, found);
    if (file !== null) newest = file;
    return file;
  });
}

/**
 * Finds the file of a context line. Claude Code shortens only the paths of matches, so the path in a context
 * line can be longer.
 */
function fileOfContextLine(
  line: string,
  known: ReadonlySet<string>,
  found: Map<string, string | null>,
): string | null {
  for (const { index } of line.slice(0, MAX_PATH_CHARS).matchAll(CONTEXT_NUMBER).take(MAX_TRIES)) {
    const path = line.slice(0, index);
    let file = found.get(path);
    if (file === undefined) {
      file = known.has(path)
        ? path
        : known.values().find((one) => path.endsWith(`/${one}`)) ?? null;
      found.set(path, file);
    }
    if (file !== null) return file;
  }
  return null;
}

function readOneFile(lines: readonly string[]): Files {
  return lines.map((line) => ONE_FILE.test(line) || line === SEPARATOR ? NO_FILE : null);
}
