/**
 * Cuts sessions in two, and finds the items of the earlier part (`past`) that the later part (`future`) uses.
 * The regret bench looks for them in a trimmed copy.
 */

import { namesIn } from "../src/core/names.ts";
import { linesIn, spread } from "./sessions.ts";

/** Minimum length of a compared line; shorter lines are too common. */
const MIN_LINE_CHARS = 20;

/** Minimum number of results between two compactions. */
const MIN_RESULTS = 20;

/** Positions of the cut, as shares of the results between two compactions. */
const SHARES = [0.5, 0.7, 0.85] as const;

/** Matches a line that defines a name, such as `export function parse(`. */
const DEFINITION =
  /^(?:(?:export|default|declare|public|private|protected|static|async|abstract|pub|final|override|readonly|unsafe|inline)\s+)*(?:function\*?|class|interface|type|enum|const|let|var|def|fn|struct|trait|func|module|namespace)\s+([A-Za-z_$][\w$]*)/;

/** Matches the line number that a read puts before each line of a file. */
const LINE_NUMBER = /^\s*\d+(?:→|\t)/;

/** A piece of text, the arguments of a call, or a result. */
export interface Item {
  /** 0-based index of the item's line in the file. */
  readonly line: number;
  readonly kind: "text" | "use" | "result";
  readonly role: "user" | "assistant";
  /** For a call, all strings in its arguments. */
  readonly text: string;
  readonly id?: string;
  readonly toolName?: string;
  readonly input?: Record<string, unknown>;
  readonly isError?: boolean;
}

interface Shown {
  /** Lines without surrounding whitespace and line numbers. */
  readonly lines: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

export interface Point {
  readonly file: string;
  readonly lineCount: number;
  readonly past: readonly Item[];
  /** The rest of the session, up to the next compaction. */
  readonly future: readonly Item[];
  readonly chars: number;
  /** Earlier lines that later edits quote. */
  readonly quotes: ReadonlySet<string>;
  /** Earlier names that later calls use. */
  readonly names: ReadonlySet<string>;
  /** Lines of results that define those names. */
  readonly definitions: ReadonlySet<string>;
}

const shownTexts = new WeakMap<Item, Shown>();

export function shownBy(item: Item): Shown {
  const known = shownTexts.get(item);
  if (known !== undefined) return known;
  const shown = { lines: new Set(linesOf(item.text)), names: namesIn(item.text) };
  shownTexts.set(item, shown);
  return shown;
}

export function linesOf(text: string): string[] {
  return text.split("\n").map((line) => line.replace(LINE_NUMBER, "").trim())
    .filter((line) => line.length >= MIN_LINE_CHARS);
}

/** Lists every run of `size` words, in lower case. A shorter text is a single run. */
export function gramsOf(text: string, size: number): Set<string> {
  const words = text.toLowerCase().match(/[a-z0-9_]+/g) ?? [];
  const count = Math.max(words.length === 0 ? 0 : 1, words.length - size + 1);
  return new Set(
    Array.from({ length: count }, (_, index) => words.slice(index, index + size).join(" ")),
  );
}

export function segmentsOf(lines: readonly string[]): Item[][] {
  let now: Item[] = [];
  const all = [now];
  const seen = new Set<string>();
  for (const [number, line] of lines.entries()) {
    const entry = parse(line);
    if (entry === undefined || entry.isSidechain) continue;
    if (entry.uuid !== undefined && seen.has(entry.uuid)) continue;
    if (entry.uuid !== undefined) seen.add(entry.uuid);
    if (entry.type === "system" && entry.subtype === "compact_boundary") {
      now = [];
      all.push(now);
    }
    if (entry.type === "user" || entry.type === "assistant") {
      now.push(...itemsOf(entry.message?.content, number, entry.type));
    }
  }
  return all;
}

export function activeItemsOf(copy: readonly string[]): Item[] {
  return segmentsOf(copy).findLast((items) => items.length > 0) ?? [];
}

type Moment = Pick<Point, "past" | "future" | "chars">;

export function momentsOf(lines: readonly string[]): Moment[] {
  return segmentsOf(lines).flatMap((items) => {
    const results = items.flatMap((item, index) => item.kind === "result" ? [index] : []);
    if (results.length < MIN_RESULTS) return [];
    return SHARES.map((share) => {
      const last = results[Math.floor(results.length * share)] ?? 0;
      const past = items.slice(0, last + 1);
      return { past, future: items.slice(last + 1), chars: charsOf(past) };
    });
  });
}

function charsOf(items: readonly Item[]): number {
  return items.reduce((sum, { text }) => sum + text.length, 0);
}

export function pointsOf(
  files: readonly string[],
  { limit = Infinity, minChars = 0 }: { readonly limit?: number; readonly minChars?: number } = {},
): Point[] {
  const moments = files.flatMap((file) =>
    momentsOf(linesIn(file)).filter(({ chars }) => chars >= minChars)
      .map((moment) => ({ file, ...moment }))
  );
  return spread(moments, limit).map(({ file, past, future }) => pointAt(file, past, future));
}

export function pointAt(file: string, past: readonly Item[], future: readonly Item[]): Point {
  const lines = union(past.map((item) => shownBy(item).lines));
  const names = union(past.map((item) => shownBy(item).names));
  const shown: { lines: Set<string>; names: Set<string> } = { lines: new Set(), names: new Set() };
  const quotes = new Set<string>();
  const used = new Set<string>();
  for (const item of future) {
    const shownByItem = shownBy(item);
    if (item.kind === "use") {
      for (const line of oldStrings(item.input ?? {}).flatMap(linesOf)) {
        if (lines.has(line) && !shown.lines.has(line)) quotes.add(line);
      }
      for (const name of shownByItem.names) {
        if (names.has(name) && !shown.names.has(name)) used.add(name);
      }
    }
    for (const line of shownByItem.lines) shown.lines.add(line);
    for (const name of shownByItem.names) shown.names.add(name);
  }
  return {
    file,
    lineCount: (past.at(-1)?.line ?? 0) + 1,
    past,
    future,
    chars: charsOf(past),
    quotes,
    names: used,
    definitions: definitionsOf(past, used),
  };
}

function definitionsOf(past: readonly Item[], names: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const item of past) {
    if (item.kind !== "result") continue;
    for (const line of shownBy(item).lines) {
      const name = DEFINITION.exec(line)?.[1];
      if (name !== undefined && names.has(name)) found.add(line);
    }
  }
  return found;
}

