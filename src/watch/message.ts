/**
 * The lines of the blackboard: what they look like, to and from JSON.
 *
 * @module
 */

import { isRecord } from "../core/record.ts";

/** A message to one session or to whichever takes it first. */
export interface BoardMessage {
  /** Its id. */
  readonly id: string;
  /** What it is about, in a word. */
  readonly type: string;
  /** The session that it is for; null for any. */
  readonly to: string | null;
  /** When it was posted, ISO 8601. */
  readonly created: string;
  /** From when on nobody need read it, ISO 8601. */
  readonly expires: string;
  /** Its other fields; in the line they stand beside those above. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The first line of a blackboard. */
export interface BoardHeader {
  /** The name of the line. */
  readonly kind: "header";
  /** Tells this blackboard from one that stood here before; it stays when it is compacted. */
  readonly board: string;
  /** The position of the first line that was posted since it was compacted. */
  readonly start: number;
  /** How many bytes before that line were carried over. */
  readonly carried: number;
}

/** A line that holds a message. */
export interface MessageLine {
  /** The name of the line. */
  readonly kind: "message";
  /** The message. */
  readonly message: BoardMessage;
  /** Where it stood at first, for one that was carried over; else null. */
  readonly position: number | null;
}

/** A line that says what became of a message. */
export interface MarkLine {
  /** `claim`: somebody has taken it; `ack`: what it asks for is done. */
  readonly kind: "claim" | "ack";
  /** The message's id. */
  readonly id: string;
  /** Who says so. */
  readonly by: string;
  /** When, ISO 8601. */
  readonly at: string;
}

/** Any line of a blackboard. */
export type BoardLine = BoardHeader | MessageLine | MarkLine;

/** The type of the messages that ask for a checkpoint. */
export const CHECKPOINT_TRIGGER = "checkpoint_trigger";

/** An id, a type or an owner has no more characters than this. */
export const MAX_NAME_CHARS = 200;

/** The field by which the first line is known; its value is the version of the format. */
const HEADER_FIELD = "trimtab_blackboard";

const VERSION = 1;

/** Names that no field of a payload may have. */
const RESERVED: ReadonlySet<string> = new Set([
  "id",
  "type",
  "to",
  "created",
  "expires",
  "position",
  "claim",
  "ack",
  HEADER_FIELD,
]);

/** Tells whether a field of a payload has a name that means something else in a line. */
export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

/** Writes a line. */
export function encodeLine(line: BoardLine): string {
  return `${JSON.stringify(fieldsOf(line))}\n`;
}

function fieldsOf(line: BoardLine): Record<string, unknown> {
  switch (line.kind) {
    case "header": {
      const { board, start, carried } = line;
      return { [HEADER_FIELD]: VERSION, board, start, carried };
    }
    case "message": {
      const { id, type, to, payload, created, expires } = line.message;
      const position = line.position === null ? {} : { position: line.position };
      return { id, type, to, ...payload, created, expires, ...position };
    }
    case "claim":
    case "ack":
      return { [line.kind]: line.id, by: line.by, at: line.at };
  }
}

/** Reads a line. */
export function decodeLine(text: string): BoardLine | null {
  // A blank line is what a writer leaves that found a torn one.
  if (!text.startsWith("{")) return null;
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(raw)) return null;
  return headerOf(raw) ?? markOf(raw, "claim") ?? markOf(raw, "ack") ?? messageOf(raw);
}

type Fields = Readonly<Record<string, unknown>>;

function headerOf(fields: Fields): BoardHeader | null {
  if (fields[HEADER_FIELD] !== VERSION) return null;
  const { board, start, carried } = fields;
  if (typeof board !== "string" || !isCount(start) || !isCount(carried)) return null;
  return { kind: "header", board, start, carried };
}

function markOf(fields: Fields, kind: MarkLine["kind"]): MarkLine | null {
  const { [kind]: id, by, at } = fields;
  return isName(id) && isName(by) && isTime(at) ? { kind, id, by, at } : null;
}

function messageOf(fields: Fields): MessageLine | null {
  const { id, type, to, created, expires, position = null, ...others } = fields;
  if (!isName(id) || !isName(type) || !(to === null || isName(to))) return null;
  if (!isTime(created) || !isTime(expires)) return null;
  if (position !== null && !isCount(position)) return null;
  const { claim: _claim, ack: _ack, [HEADER_FIELD]: _header, ...payload } = others;
  return { kind: "message", message: { id, type, to, created, expires, payload }, position };
}

/** Tells whether a value can name a message, a type or an owner. */
export function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_NAME_CHARS;
}

function isTime(value: unknown): value is string {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
