/** Decodes escapes, and removes what can separate a credential from its name. */

import { CONTROLS, TERMINAL_SEQUENCES, UNSEEN } from "../core/unseen.ts";

/** A replacement. Offsets are in UTF-16 code units. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Reading {
  readonly text: string;
  /** Converts edits of `text` to edits of the source. */
  toSourceEdits(edits: readonly Edit[]): readonly Edit[];
}

/** Escapes of characters in markup, code and JSON, including nested JSON. */
const ESCAPES =
  /&(?:quot|apos|amp|lt|gt|nbsp|#\d{1,4}|#x[\da-f]{1,4});|(?<!\\)\\{1,16}(?:[nrt"'`/]|u[\da-f]{4}|x1b|033|e(?=\[))/gi;

const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: " ",
  n: "\n",
  r: "\r",
  t: "\t",
  x1b: "\x1b",
  "033": "\x1b",
  e: "\x1b",
};

/** Matches prefixes of search results, listings, diffs, quotations and logs, such as `a.ts:12:`. */
const LINE_STARTS =
  /^(?=.)(?:(?![+>-])(?:[A-Za-z]:)?[^\s:]{1,200}[:-]\d{1,7}[:-](?:\d{1,5}:)?)?(?: {0,8}\d{1,7}(?:→|\t|[:|│-] ?))?(?:\+(?!\+)|-(?!-)|(?:> ?){1,8})?(?:[\w.-]{1,60} {1,30}\| )?/gm;

export function readEscapes(text: string): Reading | undefined {
  return applySteps(text, [
    [ESCAPES, decodeEscape],
    [TERMINAL_SEQUENCES, remove],
    [CONTROLS, remove],
    [UNSEEN, remove],
  ]);
}

export function readLines(text: string): Reading | undefined {
  return applySteps(text, [[LINE_STARTS, remove]]);
}

type Step = readonly [pattern: RegExp, read: (found: string) => string];

function applySteps(text: string, steps: readonly Step[]): Reading | undefined {
  const all: (readonly Part[])[] = [];
  let read = text;
  for (const step of steps) {
    const { decoded, parts } = applyStep(read, step);
    read = decoded;
    if (parts.length > 1) all.unshift(parts);
  }
  if (all.length === 0) return undefined;
  return {
    text: read,
    toSourceEdits: (edits) => edits.map((edit) => all.reduce(toSourceEdit, edit)),
  };
}

function remove(): string {
  return "";
}

function decodeEscape(found: string): string {
  const name = found.replaceAll(/^(?:&#?|\\+)|;$/g, "").toLowerCase();
  const named = NAMED_ESCAPES[name];
  if (named !== undefined) return named;
  if (!/^[ux]?[\da-f]{2,4}$/.test(name)) return name;
  const isDecimal = /^\d+$/.test(name);
  return String.fromCharCode(parseInt(name.replace(/^[ux]/, ""), isDecimal ? 10 : 16));
}

/** The offsets of a part in both texts; a decoded escape also has its `end` in the source. */
interface Part {
  readonly decoded: number;
  readonly source: number;
  readonly end?: number;
}

function applyStep(text: string, [pattern, replace]: Step): { decoded: string; parts: Part[] } {
  const parts: Part[] = [{ decoded: 0, source: 0 }];
  let decoded = "";
  let from = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (found === "") continue;
    const replacement = replace(found);
    decoded += text.slice(from, index);
    from = index + found.length;
    if (replacement !== "") parts.push({ decoded: decoded.length, source: index, end: from });
    decoded += replacement;
    parts.push({ decoded: decoded.length, source: from });
  }
  return { decoded: decoded + text.slice(from), parts };
}

function toSourceEdit(edit: Edit, parts: readonly Part[]): Edit {
  const [first, last] = [partAt(parts, edit.start), partAt(parts, edit.end - 1)];
  return {
    start: first.source + (first.end === undefined ? edit.start - first.decoded : 0),
    end: last.end ?? last.source + edit.end - last.decoded,
    text: edit.text,
  };
}

function partAt(parts: readonly Part[], offset: number): Part {
  let [low, high] = [0, parts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((parts[middle]?.decoded ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return parts[low] ?? { decoded: 0, source: 0 };
}

/** Applies replacements, which must be in order and must not overlap. */
export function replaceIn(text: string, edits: readonly Edit[]): string {
  let result = "";
  let from = 0;
  for (const edit of edits) {
    result += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return from === 0 ? text : result + text.slice(from);
}

/** Adds the later replacements that do not overlap an earlier one. Both lists are in order. */
export function addEdits(earlier: readonly Edit[], later: readonly Edit[]): readonly Edit[] {
  if (earlier.length === 0) return later;
  let next = 0;
  const free = later.filter(({ start, end }) => {
    while ((earlier[next]?.end ?? Infinity) <= start) next++;
    return (earlier[next]?.start ?? Infinity) >= end;
  });
  return free.length === 0 ? earlier : [...earlier, ...free].sort((a, b) => a.start - b.start);
}
