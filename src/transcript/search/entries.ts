/** Reads of a line only the fields that hold what was said; the copy for the screen is not parsed. */

import { type Entry, type JsonObject, leadingObjects, parseObject, viewEntry } from "../entry.ts";
import { REBUILT_FIELDS } from "../in_place.ts";
import { MemberWalker, skipSpace } from "../json_scan.ts";
import type { SearchPattern } from "./pattern.ts";

const SAID = ["message", "attachment", "rendered", "content"] as const;

/** Fields that tell whether it reached the model, and whether it was said before. */
const TELLING = ["type", "subtype", "isApiErrorMessage", ...REBUILT_FIELDS] as const;

const walker = new MemberWalker();

export function entriesToSearch(line: string, pattern: SearchPattern): Entry[] {
  const fields: JsonObject = {};
  const ranges = new Map<string, [start: number, end: number]>();
  let mayHold = false;
  walker.start(line, skipSpace(line, 0, line.length), line.length);
  while (walker.next()) {
    const said = SAID.find(isKey);
    const field = said ?? TELLING.find(isKey);
    if (field === undefined) continue;
    const end = walker.skip();
    ranges.set(field, [walker.valueStart, end]);
    if (said === undefined || mayHold) continue;
    const place = pattern.nextCandidate(line, walker.valueStart);
    mayHold = place >= 0 && place < end;
  }
  const { objectEnd } = walker;
  const isWhole = objectEnd >= 0 && skipSpace(line, objectEnd, line.length) === line.length;
  if (!isWhole) return entriesOfText(line);
  if (!mayHold) return [];
  try {
    for (const [field, [start, end]] of ranges) fields[field] = JSON.parse(line.slice(start, end));
  } catch {
    return entriesOfText(line);
  }
  return [viewEntry(fields)];
}

function isKey(key: string): boolean {
  return walker.keyIs(key);
}

/** Reads the entries of a line as `readEntries` does, of text. */
export function entriesOfText(line: string): Entry[] {
  const whole = parseObject(line);
  if (whole !== undefined) return [viewEntry(whole)];
  const entries: Entry[] = [];
  for (const { start, end } of leadingObjects(line, 0, line.length)) {
    const raw = parseObject(line.slice(start, end));
    if (raw === undefined) break;
    entries.push(viewEntry(raw));
  }
  return entries;
}