export function union(sets: readonly ReadonlySet<string>[]): Set<string> {
  return new Set(sets.flatMap((set) => [...set]));
}

// deno-lint-ignore no-explicit-any
export function parse(line: string): any {
  try {
    return JSON.parse(line) ?? undefined;
  } catch {
    return undefined;
  }
}

function itemsOf(content: unknown, line: number, role: Item["role"]): Item[] {
  if (typeof content === "string") return [{ line, kind: "text", role, text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block): Item[] => {
    if (block?.type === "text") return [{ line, kind: "text", role, text: block.text ?? "" }];
    if (block?.type === "tool_use") {
      const input = block.input ?? {};
      const text = stringsOf(input).join("\n");
      return [{ line, kind: "use", role, text, id: block.id, toolName: block.name, input }];
    }
    if (block?.type !== "tool_result") return [];
    const { tool_use_id: id, is_error: isError = false } = block;
    return [{ line, kind: "result", role, text: bodyOf(block.content), id, isError }];
  });
}

function bodyOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((block) => block?.text ?? "").join("\n") : "";
}

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}

export function oldStrings(input: Record<string, unknown>): string[] {
  const edits = Array.isArray(input.edits) ? input.edits : [];
  return [input.old_string, ...edits.map((edit) => edit?.old_string)]
    .filter((text) => typeof text === "string");
}

/** Characters before and after a trim, and the number of lost items and of all items of each kind. */
export interface Sums {
  before: number;
  after: number;
  quotes: readonly [lost: number, all: number];
  names: readonly [lost: number, all: number];
  definitions: readonly [lost: number, all: number];
}

export function countLosses(point: Point, kept: readonly Item[]): Sums {
  const shown = kept.map(shownBy);
  const lines = union(shown.map(({ lines }) => lines));
  const names = union(shown.map(({ names }) => names));
  const count = (all: ReadonlySet<string>, left: ReadonlySet<string>): [number, number] => [
    all.difference(left).size,
    all.size,
  ];
  return {
    before: point.chars,
    after: Math.min(point.chars, charsOf(kept)),
    quotes: count(point.quotes, lines),
    names: count(point.names, names),
    definitions: count(point.definitions, lines),
  };
}
