/**
 * Digests a cut result: keeps its start and end, errors, definitions and passages about the current work, and
 * lists its other names, so that the model can ask for the lines that contain them.
 */

import { errorLinesIn, isPassingLine, type TextLine } from "./error_lines.ts";
import { eachName } from "./names.ts";
import type { DigestSizes } from "./need.ts";

export interface DigestOptions {
  readonly sizes: DigestSizes;
  readonly maxLastLineChars?: number;
  readonly errorChars?: number;
  readonly always?: RegExp | undefined;
  /** Names listed earlier, which are omitted. Newly listed names are added. */
  readonly listed: Set<string>;
  /** Names whose surrounding lines are kept, each with a factor for `nearLines`, above 0 and at most 1. */
  readonly wanted?: ReadonlyMap<string, number> | undefined;
  readonly nearLines?: number;
  readonly onWanted?: () => void;
}

/** Matches a definition, with or without the line number that Read writes before it. */
const DEFINITION =
  /^\s*(?:\d+(?:→|\t)\s*)?(?:(?:export|default|declare|public|private|protected|static|async|abstract|pub(?:\(\w+\))?|final|override|readonly|unsafe|inline)\s+)*(?:function\*?|class|interface|type|enum|const|let|var|def|fn|struct|trait|impl|func|module|namespace|macro_rules!)\s+[A-Za-z_$]/;

const MIN_DEFINITION_CHARS = 8;

const MAX_DEFINITION_CHARS = 200;

/** A longer name is data, such as a key or a hash. */
const MAX_NAME_CHARS = 64;

export const GAP = "…";

export const NAMES_LEAD = "Names: ";

interface Line extends TextLine {
  isKept: boolean;
}

/** Returns the kept lines in order, with `…` for gaps, and a list of names from the other lines. */
export function digestOf(text: string, options: DigestOptions): string {
  const { sizes, always, maxLastLineChars = 0, errorChars = 0 } = options;
  const lines = linesOf(text);
  const head = headOf(lines[0]?.text ?? "", sizes.head);
  keepEnds(lines, sizes.head, maxLastLineChars);
  if (always !== undefined) {
    for (const line of lines) line.isKept ||= always.test(line.text);
  }
  const used = keepErrorLines(text, lines, errorChars);
  keepDefinitions(lines, sizes.definitions - used);
  const found = findNames(text, lines, head.length, options);
  const names = [...found].flatMap(([name, line]) => {
    // Skips names in kept lines. If error lines are kept, names in lines of passed tests are skipped, too.
    const isListed = line === undefined ||
      !(line.isKept || (errorChars > 0 && isPassingLine(line.text)));
    return isListed ? [name] : [];
  });
  const body = joinKept(lines, head);
  const nameList = listNames(names, sizes.names, options.listed);
  return nameList === "" ? body : `${body}\n${NAMES_LEAD}${nameList}`;
}

export function linesOf(text: string): Line[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const end = start + line.length;
    const found = { start, end, text: line, isKept: false };
    start = end + 1;
    return found;
  });
}

function headOf(line: string, maxChars: number): string {
  if (line.length <= Math.max(maxChars, MAX_DEFINITION_CHARS)) return line;
  return line.slice(0, maxChars).replace(/[\w$]*[\ud800-\udbff]?$/, "");
}

function keepEnds(lines: readonly Line[], headChars: number, maxLastLineChars: number): void {
  for (const [index, line] of lines.entries()) {
    if (index > 0 && line.end > headChars) break;
    line.isKept = true;
  }
  const last = lines.findLast(({ text }) => text !== "") ?? lines[0];
  if (last !== undefined && last.text.length <= maxLastLineChars) last.isKept = true;
}

function keepErrorLines(text: string, lines: readonly Line[], maxChars: number): number {
  let remaining = maxChars;
  for (const line of maxChars === 0 ? [] : errorLinesIn(text, lines)) {
    if (line.isKept || line.text.length > remaining) continue;
    line.isKept = true;
    remaining -= line.text.length;
  }
  return maxChars - remaining;
}

function keepDefinitions(lines: readonly Line[], maxChars: number): void {
  let remaining = maxChars;
  for (const line of lines) {
    const { length } = line.text;
    if (line.isKept || length < MIN_DEFINITION_CHARS) continue;
    if (length > remaining || length > MAX_DEFINITION_CHARS) continue;
    if (!DEFINITION.test(line.text)) continue;
    line.isKept = true;
    remaining -= length;
  }
}

/** Keeps the passages around wanted names. Returns each new name with the line where it first occurs. */
function findNames(
  text: string,
  lines: readonly Line[],
  headChars: number,
  { wanted, nearLines = 0, listed, onWanted }: DigestOptions,
): Map<string, Line | undefined> {
  const found = new Map<string, Line | undefined>();
  let index = 0;
  eachName(text, (name, start) => {
    const factor = wanted?.get(name);
    const isNew = !found.has(name) && !listed.has(name);
    if (factor === undefined && !isNew) return;
    while (start > (lines[index]?.end ?? Infinity)) index++;
    if (factor !== undefined) {
      const radius = Math.round(factor * nearLines);
      const passage = lines.slice(Math.max(0, index - radius), index + radius + 1);
      for (const line of passage) line.isKept = true;
      onWanted?.();
    }
    if (!isNew) return;
    const isInCutPart = index === 0 && start + name.length > headChars;
    found.set(name, isInCutPart ? undefined : lines[index]);
  });
  return found;
}

function joinKept(lines: readonly Line[], head: string): string {
  const parts: string[] = [];
  let isGap = false;
  for (const [index, { isKept, text }] of lines.entries()) {
    if (isKept) {
      if (isGap) parts.push(GAP);
      parts.push(index === 0 ? head : text);
    }
    isGap = !isKept || (index === 0 && head !== text);
  }
  if (isGap) parts.push(GAP);
  return parts.join("\n");
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
