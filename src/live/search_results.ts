/** Shapes search results: keeps the first matches of each file and counts the rest. */

import { clipLine, moreMark } from "./marks.ts";

/** Matches `path:12:text`, as grep and ripgrep print it. */
const NUMBERED = /^((?:[A-Za-z]:[\\/])?[^:\n]{1,500}?):\d+:/;

/** Matches the number in a context line, `path-12-text`. A path can also contain such a number. */
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

export function shapeSearchResults(text: string, maxChars: number): string {
  const lines = text.split("\n");
  const files = filesOf(lines);
  if (files === null) return text;
  const hasContextLines = lines.some((line, index) =>
    files[index] !== null && line !== "" && !isMatch(line)
  );
  const noun = hasContextLines ? "more lines" : "more matches";
  // Each line without a file is a group of its own. File names never begin with a line break.
  const groups = [...Map.groupBy(lines.entries(), ([index]) => files[index] ?? `\n${index}`)];
  let shaped = "";
  for (const maxShown of SHOWN_COUNTS) {
    shaped = groups.flatMap(([file, group]) => shapeGroup(group, { file, maxShown, noun })).join(
      "\n",
    );
    if (shaped.length <= maxChars) break;
  }
  return shaped;
}

/** A mark replaces omitted lines, but not a single line that is shorter. */
function shapeGroup(
  group: readonly (readonly [index: number, line: string])[],
  { file, maxShown, noun }: { file: string; maxShown: number; noun: string },
): string[] {
  if (file.startsWith("\n")) return group.map(([, line]) => line);
  const matches = maxShown === MAX_SHOWN ? group : group.filter(([, line]) => isMatch(line));
  const shown = matches.slice(0, maxShown);
  const texts = shown.map(([, line]) => clipLine(line));
  const omitted = group.filter((item) => !shown.includes(item));
  const [[first, only] = [0, ""]] = omitted;
  const [last] = omitted.at(-1) ?? [-1];
  if (last < 0) return texts;
  const range = first === last ? `, line ${first + 1}` : `, lines ${first + 1}-${last + 1}`;
  const isContiguous = last - first + 1 === omitted.length;
  const place = `${file === NO_FILE ? "" : ` in ${file}`}${isContiguous ? range : ""}`;
  const mark = moreMark(omitted.length, noun, place);
  const line = clipLine(only);
  return [...texts, omitted.length === 1 && line.length <= mark.length ? line : mark];
}

function isMatch(line: string): boolean {
  return NUMBERED.test(line) || /^\d+:/.test(line);
}

function filesOf(lines: readonly string[]): Files | null {
  const filled = lines.filter((line) => line.trim() !== "" && line !== SEPARATOR);
  if (filled.length < MIN_MATCHES) return null;
  const diagnostics = filled.filter((line) => DIAGNOSTIC.test(line)).length;
  if (diagnostics > filled.length * (1 - MIN_MATCH_SHARE)) return null;
  const oneFile = lines.map((line) => ONE_FILE.test(line) || line === SEPARATOR ? NO_FILE : null);
  for (const files of [readNumbered(lines), oneFile]) {
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

/** The path in a context line can be longer, because Claude Code shortens only those of matches. */
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
