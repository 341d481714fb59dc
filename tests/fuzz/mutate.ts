/**
 * Changes text but keeps most of its structure, since a reader parses more of text that is still
 * nearly valid. All strings have one character per byte, so that they can contain broken UTF-8.
 */

import { ODD_FRAGMENTS, ODD_KEYS, ODD_LINES, ODD_VALUES } from "./odd_values.ts";
import type { Random } from "./random.ts";

const MAX_PLACES = 4_000;

const MAX_NESTING = 20_000;

const MAX_LONG_CHARS = 70_000;

/** A value in a parsed JSON text: a member of `parent`, which is an object or a list. */
interface JsonPlace {
  readonly parent: Record<string, unknown>;
  readonly key: string;
}

/** Each function returns the text that replaces a value; undefined drops the value. */
type JsonChange = (value: string, random: Random, others: readonly JsonPlace[]) =>
  | string
  | undefined;

const JSON_CHANGES: readonly JsonChange[] = [
  (_, random) => random.pick(ODD_VALUES),
  (_, random) => random.pick(ODD_VALUES),
  () => undefined,
  (value, random) => `${value},${random.pick(ODD_VALUES)}`,
  (value, random) => `${value},"${random.pick(ODD_KEYS)}":${random.pick(ODD_VALUES)}`,
  (value) => `${value},"__proto__":{"polluted":true}`,
  (_, random, places) => textAt(random.pick(places)),
  nestValue,
  editString,
  editString,
  growString,
];

