/**
 * The blackboard: the shared message log of the agents that work on one project. Append-only, one
 * line of JSON a message; who takes one and that it is done are lines, too. Each message has a mark
 * by our key: one without it, as a repository can bring, reaches nobody.
 */

import { isRecord } from "../core/record.ts";
import { redactSecrets } from "../secrets/redact.ts";
import { writeFileAtomicSync } from "../store/atomic.ts";
import { type LockOptions, withLockSync } from "../store/lock.ts";
import { appendLinesSync } from "../store/log.ts";
import { hasSeal, type OwnPlace, sealOf } from "../store/ours.ts";
import { ensurePrivateDirSync } from "../store/private_dir.ts";
import { blackboardPath } from "./board_path.ts";
import { openFileSync, readStart } from "../store/read_file.ts";

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

/** The first line: how many bytes behind it the last compaction kept. */
interface HeaderLine {
  readonly kind: "header";
  readonly carried: number;
}

/** A line that holds a message, and the mark by which it is ours. */
interface MessageLine {
  readonly kind: "message";
  readonly message: BoardMessage;
  readonly mark: string | null;
}

/** A line that says that somebody has taken a message, or that what it asks for is done. */
interface FateLine {
  readonly kind: "claim" | "ack";
  readonly id: string;
  readonly by: string;
  readonly at: string;
}

export type BoardLine = HeaderLine | MessageLine | FateLine;

export interface BoardOptions extends OwnPlace, LockOptions {
  readonly nowMs: number;
}

export interface NewMessage {
  readonly type: string;
  /** The session that it is for; null for any. @default {null} */
  readonly to?: string | null;
  /** Its other fields. @default {{}} */
  readonly payload?: Readonly<Record<string, unknown>>;
  /** Its id. @default a random one */
  readonly id?: string;
  /** How long it is of use, in milliseconds. @default {MESSAGE_LIFE_MS} */
  readonly lifeMs?: number;
}

interface MessageState extends MessageLine {
  readonly claim: FateLine | null;
  readonly ack: FateLine | null;
}

export const CHECKPOINT_TRIGGER = "checkpoint_trigger";
/** How long a message is of use, unless its writer says otherwise, in milliseconds. */
export const MESSAGE_LIFE_MS = 24 * 60 * 60 * 1000;
const COMPACT_AT_BYTES = 1024 * 1024;
/** No more of the file is read, and nothing is posted beyond it, in bytes. */
export const MAX_BOARD_BYTES = 8 * 1024 * 1024;
export const MAX_MESSAGE_BYTES = 16 * 1024;
/** An id, a type or an owner has no more characters than this. */
export const MAX_NAME_CHARS = 200;
/** How long others at the blackboard are waited for, in milliseconds: each writes one line. */
const WAIT_MS = 2_000;
/** The field by which the first line is known; its value is the version of the format. */
const HEADER_FIELD = "trimtab_blackboard";
const VERSION = 1;
const RESERVED = ["id", "type", "to", "created", "expires", "mark", "claim", "ack", HEADER_FIELD];
const NEWLINE = 0x0a;

/** Posts a message: one line at the end of the project's blackboard, in one write. */
export function post(
  message: NewMessage,
  options: BoardOptions & { readonly maxBytes?: number },
): BoardMessage {
  const { waitMs = WAIT_MS, maxBytes = COMPACT_AT_BYTES } = options;
  const posted = messageOf(message, options.nowMs);
  Deno.statSync(options.projectDir);
  const mark = sealOf(options, "message", sealedText(posted));
  const text = encodeLine({ kind: "message", message: posted, mark });
  const bytes = byteLength(text);
  if (bytes > MAX_MESSAGE_BYTES) {
    throw new RangeError(
      `Cannot post message: it has ${bytes} bytes, expected at most ${MAX_MESSAGE_BYTES}`,
    );
  }
  const locked = atBoard({ ...options, waitMs }, (path) => {
    if (isLarge(path, bytes, maxBytes)) compact(options);
    append(path, text);
  });
  if (locked === null) {
    throw new Error(`Cannot post message: could not get the lock within ${waitMs} ms`);
  }
  return posted;
}

/** Lists what a session may take: open messages for it or for any, that nobody has taken. */
export function pendingFor(sessionId: string, options: BoardOptions): BoardMessage[] {
  const open = statesFor(sessionId, options).filter((state) => {
    const { to } = state.message;
    const isForIt = to === null || to === sessionId;
    return isForIt && state.claim === null && isOpen(state, options.nowMs);
  });
  return oursOf(open, options).map(({ message }) => message);
}

