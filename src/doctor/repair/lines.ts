/** Reads a broken session line by line and yields the repaired copy. */

import { isObject, type JsonObject, parseObject } from "../../core/record.ts";
import { openFileSync } from "../../store/read_file.ts";
import { counted } from "../../inject/bound.ts";
import {
  asString,
  canHoldObject,
  latin1Text,
  parseExactly,
  type TextRange,
} from "../../transcript/entry.ts";
import { boundaryKind, isRebuilt } from "../../transcript/in_place.ts";
import { readLines, type SeekableSource } from "../../transcript/lines.ts";
import {
  type ActiveContext,
  findActiveContext,
  readNodes,
} from "../../transcript/tree/active_context.ts";
import { refusesThinking, repairMessage } from "./blocks.ts";
import type { RescueNote } from "./finding.ts";
import { LinkFinder } from "./links.ts";
import { skipSpace, skipValue } from "../../transcript/json_scan.ts";

const NEWLINE = new Uint8Array([0x0a]);

const UNFINISHED: RescueNote = {
  kind: "unfinished_trim",
  action: "left_out",
  what: "an entry of a trim that Claude Code did not finish",
};

interface Survey {
  /** Size when the survey began; lines that the client appends later are ignored. */
  readonly size: number;
  readonly links: ReturnType<LinkFinder["finish"]>;
  /** Byte positions of entries to leave out. */
  readonly unfinished: ReadonlySet<number>;
  readonly hasMessages: boolean;
  readonly isThinkingRefused: boolean;
  /** Whether the repaired conversation begins with an answer whose prompt is not in the file. */
  readonly beginsWithAnswer: boolean;
}

export interface RepairOptions {
  readonly dropsThinking: boolean;
  readonly onRepair: (line: number, note: RescueNote) => void;
}

export function surveySession(path: string): Survey {
  using source = openFileSync(path);
  const { size } = source.statSync();
  const unfinished = new Set(unfinishedEntries(source, findActiveContext(source, size)));
  source.seekSync(0, Deno.SeekMode.Start);
  const finder = new LinkFinder();
  let isThinkingRefused = false;
  let firstType: unknown;
  let hasStart = false;
  /**
   * Byte position of the last entry, if the entry is a boundary with a parent. If its link were repaired, the
   * conversation would end with the boundary, and the copy would resume without messages.
   */
  let lastBoundary: number | undefined;
  for (const line of readLines(source, { limitBytes: size })) {
    for (const { raw, start } of splitLine(line.bytes).pieces) {
      if (unfinished.has(line.offset + start)) continue;
      finder.add(raw);
      isThinkingRefused ||= refusesThinking(raw);
      if (isObject(raw.message)) firstType ??= raw.type;
      const isBoundary = raw.subtype === "compact_boundary";
      if (raw.isSidechain !== true) hasStart ||= isBoundary || raw.parentUuid === null;
      if (isBoundary && raw.parentUuid !== null) lastBoundary = line.offset + start;
      else if (raw.uuid !== undefined) lastBoundary = undefined;
    }
  }
  if (lastBoundary !== undefined) unfinished.add(lastBoundary);
  return {
    size,
    links: finder.finish(),
    unfinished,
    hasMessages: firstType !== undefined,
    isThinkingRefused,
    beginsWithAnswer: firstType === "assistant" && !hasStart,
  };
}

/** Yields the repaired lines without the copy's metadata, which the caller adds. */
export function* repairLines(
  path: string,
  survey: Survey,
  options: RepairOptions,
): Generator<Uint8Array, void, undefined> {
  using source = openFileSync(path);
  let entryNumber = 0;
  for (const line of readLines(source, { limitBytes: survey.size })) {
    const parts = splitLine(line.bytes);
    for (const note of notesOf(parts)) options.onRepair(line.number, note);
    for (const piece of parts.pieces) {
      if (survey.unfinished.has(line.offset + piece.start)) {
        options.onRepair(line.number, UNFINISHED);
        continue;
      }
      const { message, notes } = repairMessage(piece.raw, options.dropsThinking);
      const changes: Record<string, unknown> = notes.length === 0 ? {} : { message };
      const hasId = asString(piece.raw.uuid) !== undefined;
      const link = hasId ? survey.links.get(entryNumber++) : undefined;
      if (link !== undefined) {
        changes.parentUuid = link.parentUuid;
        notes.push(link.note);
      }
      for (const note of notes) options.onRepair(line.number, note);
      const bytes = line.bytes.subarray(piece.start, piece.end);
      if (notes.length === 0) {
        yield bytes;
      } else {
        const raw = parseExactly(new TextDecoder().decode(bytes));
        yield new TextEncoder().encode(JSON.stringify({ ...raw, ...changes }));
      }
      yield NEWLINE;
    }
    // Copies a blank line unchanged.
    if (parts.pieces.length + parts.junk.length + parts.nulCount > 0) continue;
    yield line.bytes;
    yield NEWLINE;
  }
}

