/**
 * Changes text but keeps most of its structure, since a reader parses more of text that is still
 * nearly valid. All strings have one character per byte, so that they can contain broken UTF-8.
 *
 * @module
 */

import { valueSpans } from "./json_spans.ts";
import { ODD_FRAGMENTS, ODD_KEYS, ODD_LINES, ODD_VALUES } from "./odd_values.ts";
import type { Random } from "./random.ts";

const MAX_NESTING = 20_000;

const MAX_LONG_CHARS = 70_000;

type Change = (text: string, random: Random) => string;

const JSON_CHANGES: readonly Change[] = [
  replaceValue,
  replaceValue,
  replaceValue,
  dropMember,
  dropMember,
  repeatMember,
  renameKey,
  addMember,
  addMember,
  moveValue,
  moveValue,
  nestValue,
  editString,
  editString,
  editString,
  growString,
];

export function mutateJson(text: string, random: Random, count = 1 + random.below(3)): string {
  let mutated = text;
  for (let n = 0; n < count; n++) mutated = random.pick(JSON_CHANGES)(mutated, random);
  return mutated;
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

export function mutateBytes(text: string, random: Random): string {
  const index = random.below(text.length + 1);
  switch (random.below(9)) {
    case 0:
      return text.slice(0, index);
    case 1:
      return text.slice(index);
    case 2:
      return "\xef\xbb\xbf" + text;
    case 3:
      return text.slice(0, index) + "\x00".repeat(1 + random.below(600)) + text.slice(index);
    case 4:
      return random.chance(15) ? "" : text.slice(0, index) + "\n\n \n" + text.slice(index);
    case 5:
      if (random.chance(15)) return noise(random);
      return text.slice(0, index) + noise(random) + text.slice(index);
    case 6:
      return text.slice(0, index) + String.fromCharCode(random.below(256)) + text.slice(index + 1);
    case 7:
      return text.slice(0, index) + text.slice(index + 1 + random.below(20));
    default:
      return text.slice(0, index) + random.pick(ODD_FRAGMENTS) + text.slice(index);
  }
}

function replaceValue(text: string, random: Random): string {
  return atValue(text, random, () => random.pick(ODD_VALUES));
}

function moveValue(text: string, random: Random): string {
  const spans = valueSpans(text);
  if (spans.length === 0) return text;
  const from = random.pick(spans);
  return atValue(text, random, () => text.slice(from.start, from.end));
}

function nestValue(text: string, random: Random): string {
  const depth = random.chance(3) ? random.below(MAX_NESTING) : random.below(60);
  const [open, close] = random.pick([["[", "]"], ['{"a":', "}"], ['[{"content":', "}]"]] as const);
  return atValue(text, random, (value) => open.repeat(depth) + value + close.repeat(depth));
}

function editString(text: string, random: Random): string {
  const strings = valueSpans(text).filter(({ start }) => text[start] === '"');
  if (strings.length === 0) return text;
  const { start, end } = random.pick(strings);
  const index = start + 1 + random.below(Math.max(1, end - start - 1));
  return text.slice(0, index) + random.pick(ODD_FRAGMENTS) + text.slice(index);
}

function growString(text: string, random: Random): string {
  const strings = valueSpans(text).filter(({ start }) => text[start] === '"');
  if (strings.length === 0) return text;
  const { start } = random.pick(strings);
  const parts = ["x", "\\n", "word ", "\\ud83d\\ude00", "\xc3\xa9", "[", "`", "\\\\", "/"];
  const part = random.pick(parts);
  const chars = random.chance(5) ? random.below(MAX_LONG_CHARS) : 400 + random.below(800);
  const long = part.repeat(Math.ceil(chars / part.length));
  return text.slice(0, start + 1) + long + text.slice(start + 1);
}

function dropMember(text: string, random: Random): string {
  const inner = valueSpans(text).filter(({ depth }) => depth > 0);
  if (inner.length === 0) return text;
  const { start, end, keyStart } = random.pick(inner);
  const before = text.slice(0, keyStart < 0 ? start : keyStart);
  const after = text.slice(end);
  if (after.startsWith(",")) return before + after.slice(1);
  return before.endsWith(",") ? before.slice(0, -1) + after : before + after;
}

function repeatMember(text: string, random: Random): string {
  const inner = valueSpans(text).filter(({ depth }) => depth > 0);
  if (inner.length === 0) return text;
  const { start, end, keyStart } = random.pick(inner);
  const key = keyStart < 0 ? "" : text.slice(keyStart, start);
  const value = random.chance(50) ? text.slice(start, end) : random.pick(ODD_VALUES);
  const again = `${key}${value},`;
  const index = keyStart < 0 ? start : keyStart;
  if (random.chance(50)) return text.slice(0, index) + again + text.slice(index);
  return `${text.slice(0, end)},${again.slice(0, -1)}${text.slice(end)}`;
}

function renameKey(text: string, random: Random): string {
  const named = valueSpans(text).filter(({ keyStart }) => keyStart >= 0);
  if (named.length === 0) return text;
  const { start, keyStart } = random.pick(named);
  return `${text.slice(0, keyStart)}"${random.pick(ODD_KEYS)}":${text.slice(start)}`;
}

function addMember(text: string, random: Random): string {
  const objects = valueSpans(text).filter(({ start }) => text[start] === "{");
  if (objects.length === 0) return text;
  const { start, end } = random.pick(objects);
  const member = random.chance(30)
    ? '"__proto__":{"polluted":true}'
    : `"${random.pick(ODD_KEYS)}":${random.pick(ODD_VALUES)}`;
  const comma = text.slice(start + 1, end).trimStart().startsWith("}") ? "" : ",";
  return text.slice(0, start + 1) + member + comma + text.slice(start + 1);
}

function atValue(text: string, random: Random, change: (value: string) => string): string {
  const spans = valueSpans(text);
  if (spans.length === 0) return text + change("");
  const { start, end } = random.pick(spans);
  return text.slice(0, start) + change(text.slice(start, end)) + text.slice(end);
}

function noise(random: Random): string {
  return Array.from({ length: 1 + random.below(300) }, () => String.fromCharCode(random.below(256)))
    .join("");
}

type LineChange = (lines: string[], random: Random) => void;

const LINE_CHANGES: readonly LineChange[] = [
  (lines, random) => lines.splice(random.below(lines.length + 1), 1),
  (lines, random) =>
    lines.splice(random.below(lines.length + 1), 0, lines[random.below(lines.length)] ?? ""),
  (lines, random) => swap(lines, random.below(lines.length), random.below(lines.length)),
  shuffle,
  (lines) => lines.reverse(),
  joinTwo,
  tearLine,
  (lines, random) => lines.splice(random.below(lines.length + 1), 0, random.pick(ODD_VALUES)),
  (lines, random) => changeLinks(lines, random, ({ uuid }) => uuid),
  (lines, random) => changeLinks(lines, random, ({ uuids }) => random.pick(uuids)),
  (lines, random) => changeLinks(lines, random, () => "no such line"),
  swapIds,
  swapIds,
  sameIds,
];

function swap(lines: string[], first: number, second: number): void {
  const [a = "", b = ""] = [lines[first], lines[second]];
  if (first >= lines.length || second >= lines.length) return;
  lines[first] = b;
  lines[second] = a;
}

function shuffle(lines: string[], random: Random): void {
  for (let index = lines.length - 1; index > 0; index--) {
    swap(lines, index, random.below(index + 1));
  }
}

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

const UUID = /"uuid":"([^"]*)"/;