/** Takes all that a session may take, in one go; of all sessions that ask, one gets a message. */
export function claimPending(
  sessionId: string,
  options: BoardOptions & {
    readonly accepts?: (message: BoardMessage) => boolean;
    readonly isDone?: (message: BoardMessage) => boolean;
  },
): BoardMessage[] {
  const { accepts = (): boolean => true, isDone = (): boolean => false } = options;
  const wanted = (): BoardMessage[] => pendingFor(sessionId, options).filter(accepts);
  // Mostly there is nothing, and then no lock is taken.
  if (wanted().length === 0) return [];
  const locked = atBoard(options, (path) => {
    const taken = wanted();
    const fates = taken.flatMap((message) => [
      fateOf("claim", message, sessionId, options),
      ...(isDone(message) ? [fateOf("ack", message, sessionId, options)] : []),
    ]);
    append(path, fates.join(""));
    return taken;
  });
  return locked?.value ?? [];
}

/** Whether a session has taken a message of a kind and has not said that it is done. */
export function hasTaken(
  sessionId: string,
  accepts: (message: BoardMessage) => boolean,
  options: BoardOptions,
): boolean {
  return statesFor(sessionId, options).some((state) =>
    state.claim?.by === sessionId && isOpen(state, options.nowMs) && accepts(state.message)
  );
}

export function acknowledgeTaken(
  sessionId: string,
  isDone: (message: BoardMessage) => boolean,
  options: BoardOptions,
): number {
  const done = (): MessageState[] => {
    const states = statesFor(sessionId, options).filter(({ claim, ack, message }) =>
      claim?.by === sessionId && ack === null && isDone(message)
    );
    return oursOf(states, options);
  };
  if (done().length === 0) return 0;
  const locked = atBoard(options, (path) => {
    const fates = done().map(({ message }) => fateOf("ack", message, sessionId, options));
    append(path, fates.join(""));
    return fates.length;
  });
  return locked?.value ?? 0;
}

/** Takes out what is done, expired, damaged or a stranger's; only under the lock. */
export function compact(
  options: BoardOptions,
): { readonly kept: number; readonly dropped: number } {
  const path = blackboardPath(options.projectDir);
  const states = foldLines(decoded(readWholeLines(path).split("\n")));
  const open = oursOf(states.filter((state) => isOpen(state, options.nowMs)), options);
  const carried = open.map(({ message, mark, claim }) =>
    encodeLine({ kind: "message", message, mark }) + (claim === null ? "" : encodeLine(claim))
  ).join("");
  const header = encodeLine({ kind: "header", carried: byteLength(carried) });
  if (sizeOf(path) > 0) writeFileAtomicSync(path, header + carried);
  return { kept: open.length, dropped: states.length - open.length };
}

export function isStrangers(line: BoardLine, place: OwnPlace): boolean {
  return line.kind === "message" &&
    !hasSeal(place, "message", sealedText(line.message), line.mark);
}

export function encodeLine(line: BoardLine): string {
  return `${JSON.stringify(fieldsOf(line))}\n`;
}

/** Reads a line; null where it is none of ours. */
export function decodeLine(text: string): BoardLine | null {
  // A blank line is what a writer leaves that found a torn one.
  if (!text.startsWith("{")) return null;
  let fields: unknown;
  try {
    fields = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(fields)) return null;
  const { carried } = fields;
  if (fields[HEADER_FIELD] === VERSION && isCount(carried)) return { kind: "header", carried };
  return fateIn(fields, "claim") ?? fateIn(fields, "ack") ?? messageIn(fields);
}

function fieldsOf(line: BoardLine): Record<string, unknown> {
  if (line.kind === "header") return { [HEADER_FIELD]: VERSION, carried: line.carried };
  if (line.kind !== "message") return { [line.kind]: line.id, by: line.by, at: line.at };
  const { payload, created, expires, ...names } = line.message;
  const mark = line.mark === null ? {} : { mark: line.mark };
  return { ...names, ...payload, created, expires, ...mark };
}

function fateIn(
  fields: Readonly<Record<string, unknown>>,
  kind: FateLine["kind"],
): FateLine | null {
  const { [kind]: id, by, at } = fields;
  return isName(id) && isName(by) && isTime(at) ? { kind, id, by, at } : null;
}

function messageIn(fields: Readonly<Record<string, unknown>>): MessageLine | null {
  const { id, type, to, created, expires, mark = null, ...others } = fields;
  if (!isName(id) || !isName(type) || !(to === null || isName(to))) return null;
  if (!isTime(created) || !isTime(expires) || !(mark === null || isName(mark))) return null;
  const { claim: _claim, ack: _ack, [HEADER_FIELD]: _header, ...payload } = others;
  return { kind: "message", message: { id, type, to, created, expires, payload }, mark };
}

function messageOf(message: NewMessage, nowMs: number): BoardMessage {
  const { type, to = null, payload = {}, id = crypto.randomUUID() } = message;
  for (const [what, value] of Object.entries({ id, type, to })) {
    if (isName(value) || (what === "to" && value === null)) continue;
    throw new TypeError(`Cannot post message: its ${what} is ${JSON.stringify(value)}`);
  }
  const taken = Object.keys(payload).find((name) => RESERVED.includes(name));
  if (taken !== undefined) {
    throw new TypeError(
      `Cannot post message: its payload has a field "${taken}" of the line's own`,
    );
  }
  const screen = (_name: string, value: unknown): unknown =>
    typeof value === "string" ? redactSecrets(value) : value;
  const created = new Date(nowMs).toISOString();
  const expires = new Date(nowMs + (message.lifeMs ?? MESSAGE_LIFE_MS)).toISOString();
  return { id, type, to, created, expires, payload: JSON.parse(JSON.stringify(payload, screen)) };
}