/** Changes values of a JSON text. If the text is not valid JSON, damages its bytes instead. */
export function mutateJson(text: string, random: Random, count = 1 + random.below(3)): string {
  const root: Record<string, unknown> = {};
  try {
    root.value = JSON.parse(text);
  } catch {
    return mutateBytes(text, random);
  }
  const raw: string[] = [];
  const places = placesIn(root);
  for (let n = 0; n < count; n++) {
    const place = random.pick(places);
    const changed = random.pick(JSON_CHANGES)(textAt(place), random, places);
    if (changed === undefined) delete place.parent[place.key];
    // A marker for text that is inserted verbatim, because it may be invalid JSON.
    else place.parent[place.key] = `\x01${raw.push(changed) - 1}`;
  }
  let mutated = JSON.stringify(root.value) ?? "";
  for (let n = raw.length - 1; n >= 0; n--) {
    mutated = mutated.replaceAll(`"\\u0001${n}"`, () => raw[n] ?? "");
  }
  // JSON.parse() decodes escapes, so characters of several bytes are escaped again.
  return mutated.replaceAll(
    /[\u0100-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function placesIn(root: Record<string, unknown>): JsonPlace[] {
  const places: JsonPlace[] = [];
  const open: object[] = [root];
  for (let node = open.pop(); node !== undefined && places.length < MAX_PLACES; node = open.pop()) {
    const parent = node as Record<string, unknown>;
    for (const [key, value] of Object.entries(parent)) {
      places.push({ parent, key });
      if (typeof value === "object" && value !== null) open.push(value);
    }
  }
  return places;
}

function textAt({ parent, key }: JsonPlace): string {
  return JSON.stringify(parent[key]) ?? "null";
}

function nestValue(value: string, random: Random): string {
  const depth = random.chance(3) ? random.below(MAX_NESTING) : random.below(60);
  const [open, close] = random.pick([["[", "]"], ['{"a":', "}"], ['[{"content":', "}]"]] as const);
  return open.repeat(depth) + value + close.repeat(depth);
}

function editString(value: string, random: Random): string {
  const index = 1 + random.below(Math.max(1, value.length - 1));
  return value.slice(0, index) + random.pick(ODD_FRAGMENTS) + value.slice(index);
}

function growString(value: string, random: Random): string {
  if (!value.startsWith('"')) return value;
  const parts = ["x", "\\n", "word ", "\\ud83d\\ude00", "\xc3\xa9", "[", "`", "\\\\", "/"];
  const part = random.pick(parts);
  const chars = random.chance(5) ? random.below(MAX_LONG_CHARS) : 400 + random.below(800);
  return `"${part.repeat(Math.ceil(chars / part.length))}${value.slice(1)}`;
}

export function mutateLines(lines: readonly string[], random: Random): string {
  const mutated = [...lines];
  const count = random.below(5);
  for (let n = 0; n < count && mutated.length > 0; n++) {
    const index = random.below(mutated.length);
    mutated[index] = mutateJson(mutated[index] ?? "", random);
  }
  if (random.chance(50)) random.pick(LINE_CHANGES)(mutated, random);
  if (random.chance(20)) random.pick(LINE_CHANGES)(mutated, random);
  const newline = random.chance(4) ? "\r\n" : "\n";
  const text = mutated.join(newline) + (random.chance(80) ? newline : "");
  return random.chance(25) ? mutateBytes(text, random) : text;
}

const OPENINGS = ["#", "- ", "[", "> ", "(", "`", "a "];

/** Each function returns the lines that replace one line. */
const TEXT_CHANGES: readonly ((line: string, random: Random) => string[])[] = [
  () => [],
  (line) => [line, line],
  (line, random) => [random.pick(ODD_LINES), line],
  (line, random) => [random.pick(ODD_LINES), line],
  (line, random) => [line + random.pick(ODD_FRAGMENTS) + random.pick(ODD_LINES)],
  (line, random) => [line.replace(/[:=].*$/s, (at) => at.slice(0, 2) + random.pick(ODD_VALUES))],
  (line, random) => [line.slice(0, random.below(line.length + 1)).repeat(1 + random.below(50))],
  (_, random) => [random.pick(OPENINGS).repeat(1 + random.below(2_000))],
];

export function mutateText(text: string, random: Random): string {
  const lines = text.split("\n");
  const count = 1 + random.below(4);
  for (let n = 0; n < count; n++) {
    const index = random.below(lines.length + 1);
    lines.splice(index, 1, ...random.pick(TEXT_CHANGES)(lines[index] ?? "", random));
  }
  const changed = lines.join(random.chance(5) ? "\r\n" : "\n");
  return random.chance(20) ? mutateBytes(changed, random) : changed;
}

/** Each function returns the text that replaces the text before and after a random position. */
const BYTE_CHANGES: readonly ((before: string, after: string, random: Random) => string)[] = [
  (before) => before,
  (_, after) => after,
  (before, after) => `\xef\xbb\xbf${before}${after}`,
  (before, after, random) => before + "\x00".repeat(1 + random.below(600)) + after,
  (before, after) => `${before}\n\n \n${after}`,
  (before, after, random) => before + noise(random) + after,
  (before, after, random) => before + String.fromCharCode(random.below(256)) + after.slice(1),
  (before, after, random) => before + after.slice(1 + random.below(20)),
  (before, after, random) => before + random.pick(ODD_FRAGMENTS) + after,
];

export function mutateBytes(text: string, random: Random): string {
  const index = random.below(text.length + 1);
  return random.pick(BYTE_CHANGES)(text.slice(0, index), text.slice(index), random);
}

function noise(random: Random): string {
  return Array.from({ length: 1 + random.below(300) }, () => String.fromCharCode(random.below(256)))
    .join("");
}

/** Changes lines in ways that tests/trim/odd_session.ts does not. */
const LINE_CHANGES: readonly ((lines: string[], random: Random) => void)[] = [
  (lines, random) => lines.splice(random.below(lines.length + 1), 1),
  (lines, random) =>
    lines.splice(random.below(lines.length + 1), 0, lines[random.below(lines.length)] ?? ""),
  (lines, random) => lines.splice(random.below(lines.length + 1), 0, random.pick(ODD_VALUES)),
  joinTwo,
  tearLine,
  changeParent,
];

/** Simulates a writer that died before its newline, followed by another writer. */
function joinTwo(lines: string[], random: Random): void {
  const index = random.below(Math.max(1, lines.length - 1));
  if (index + 1 < lines.length) lines.splice(index, 2, `${lines[index]}${lines[index + 1]}`);
}

function tearLine(lines: string[], random: Random): void {
  const index = random.chance(60) ? lines.length - 1 : random.below(Math.max(1, lines.length));
  const line = lines[index];
  if (line !== undefined) lines[index] = line.slice(0, random.below(line.length + 1));
}

/** Gives a line another parent: the line itself, any line, or a missing one. */
function changeParent(lines: string[], random: Random): void {
  const index = random.below(Math.max(1, lines.length));
  const uuids = lines.flatMap((line) => /"uuid":"([^"]*)"/.exec(line)?.[1] ?? []);
  const parent = random.pick([...uuids, "no such line"]);
  const link = /"(?:logicalP|p)arentUuid":(?:"[^"]*"|null)/;
  const line = lines[index];
  if (line !== undefined) lines[index] = line.replace(link, () => `"parentUuid":"${parent}"`);
}
