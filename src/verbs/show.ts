import { openFileSync } from "../store/read_file.ts";
import { fullText } from "../transcript/content.ts";
import { type Entry, latin1Text, readEntries } from "../transcript/entry.ts";
import { readLines } from "../transcript/lines.ts";
import { locateSession, type PlaceOptions } from "./place.ts";

/** The entry to show. */
export interface ShowOptions extends PlaceOptions {
  /** `ID:LINE`: a session or a path, and a line from 1 or the first 8 digits of an entry's id. */
  readonly entry: string;
}

/** An entry of a session. */
export interface ShowResult {
  /** The entry as in the transcript, or several entries if its line contains several. */
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  /** The text and results of each entry in full; an entry that has neither is rendered as JSON. */
  readonly text: string;
}

export function show({ entry: target, ...from }: ShowOptions): ShowResult {
  const [, name, place = ""] = /^(.+):(\d{1,7}|[0-9a-f]{8}(?:-[0-9a-f-]{1,27})?)$/i.exec(target) ??
    [];
  if (name === undefined || /^0+$/.test(place)) {
    throw new SyntaxError(
      `Cannot show ${JSON.stringify(target)}: give a session and a line, such as b82405ba:120`,
    );
  }
  const { session } = locateSession({ ...from, session: name });
  // A line number has at most seven digits, and the start of an entry's id at least eight characters.
  const entries = place.length < 8
    ? readLine(session.path, Number(place))
    : readEntry(session.path, place.toLowerCase());
  return { entries: entries.map(({ raw }) => raw), text: entries.map(fullText).join("\n") };
}

function readEntry(path: string, start: string): Entry[] {
  using file = openFileSync(path);
  for (const line of readLines(file)) {
    if (!latin1Text(line.bytes).includes(start)) continue;
    const found = readEntries(line.bytes).filter(({ uuid }) => uuid?.startsWith(start));
    if (found.length > 0) return found;
  }
  throw new Error(
    `Cannot show entry ${start} of ${path}: no entry has an id that starts with these characters`,
  );
}

function readLine(path: string, wanted: number): Entry[] {
  using file = openFileSync(path);
  let last = 0;
  for (const line of readLines(file)) {
    last = line.number;
    if (last < wanted) continue;
    const entries = readEntries(line.bytes);
    if (entries.length > 0) return entries;
    throw new Error(`Cannot show line ${wanted} of ${path}: it is not an entry`);
  }
  throw new Error(`Cannot show line ${wanted} of ${path}: the last line is ${last}`);
}
