/** Shapes search results: keeps the first matches of each file and counts the others. */

import { cutPath, foldGroups } from "./groups.ts";
import { NEWLINE } from "./marks.ts";
import { selectLines } from "./select_lines.ts";

/** Matches `path:12:text`, as grep and ripgrep print it. */
const NUMBERED = /^((?:[A-Za-z]:[\\/])?[^:\n]{1,500}?):\d+:/;

/**
 * Matches the number in `path-12-text`, the format of a line near a match. A path can also contain such a
 * number.
 */
const CONTEXT_NUMBER = /-\d+-/g;

const MAX_PATH = 500;
const MAX_TRIES = 8;

/** Matches `12:text` or `12-text`, from a search of a single file. */
const ONE_FILE = /^\d+[:-]/;

/** Matches `path:text`, without numbers. */
const BARE = /^((?:[A-Za-z]:[\\/])?[^:\s]{1,500}):(?!\/\/)/;

/** Matches a compiler's message, such as `path:12:5: words`, which is not a match. */
const DIAGNOSTIC = /^[^:\n]{1,500}:\d+:\d+: |^[^\n(]{1,500}\(\d+,\d+\): /;

const MIN_MATCH_SHARE = 0.9;

const MIN_MATCHES = 12;

/** Lines that are farther from a match are dropped. */
const MAX_DISTANCE = 40;

/** Printed by grep between groups of lines. */
const SEPARATOR = "--";

const NO_FILE = "";

export function shapeSearchResults(text: string, maxChars: number): string {
  const lines = text.split(NEWLINE);
  const files = filesOf(lines);
  if (files === null) return text;
  const keyOf = (index: number, depth: number): string | null => {
    const file = files[index] ?? null;
    return file === null ? null : cutPath(file, depth);
  };
  const around = shapeAround(lines, files, maxChars);
  if (around !== null) return around;
  const isMinor = (index: number): boolean => !isMatch(lines[index] ?? "");
  const what = lines.some((line) => line !== "" && !isMatch(line)) ? "more lines" : "more matches";
  return foldGroups(lines, { keyOf, what, isMinor, maxChars });
}

/**
 * Keeps all matches and the nearest lines around them. Returns null if there are no lines around matches, or
 * if the matches alone do not fit.
 */
function shapeAround(
  lines: readonly string[],
  files: readonly (string | null)[],
  maxChars: number,
): string | null {
  const isContextLine = (index: number): boolean =>
    files[index] !== null && !isMatch(lines[index] ?? "");
  const must = [...lines.keys()].filter((index) => !isContextLine(index));
  if (must.length === lines.length) return null;
  const shaped = selectLines({ lines, must, order: nearest(must, lines.length), maxChars });
  return shaped.length <= maxChars ? shaped : null;
}

function* nearest(indices: readonly number[], count: number): Generator<number> {
  for (let distance = 1; distance <= MAX_DISTANCE; distance++) {
    for (const index of indices) {
      if (index + distance < count) yield index + distance;
      if (index >= distance) yield index - distance;
    }
  }
}

function isMatch(line: string): boolean {
  return NUMBERED.test(line) || BARE.test(line) || /^\d+:/.test(line);
}

/**
 * Returns the file of each line, or null for a line without a file. Returns null if too few lines are
 * matches.
 */
function filesOf(lines: readonly string[]): (string | null)[] | null {
  const filled = lines.filter((line) => line.trim() !== "" && line !== SEPARATOR);
  if (filled.length < MIN_MATCHES) return null;
  const diagnostics = filled.filter((line) => DIAGNOSTIC.test(line)).length;
  if (diagnostics > filled.length * (1 - MIN_MATCH_SHARE)) return null;
  for (const read of [readNumbered, readOneFile, readBare]) {
    const files = read(lines);
    const known = files.filter((file, index) =>
      file !== null && lines[index] !== SEPARATOR && lines[index]?.trim() !== ""
    );
    if (known.length >= filled.length * MIN_MATCH_SHARE) return files;
  }
  return null;
}

/** Reads numbered lines. A line around a match belongs to the file of a nearby match. */
function readNumbered(lines: readonly string[]): (string | null)[] {
  const known = new Set(lines.flatMap((line) => NUMBERED.exec(line)?.[1] ?? []));
  const found = new Map<string, string | null>();
  let newest: string | null = null;
  return lines.map((line) => {
    if (line === SEPARATOR) return newest;
    const file = NUMBERED.exec(line)?.[1] ?? fileAround(line, known, found);
    if (file !== null) newest = file;
    return file;
  });
}

/**
 * Finds the file of a line around a match. Claude Code shortens only the paths of matches, so this path can
 * be longer.
 */
function fileAround(
  line: string,
  known: ReadonlySet<string>,
  found: Map<string, string | null>,
): string | null {
  for (const { index } of line.slice(0, MAX_PATH).matchAll(CONTEXT_NUMBER).take(MAX_TRIES)) {
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

function readOneFile(lines: readonly string[]): (string | null)[] {
  return lines.map((line) => ONE_FILE.test(line) || line === SEPARATOR ? NO_FILE : null);
}

/** Reads lines without numbers. A prefix counts as a file only if it repeats and looks like a path. */
function readBare(lines: readonly string[]): (string | null)[] {
  const counts = new Map<string, number>();
  const files = lines.map((line) => BARE.exec(line)?.[1] ?? null);
  for (const file of files) if (file !== null) counts.set(file, (counts.get(file) ?? 0) + 1);
  const matches = files.filter((file) => file !== null).length;
  const isSearch = counts.size <= matches / 2 &&
    [...counts.keys()].every((file) => /[/.]/.test(file));
  return isSearch ? files : lines.map(() => null);
}
