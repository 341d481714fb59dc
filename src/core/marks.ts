/**
 * Recognizes the marks that trimtab and the client write in place of longer text. Text that only looks like a
 * mark must remain cuttable, so a notice counts only if its numbers match the text, and the head of a shaped
 * output only if it matches the call or, for an unknown call, the length of the text.
 */

import { countChars, indexBefore } from "./chars.ts";

const NOTICE =
  /\n\n\[\.\.\.truncated - original was ([\d,]{1,20}) chars, showing (?:first ([\d,]{1,20})|([\d,]{1,20}) in parts)\. See line (\d{1,15}) of ([^\n]{1,4096}?) for full content\](?=\n|$)/g;

export const NOTICE_END = " for full content]";

/** Matches the client's reference to an output in a file, before a preview, a notice or an error. */
const PERSISTED =
  /^(?:<persisted-output>\n[^\n]{0,120}?\bsaved to: [^\n]{1,1024}(?=\n\n(?:Preview \(|\[\.\.\.truncated ))|Error: result \([\d,]{1,20} characters[^\n]{0,80}\) exceeds maximum allowed tokens\. Output has been saved to [^\n]{1,1024}(?=\n))/i;

/** Matches the head of a shaped output, after a number of files or the line number that Read writes. */
const SHAPED =
  /^(?:Found \d[^\n]{0,80}\n| {0,6}\d{1,9}(?:→|\t))?\[trimtab: shaped from ([\d,]{1,20}) characters in [\d,]{1,20} lines?; the whole output is in [^\n]{1,1024}[\\/]([A-Za-z0-9_-]{1,130})\.txt: (?:Read|search) it [^\n\]]{1,80}\](?=\n|$)/;

const MAX_HEAD_UNITS = 1_500;

/** The transcript line that contains the whole text. */
export interface Place {
  readonly line: number;
  readonly session: string;
}

interface Notice extends Place {
  readonly shownChars: number;
  readonly wholeChars: number;
}

export interface MarkedPart {
  readonly id: string;
  readonly kind: "call" | "result";
}

export const SHORT_ID_CHARS = 8;

export function shortId(id: string): string {
  return id.slice(0, SHORT_ID_CHARS);
}

export function isFileOfSession(session: string, transcript: string): boolean {
  if (!transcript.endsWith(".jsonl")) return false;
  const id = transcript.slice(0, -".jsonl".length);
  return id === session || shortId(id) === session;
}

/** Reads the notice at the end of the text, if its numbers match the text. */
export function readNotice(text: string): Notice | undefined {
  if (!text.endsWith(NOTICE_END)) return undefined;
  const { value } = cutPartsIn(text).next();
  return value?.start === 0 && value.end === text.length ? value.notice : undefined;
}

/** Removes each text block that a trim cut, including the remaining text and the notice. */
export function withoutCutParts(text: string): string {
  let [others, limit] = ["", text.length];
  for (const { start, end } of cutPartsIn(text)) {
    others = text.slice(end, limit) + others;
    limit = start;
  }
  return text.slice(0, limit) + others;
}

/** Finds the parts that a trim cut, each with its notice, from last to first. */
function* cutPartsIn(
  text: string,
): Generator<{ notice: Notice; start: number; end: number }, undefined, undefined> {
  if (!text.includes(NOTICE_END)) return;
  let limit = text.length;
  for (const match of [...text.matchAll(NOTICE)].slice(-MAX_PLACES).reverse()) {
    const [whole, original = "", first, inParts = "", line = "", session = ""] = match;
    const [shownChars, wholeChars] = [countOf(first ?? inParts), countOf(original)];
    const start = indexBefore(text, match.index, shownChars);
    const end = match.index + whole.length;
    const isValid = end <= limit && (start === 0 || text[start - 1] === "\n") &&
      wholeChars > shownChars + countChars(whole);
    if (!isValid) continue;
    yield { notice: { line: Number(line), session, shownChars, wholeChars }, start, end };
    limit = start;
  }
}

const MASKED_PLACE =
  /^\[[^\n]{1,200} result masked -- [^\n]{1,3000}\. See line (\d{1,15}) of ([^\n]{1,300}) for full content\]$/;

export function placeOfWhole(text: string): Place | undefined {
  const notice = readNotice(text);
  if (notice !== undefined) return notice;
  const [, line, session = ""] = MASKED_PLACE.exec(text) ?? [];
  return line === undefined ? undefined : { line: Number(line), session };
}

/** Matches the place of the whole text at the end of a line. The line may quote other places before it. */
const PLACE = /See line (\d{1,15}) of ((?:(?!See line )[^\n]){1,4096}?) for full content\]$/gm;

/** An output can quote any number of places, so only the last few are read. */
const MAX_PLACES = 64;

export function placesIn(text: string): Place[] {
  const places = new Map<string, Place>();
  for (const [key, line, session = ""] of text.matchAll(PLACE)) {
    places.set(key, { line: Number(line), session });
  }
  return [...places.values()].slice(-MAX_PLACES);
}

export function isCutText(text: string): boolean {
  return placesIn(text).length > 0;
}

/** Returns the length of the head that refers to the file with the whole output; 0 if there is none. */
export function fileHeadUnits(text: string, id?: string): number {
  const start = text.slice(0, MAX_HEAD_UNITS);
  const persisted = PERSISTED.exec(start);
  if (persisted !== null) return persisted[0].length;
  const [head = "", chars = "", name = ""] = SHAPED.exec(start) ?? [];
  // The file is named after the call. From the call's second output on, the name ends in a number.
  const isOwn = id === undefined
    ? countOf(chars) > text.length
    : name === id || name.replace(/-\d{1,2}$/, "") === id;
  return isOwn ? head.length : 0;
}

function countOf(digits: string): number {
  return Number(digits.replaceAll(",", ""));
}