/** Gives some lines another parent: the line itself, any line, or a missing one. */
function changeLinks(
  lines: string[],
  random: Random,
  parentOf: (known: { uuid: string; uuids: string[] }) => string,
): void {
  const uuids = lines.flatMap((line) => UUID.exec(line)?.[1] ?? []);
  if (uuids.length === 0) return;
  const count = 1 + random.below(3);
  for (let n = 0; n < count; n++) {
    const index = random.below(lines.length);
    const line = lines[index] ?? "";
    const uuid = UUID.exec(line)?.[1];
    if (uuid === undefined) continue;
    const parent = parentOf({ uuid, uuids });
    const link = /"(?:logicalP|p)arentUuid":(?:"[^"]*"|null)/;
    lines[index] = line.replace(link, () => `"parentUuid":"${parent}"`);
  }
}

const IDS = [UUID, /"tool_use_id":"([^"]*)"/, /"id":"(toolu[^"]*)"/, /"id":"(msg[^"]*)"/] as const;

function swapIds(lines: string[], random: Random): void {
  const pattern = random.pick(IDS);
  const having = [...lines.keys()].filter((index) => pattern.test(lines[index] ?? ""));
  if (having.length < 2) return;
  const [first, second] = [random.pick(having), random.pick(having)];
  const [a = "", b = ""] = [lines[first], lines[second]];
  const [idA = "", idB = ""] = [pattern.exec(a)?.[0], pattern.exec(b)?.[0]];
  lines[first] = a.replace(pattern, () => idB);
  if (random.chance(60)) lines[second] = b.replace(pattern, () => idA);
}

function sameIds(lines: string[], random: Random): void {
  const pattern = random.pick(IDS);
  const [id] = lines.flatMap((line) => pattern.exec(line)?.[0] ?? []);
  if (id === undefined) return;
  for (const [index, line] of lines.entries()) lines[index] = line.replace(pattern, () => id);
}
