/**
 * Digests a cut result: keeps its start and end, errors, definitions and passages about the current work, and
 * lists its other names. Later calls use names, so a model that sees the names can ask for the lines that
 * contain them.
 */

import { isPassingLine } from "./error_lines.ts";
import { eachName } from "./names.ts";
import type { DigestSizes } from "./need.ts";
import { troubleIn } from "./trouble.ts";

interface DigestOptions {
  readonly sizes: DigestSizes;
  /** Longest last line that is kept, in characters. @default {0} */
  readonly tailChars?: number;
  /** Characters of error lines that are kept. @default {0} */
  readonly troubleChars?: number;
  /** Matches lines that are kept whatever their length. */
  readonly always?: RegExp | undefined;
  /** Names listed earlier, which are omitted. Newly listed names are added. */
  readonly listed: Set<string>;
  /** Names whose surrounding lines are kept, each with its share of `nearLines`. */
  readonly wanted?: ReadonlyMap<string, number> | undefined;
  /** Maximum number of lines kept before and after a wanted name. @default {0} */
  readonly nearLines?: number;
  readonly onWanted?: (() => void) | undefined;
}

/**
 * Matches a definition, such as `export function f`, with or without the line number that Read writes before
 * it.
 */
const DEFINITION =
  /^\s*(?:\d+(?:→|\t)\s*)?(?:(?:export|default|declare|public|private|protected|static|async|abstract|pub(?:\(\w+\))?|final|override|readonly|unsafe|inline)\s+)*(?:function\*?|class|interface|type|enum|const|let|var|def|fn|struct|trait|impl|func|module|namespace|macro_rules!)\s+[A-Za-z_$]/;

const MIN_DEFINITION_LINE = 8;

const MAX_DEFINITION_LINE = 200;

/** A longer name is data, such as a key or a hash. */
const MAX_NAME_CHARS = 64;

export const GAP = "…";

export const NAMES_LEAD = "Names: ";

/** Used as the line number of a name in the cut part of the first line. */
const LINE_IN_CUT_PART = -1;

interface FoundName {
  readonly name: string;
  /** Counted from 0, or {@linkcode LINE_IN_CUT_PART}. */
  readonly line: number;
}

/** Start positions of a text's lines. `isKept` is 1 for a line that is kept. */
interface Lines {
  readonly starts: readonly number[];
  readonly isKept: Uint8Array;
}

/** Returns the kept lines in order, with `…` for gaps, and a list of the other names. */
export function digestOf(text: string, options: DigestOptions): string {
  const { sizes, always, tailChars = 0, troubleChars = 0 } = options;
  const starts = lineStarts(text);
  const lines: Lines = { starts, isKept: new Uint8Array(starts.length) };
  keepEnds(text, lines, sizes.head, tailChars);
  if (always !== undefined) {
    for (const [index, start] of starts.entries()) {
      if (always.test(text.slice(start, endOf(text, lines, index)))) lines.isKept[index] = 1;
    }
  }
  const used = keepErrorLines(text, lines, troubleChars);
  keepDefinitions(text, lines, sizes.definitions - used);
  const found = findNames(text, lines, options);
  // Names of passed tests in a test report are not listed.
  const names = troubleChars === 0
    ? found
    : found.filter(({ line }) => !isPassing(text, lines, line));
  const body = join(text, lines, sizes.head);
  const nameList = listNames(names.map(({ name }) => name), sizes.names, options.listed);
  return nameList === "" ? body : `${body}\n${NAMES_LEAD}${nameList}`;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let newline = text.indexOf("\n"); newline >= 0; newline = text.indexOf("\n", newline + 1)) {
    starts.push(newline + 1);
  }
  return starts;
}

function endOf(text: string, { starts }: Lines, index: number): number {
  const next = starts[index + 1];
  return next === undefined ? text.length : next - 1;
}

/** Keeps the first line, or its start, and the last line if it is short. */
function keepEnds(text: string, lines: Lines, headChars: number, tailChars: number): void {
  const { starts, isKept } = lines;
  isKept[0] = 1;
  for (let index = 1; index < starts.length && endOf(text, lines, index) <= headChars; index++) {
    isKept[index] = 1;
  }
  let last = starts.length - 1;
  while (last > 0 && endOf(text, lines, last) === starts[last]) last--;
  if (endOf(text, lines, last) - (starts[last] ?? 0) <= tailChars) isKept[last] = 1;
}

