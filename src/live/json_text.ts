/** Shapes JSON: keeps the structure, and elides long lists and strings. */

import { clipMiddle } from "./clip_line.ts";
import { shapeLog } from "./logs.ts";
import { MARK_START, moreMark, NEWLINE } from "./marks.ts";

interface Level {
  readonly items: number;
  readonly fields: number;
  /** Longest string that is kept whole, in UTF-16 code units. */
  readonly chars: number;
  readonly depth: number;
}

/** These are tried in order until the result fits. */
const LEVELS: readonly Level[] = [
  { items: 30, fields: 60, chars: 1_000, depth: 20 },
  { items: 12, fields: 40, chars: 400, depth: 12 },
  { items: 6, fields: 40, chars: 240, depth: 8 },
  { items: 3, fields: 30, chars: 160, depth: 6 },
  { items: 2, fields: 30, chars: 120, depth: 5 },
  { items: 1, fields: 20, chars: 80, depth: 4 },
  { items: 1, fields: 12, chars: 60, depth: 3 },
];

/** In UTF-16 code units. Parsing a longer text would exceed a hook's time limit. */
const MAX_CHARS = 16_000_000;

const OUTCOME = /^(?:level|severity|status|state|outcome|conclusion|result)$/i;
const BAD_OUTCOME = /^(?:err(?:or)?|fatal|critical|panic|fail\w*|broken|timed_out)$/i;

/** Matches the names of fields that are present, or not empty, only after an error. */
const TROUBLE = /^(?:errors?|exceptions?|traceback|stack(?:_?trace)?|stderr|failures?|panic)$/i;

/** Most error items that are kept of a list. If there are more, the last ones are kept. */
const MAX_TROUBLE = 40;

/** Start of the name of a field that replaces omitted fields. No name in the input should begin with it. */
const FIELD_MARK = MARK_START.trim();

const MAX_TROUBLE_CHARS = 2_000;

export function shapeJson(text: string, maxChars: number): string {
  if (text.length > MAX_CHARS) return text;
  const value = parse(text);
  if (value === undefined) return shapeJsonLines(text, maxChars);
  let shaped = text;
  for (const level of LEVELS) {
    shaped = JSON.stringify(elide(value, level, 0), null, 1);
    if (shaped.length <= maxChars) break;
  }
  return shaped;
}

/** Shapes JSON Lines as a list of items. */
function shapeJsonLines(text: string, maxChars: number): string {
  const lines = text.split(NEWLINE).filter((line) => line.trim() !== "");
  if (lines.length < 2 || !/^\s*[{[]/.test(lines[0] ?? "")) return text;
  const values = lines.map(parse);
  if (values.includes(undefined)) return text;
  let shaped = text;
  for (const level of LEVELS) {
    // A line is shorter than an item of a list, so more lines are kept.
    const shown = level.items * 3;
    shaped = elideItems(values, level, 0, shown).map((value) =>
      typeof value === "string" && value.startsWith(MARK_START) ? value : JSON.stringify(value)
    ).join(NEWLINE);
    if (shaped.length <= maxChars) break;
  }
  return shaped;
}

function elide(value: unknown, level: Level, depth: number): unknown {
  if (typeof value === "string") return elideText(value, level.chars);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    if (depth >= level.depth && value.length > 0) return [moreMark(value.length, "items")];
    return elideItems(value, level, depth, level.items);
  }
  const fields = Object.entries(value);
  if (depth >= level.depth && fields.length > 0) {
    return { [FIELD_MARK]: moreMark(fields.length, "fields") };
  }
  const isShown = (name: string, nth: number): boolean =>
    nth < level.fields || (TROUBLE.test(name) && nth < level.fields + MAX_TROUBLE);
  const shown = fields.filter(([name], nth) => isShown(name, nth));
  const left = fields.length - shown.length;
  const elided = shown.map(([name, one]): [string, unknown] => [
    name,
    TROUBLE.test(name) && typeof one === "string"
      ? elideText(one, MAX_TROUBLE_CHARS)
      : elide(one, level, depth + 1),
  ]);
  if (left > 0) elided.push([FIELD_MARK, moreMark(left, "more fields")]);
  return Object.fromEntries(elided);
}

function elideItems(
  items: readonly unknown[],
  level: Level,
  depth: number,
  shown: number,
): unknown[] {
  const trouble = items.filter((item, nth) => nth >= shown && hasError(item));
  const kept = new Set(trouble.length > MAX_TROUBLE ? trouble.slice(-MAX_TROUBLE) : trouble);
  const elided: unknown[] = [];
  let left = 0;
  const flush = (): void => {
    if (left > 0) elided.push(moreMark(left, "more items"));
    left = 0;
  };
  for (const [nth, item] of items.entries()) {
    if (nth >= shown && !kept.has(item)) {
      left++;
      continue;
    }
    flush();
    elided.push(elide(item, level, depth + 1));
  }
  flush();
  return elided;
}

function elideText(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const shaped = text.includes(NEWLINE) ? shapeLog(text, chars) : text;
  return shaped.length < text.length ? shaped : clipMiddle(text, Math.max(chars, 60));
}

function hasError(item: unknown): boolean {
  if (typeof item !== "object" || item === null) return false;
  return Object.entries(item).some(([name, value]) =>
    (OUTCOME.test(name) && typeof value === "string" && BAD_OUTCOME.test(value)) ||
    (TROUBLE.test(name) && isNonEmpty(value))
  );
}

function isNonEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function parse(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