function notesOf({ pieces, junk, nulCount }: LineParts): RescueNote[] {
  const notes = junk.map(({ start, end }): RescueNote => {
    const what = `${counted(end - start, "byte")} outside of any entry`;
    return { kind: "torn_line", action: "left_out", what };
  });
  if (nulCount > 0) {
    notes.unshift({ kind: "nul_padding", action: "left_out", what: counted(nulCount, "NUL byte") });
  }
  if (pieces.length > 1) {
    const what = `${pieces.length} entries on one line`;
    notes.push({ kind: "concatenated", action: "split", what });
  }
  return notes;
}

/** Whether a conversation begins with an answer whose prompt is not in the file. */
export function startsWithAnswer(
  source: SeekableSource,
  { nodes, cutOff }: Pick<ActiveContext, "nodes" | "cutOff">,
): boolean {
  if (cutOff !== "absent") return false;
  for (const { entry } of readNodes(source, nodes)) {
    if (isObject(entry.message)) return entry.type === "assistant";
  }
  return false;
}

/** Returns the byte positions of a trim during which the client was killed, from its boundary on. */
export function unfinishedEntries(
  file: SeekableSource,
  { nodes, isCompacted }: Pick<ActiveContext, "nodes" | "isCompacted">,
): number[] {
  if (!isCompacted) return [];
  const found = [...readNodes(file, nodes)];
  const entries = found.map(({ entry }) => entry);
  if (boundaryKind(entries) !== undefined) return [];
  const start = found.findIndex(({ node }) => node.boundary !== undefined);
  const count = entries.slice(start + 1).findIndex((entry) => !isRebuilt(entry));
  const end = count < 0 ? entries.length : start + 1 + count;
  // A summary, the typed command or a hook's output follows the messages of a finished trim or compaction.
  const isUnfinished = entries[end] === undefined || entries[end].raw.promptSource !== undefined;
  return isUnfinished ? found.slice(start, end).map(({ node }) => node.offset) : [];
}

export interface LinePiece extends TextRange {
  raw: JsonObject;
}

export interface LineParts {
  pieces: LinePiece[];
  junk: TextRange[];
  nulCount: number;
}

/** Matches the start of an entry or of a nested object; {@linkcode entryAt} checks the fields. */
const ENTRY_START =
  /\{"(?:parentUuid|type|uuid|sessionId|session_id|isSidechain|leafUuid|messageId|agentId)":/g;

/** Maximum number of entry starts tried on a broken line, since each try may scan the rest of the line. */
const MAX_TRIES = 100;

const decoder = new TextDecoder();

export function splitLine(bytes: Uint8Array): LineParts {
  const raw = canHoldObject(bytes) ? parseObject(decoder.decode(bytes)) : undefined;
  if (raw !== undefined) {
    return { pieces: [{ raw, start: 0, end: bytes.length }], junk: [], nulCount: 0 };
  }
  const text = latin1Text(bytes);
  const nulCount = text.length - text.replaceAll("\0", "").length;
  const parts: LineParts = { pieces: [], junk: [], nulCount };
  let tries = 0;
  let position = skipBlank(text, 0);
  while (position < text.length) {
    let next = pieceAt(bytes, text, position);
    if (next === undefined) {
      const junkStart = position;
      ENTRY_START.lastIndex = position + 1;
      do {
        position = ENTRY_START.exec(text)?.index ?? text.length;
        next = position === text.length ? undefined : entryAt(bytes, text, position);
      } while (next === undefined && position < text.length && ++tries < MAX_TRIES);
      if (next === undefined) position = text.length;
      parts.junk.push({ start: junkStart, end: position });
    }
    if (next === undefined) break;
    parts.pieces.push(next);
    position = skipBlank(text, next.end);
  }
  return parts;
}

function skipBlank(text: string, from: number): number {
  let position = skipSpace(text, from, text.length);
  while (text[position] === "\0") position = skipSpace(text, position + 1, text.length);
  return position;
}

function pieceAt(bytes: Uint8Array, text: string, start: number): LinePiece | undefined {
  if (text[start] !== "{") return undefined;
  const end = skipValue(text, start, text.length);
  const raw = end < 0 ? undefined : parseObject(decoder.decode(bytes.subarray(start, end)));
  return raw === undefined ? undefined : { raw, start, end };
}

/** Reads an entry after broken text; returns `undefined` for an object nested in a torn entry. */
function entryAt(bytes: Uint8Array, text: string, start: number): LinePiece | undefined {
  const piece = pieceAt(bytes, text, start);
  if (piece === undefined) return undefined;
  const { raw } = piece;
  const afterPiece = skipBlank(text, piece.end);
  if (afterPiece < text.length && text[afterPiece] !== "{") return undefined;
  const ids = [raw.sessionId, raw.session_id, raw.uuid, raw.leafUuid, raw.messageId];
  const isEntry = typeof raw.type === "string" && ids.some((id) => typeof id === "string");
  return isEntry ? piece : undefined;
}
