/** Searches the messages, thinking, calls, results and attachments of a transcript. */

import { stringsIn } from "../../core/record.ts";
import { CONTROLS, TERMINAL_SEQUENCES, UNSEEN } from "../../core/unseen.ts";
import { openFileSync } from "../../store/read_file.ts";
import { type ContentPart, contentParts } from "../content.ts";
import { entriesIn, type Entry } from "../entry.ts";
import { isRebuilt } from "../in_place.ts";
import { BlockReader, readLines } from "../lines.ts";
import type { SearchPattern, TextMatch } from "./pattern.ts";

const NEWLINE = "\n";

const CALL_TYPE = '"tool_use"';

const decoder = new TextDecoder();

/** Maximum number of matching texts that are remembered, to skip those that a trim in place repeats. */
const MAX_REMEMBERED = 10_000;

/** A text with the same role, length and first characters (at most this many) counts as a repeat. */
const MAX_KEY_CHARS = 200;

export const DEFAULT_EXCERPT_CHARS = 120;

const ELLIPSIS = "\u2026";

/** Characters read per character of the excerpt, because runs of white space shrink to one space. */
const SCAN_FACTOR = 4;

/** Results have the role `tool`. The input of a call has the role `assistant`. */
type SearchRole = "user" | "assistant" | "tool";

export interface SearchQuery {
  pattern: SearchPattern;
  role?: SearchRole | undefined;
  tool?: string | undefined;
  /** Longest excerpt, in characters. @default {DEFAULT_EXCERPT_CHARS} */
  excerptChars?: number | undefined;
}

export interface SearchMatch {
  line: number;
  role: SearchRole;
  tool: string | null;
  excerpt: string;
  uuid: string | undefined;
}

/** Searches a session in the order of the file. Parses only lines that may contain a match. */
export function* searchTranscript(
  path: string,
  query: SearchQuery,
): Generator<SearchMatch, void, undefined> {
  const { pattern, excerptChars = DEFAULT_EXCERPT_CHARS } = query;
  using file = openFileSync(path);
  using calls = openFileSync(path);
  const { size } = file.statSync();
  const tools = toolNamesIn(calls, size);
  const seen = new Set<string>();
  for (const line of candidateLines(file, size, pattern)) {
    for (const entry of entriesIn(line.text)) {
      for (const part of contentParts(entry)) {
        const role = roleOf(entry, part);
        if (query.role !== undefined && role !== query.role) continue;
        const found = findInPart(part, pattern);
        if (found === null) continue;
        const matchKey = `${role} ${found.text.length} ${found.text.slice(0, MAX_KEY_CHARS)}`;
        if (isRebuilt(entry) && seen.has(matchKey)) continue;
        if (seen.size < MAX_REMEMBERED) seen.add(matchKey);
        const tool = toolOf(part, tools);
        if (query.tool !== undefined && tool !== query.tool) continue;
        const excerpt = excerptAround(found.text, found.match, excerptChars);
        yield { line: line.number, role, tool, excerpt, uuid: entry.uuid };
      }
    }
  }
}

function* candidateLines(
  file: Deno.FsFile,
  size: number,
  pattern: SearchPattern,
): Generator<{ text: string; number: number }, void, undefined> {
  const reader = new BlockReader(file, { limitBytes: size });
  let number = 1;
  while (reader.next()) {
    const block = reader.bytes.subarray(reader.start, reader.end);
    const text = decoder.decode(block);
    // The engine finds newlines far faster in a string than in bytes.
    let newline = text.indexOf(NEWLINE);
    let candidate = pattern.nextCandidate(text, 0);
    while (candidate >= 0) {
      const start = candidate === 0 ? 0 : text.lastIndexOf(NEWLINE, candidate - 1) + 1;
      while (newline >= 0 && newline < candidate) {
        number++;
        newline = text.indexOf(NEWLINE, newline + 1);
      }
      const end = newline < 0 ? text.length : newline;
      yield { text: text.slice(start, end), number };
      candidate = end + 1 < text.length ? pattern.nextCandidate(text, end + 1) : -1;
    }
    while (newline >= 0) {
      number++;
      newline = text.indexOf(NEWLINE, newline + 1);
    }
  }
}

/** Returns a function that finds a call's tool. It reads the file only as far as needed. */
function toolNamesIn(file: Deno.FsFile, size: number): ToolNames {
  const names = new Map<string, string>();
  const lines = readLines(file, { limitBytes: size });
  return (callId) => {
    while (!names.has(callId)) {
      const { value: line, done } = lines.next();
      if (done === true) return null;
      const text = decoder.decode(line.bytes);
      for (const entry of text.includes(CALL_TYPE) ? entriesIn(text) : []) {
        for (const { kind, id, name } of contentParts(entry)) {
          if (kind === "tool_use" && id !== undefined) names.set(id, name ?? "");
        }
      }
    }
    return names.get(callId) ?? null;
  };
}

type ToolNames = (callId: string) => string | null;

function roleOf(entry: Entry, part: ContentPart): SearchRole {
  if (part.kind === "tool_result") return "tool";
  return entry.type === "assistant" ? "assistant" : "user";
}

function toolOf(part: ContentPart, tools: ToolNames): string | null {
  if (part.kind === "tool_use") return part.name ?? null;
  if (part.kind !== "tool_result" || part.id === undefined) return null;
  return tools(part.id);
}

function findInPart(
  part: ContentPart,
  pattern: SearchPattern,
): { text: string; match: TextMatch } | null {
  if (part.kind === "image") return null;
  const texts = part.kind === "tool_use"
    ? stringsIn(JSON.parse(part.text, (_, value) => typeof value === "number" ? `${value}` : value))
    : [part.text];
  for (const text of texts) {
    const match = pattern.find(text);
    if (match !== null) return { text, match };
  }
  return null;
}

export function excerptAround(text: string, match: TextMatch, maxChars: number): string {
  const end = match.index + match.length;
  const scanChars = maxChars * SCAN_FACTOR;
  const cutStart = Math.max(0, match.index - scanChars);
  const cutEnd = Math.min(text.length, end + scanChars);
  const before = [...onOneLine(text.slice(cutStart, match.index)).trimStart()];
  const middle = [...onOneLine(text.slice(match.index, Math.min(end, match.index + scanChars)))];
  const after = [...onOneLine(text.slice(end, cutEnd)).trimEnd()];
  const room = Math.max(0, maxChars - middle.length);
  const half = Math.floor(room / 2);
  // Each side may use the room that the other side does not need.
  const left = Math.min(before.length, Math.max(half, room - after.length));
  const right = Math.min(after.length, room - left);
  const shownBefore = before.slice(before.length - left);
  const shownAfter = after.slice(0, right);
  const shown = middle.slice(0, maxChars);
  // An ellipsis replaces a character, so that the excerpt does not exceed the limit.
  if (left > 0 && (left < before.length || cutStart > 0)) shownBefore[0] = ELLIPSIS;
  if (right > 0 && (right < after.length || cutEnd < text.length)) shownAfter[right - 1] = ELLIPSIS;
  if (shown.length < middle.length) shown[shown.length - 1] = ELLIPSIS;
  return [...shownBefore, ...shown, ...shownAfter].join("");
}

/** Removes control characters, so that a tool's output cannot move the cursor or change shown text. */
function onOneLine(text: string): string {
  return text.replaceAll(TERMINAL_SEQUENCES, "").replaceAll(/\s+/g, " ")
    .replaceAll(CONTROLS, "").replaceAll(UNSEEN, "").toWellFormed();
}