/** Keeps error lines, the most informative first. Returns their length in characters. */
function keepErrorLines(text: string, lines: Lines, maxChars: number): number {
  const { starts, isKept } = lines;
  let remaining = maxChars;
  for (const { start, end } of maxChars === 0 ? [] : troubleIn(text)) {
    const index = indexOfStart(starts, start);
    if (isKept[index] === 1 || end - start > remaining) continue;
    isKept[index] = 1;
    remaining -= end - start;
  }
  return maxChars - remaining;
}

function indexOfStart(starts: readonly number[], start: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= start) low = middle;
    else high = middle - 1;
  }
  return low;
}

function isPassing(text: string, lines: Lines, line: number): boolean {
  return line >= 0 && isPassingLine(text.slice(lines.starts[line], endOf(text, lines, line)));
}

function keepDefinitions(text: string, lines: Lines, maxChars: number): void {
  const { starts, isKept } = lines;
  let remaining = maxChars;
  for (const [index, start] of starts.entries()) {
    if (remaining < MIN_DEFINITION_LINE) return;
    const chars = endOf(text, lines, index) - start;
    if (isKept[index] === 1 || chars < MIN_DEFINITION_LINE) continue;
    if (chars > remaining || chars > MAX_DEFINITION_LINE) continue;
    if (!DEFINITION.test(text.slice(start, start + chars))) continue;
    isKept[index] = 1;
    remaining -= chars;
  }
}

/** Keeps passages about wanted names, and collects the names on the other lines. */
function findNames(text: string, lines: Lines, options: DigestOptions): FoundName[] {
  const { wanted, nearLines = 0, listed } = options;
  const { starts, isKept } = lines;
  const headEnd = headOf(text, lines, options.sizes.head).length;
  const found = new Map<string, number>();
  let line = 0;
  eachName(text, (name, start) => {
    const share = wanted?.get(name);
    const isNew = !found.has(name) && !listed.has(name);
    if (share === undefined && !isNew) return;
    while (start >= (starts[line + 1] ?? Infinity)) line++;
    if (share !== undefined) {
      const radius = Math.round(share * nearLines);
      isKept.fill(1, Math.max(0, line - radius), line + radius + 1);
      options.onWanted?.();
    }
    if (isNew) {
      found.set(name, line === 0 && start + name.length > headEnd ? LINE_IN_CUT_PART : line);
    }
  });
  return [...found].flatMap(([name, index]) => isKept[index] === 1 ? [] : [{ name, line: index }]);
}

function join(text: string, lines: Lines, headChars: number): string {
  const { starts, isKept } = lines;
  const parts: string[] = [];
  let isGap = false;
  for (const [index, start] of starts.entries()) {
    if (isKept[index] !== 1) {
      isGap = true;
      continue;
    }
    if (isGap) parts.push(GAP);
    const end = endOf(text, lines, index);
    const shown = index === 0 ? headOf(text, lines, headChars) : text.slice(start, end);
    isGap = shown.length < end - start;
    parts.push(shown);
  }
  if (isGap) parts.push(GAP);
  return parts.join("\n");
}

/** Returns the first line or, if it is too long, its start up to the end of a word. */
function headOf(text: string, lines: Lines, maxChars: number): string {
  const end = endOf(text, lines, 0);
  if (end <= Math.max(maxChars, MAX_DEFINITION_LINE)) return text.slice(0, end);
  return text.slice(0, maxChars).replace(/[\w$]*[\ud800-\udbff]?$/, "");
}

function listNames(names: readonly string[], maxChars: number, listed: Set<string>): string {
  const parts: string[] = [];
  let remaining = maxChars;
  for (const name of names) {
    if (name.length > MAX_NAME_CHARS || name.length + 2 > remaining) continue;
    parts.push(name);
    listed.add(name);
    remaining -= name.length + 2;
  }
  return parts.join(", ");
}