/** What a mark is about: all of a message, however its line is written. */
function sealedText({ id, type, to, created, expires, payload }: BoardMessage): string {
  return JSON.stringify([id, type, to, created, expires, payload]);
}

/** Puts lines together to messages, strangers' too. Of several claims of one the first counts. */
function foldLines(lines: readonly BoardLine[]): MessageState[] {
  const fates = { claim: new Map<string, FateLine>(), ack: new Map<string, FateLine>() };
  for (const line of lines) {
    if (line.kind !== "claim" && line.kind !== "ack") continue;
    if (!fates[line.kind].has(line.id)) fates[line.kind].set(line.id, line);
  }
  return lines.filter((line) => line.kind === "message").map((line) => {
    const { id } = line.message;
    return { ...line, claim: fates.claim.get(id) ?? null, ack: fates.ack.get(id) ?? null };
  });
}

/** Those that are ours. Asked last, since it takes longest. */
function oursOf(states: readonly MessageState[], place: OwnPlace): MessageState[] {
  const seen = new Set<string>();
  return states.filter((state) => {
    // An id that stands twice is a mistake of its writer; the claims are about the first.
    if (seen.has(state.message.id) || isStrangers(state, place)) return false;
    seen.add(state.message.id);
    return true;
  });
}

function isOpen({ message, ack }: MessageState, nowMs: number): boolean {
  return ack === null && nowMs < Date.parse(message.expires);
}

/** What became of the messages from the first on that is for a session or for any. */
function statesFor(sessionId: string, place: OwnPlace): MessageState[] {
  const text = readWholeLines(blackboardPath(place.projectDir));
  // Others write JSON with spaces. What became of a message stands behind it.
  const found = [JSON.stringify(sessionId), '"to":null', '"to": null']
    .map((needle) => text.indexOf(needle)).filter((at) => at >= 0);
  if (found.length === 0) return [];
  const from = text.lastIndexOf("\n", Math.min(...found)) + 1;
  return foldLines(decoded(text.slice(from).split("\n")));
}

function decoded(lines: readonly string[]): BoardLine[] {
  return lines.map(decodeLine).filter((line) => line !== null);
}

function fateOf(
  kind: FateLine["kind"],
  { id }: BoardMessage,
  by: string,
  { nowMs }: BoardOptions,
): string {
  return encodeLine({ kind, id, by, at: new Date(nowMs).toISOString() });
}

function atBoard<T>(
  options: BoardOptions,
  work: (path: string) => T,
): { readonly value: T } | null {
  const path = blackboardPath(options.projectDir);
  ensurePrivateDirSync(path.slice(0, path.lastIndexOf("/")));
  return withLockSync(`${path}.lock`, () => work(path), options);
}

function readWholeLines(path: string): string {
  // A pipe of that name would hold up whoever opens it.
  if (!isFile(path)) return "";
  using file = openFileSync(path);
  const bytes = readStart(file, Math.min(MAX_BOARD_BYTES, file.statSync().size));
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  return new TextDecoder().decode(bytes.subarray(0, end));
}

function isFile(path: string): boolean {
  try {
    return Deno.lstatSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return false;
  }
}

/** Adds lines in one write; only under the lock. */
function append(path: string, lines: string): void {
  if (lines === "") return;
  const size = sizeOf(path);
  const text = size === 0 ? encodeLine({ kind: "header", carried: 0 }) + lines : lines;
  // A torn line takes a byte more to end.
  if (size + 1 + byteLength(text) > MAX_BOARD_BYTES) {
    throw new RangeError(`Cannot write to the blackboard: it is full, ${size} bytes`);
  }
  appendLinesSync(path, text);
}

/** What a compaction could not take out is not gone through again with every message. */
function isLarge(path: string, bytes: number, maxBytes: number): boolean {
  const size = sizeOf(path);
  if (size === 0 || size + bytes <= maxBytes) return false;
  if (size + bytes > MAX_BOARD_BYTES) return true;
  const header = decodeLine(readWholeLines(path).split("\n", 1)[0] ?? "");
  // One that tells of more than there is, is damaged.
  const carried = header?.kind === "header" && header.carried < size ? header.carried : 0;
  return size + bytes > 2 * carried;
}

function sizeOf(path: string): number {
  try {
    const { isFile, size } = Deno.lstatSync(path);
    if (isFile) return size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
  throw new TypeError(`Cannot use blackboard ${path}: it is not a regular file`);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_NAME_CHARS;
}

function isTime(value: unknown): value is string {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
