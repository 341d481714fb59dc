/**
 * The file of the blackboard: where it is, and how lines are read from it and added to it.
 *
 * @module
 */

import { type LockOptions, withLockSync } from "../store/lock.ts";
import { appendLinesSync } from "../store/log.ts";
import { ensurePrivateDirSync } from "../store/private_dir.ts";
import { blackboardPath } from "./board_path.ts";
import { type BoardHeader, type BoardLine, decodeLine, encodeLine } from "./message.ts";

/** No more of the file is read, and nothing is posted beyond it, in bytes. */
export const MAX_BOARD_BYTES = 8 * 1024 * 1024;

/** The first line is shorter, in bytes. */
const MAX_HEADER_BYTES = 1024;

const NEWLINE = 0x0a;

/** Whose blackboard, and how long to wait for others at it. */
export interface BoardPlace extends LockOptions {
  /** The folder of the project. */
  readonly projectDir: string;
}

/** A blackboard's first line, and how long it is in bytes: 0 where there is none. */
export interface PlacedHeader extends BoardHeader {
  /** Its length in bytes. */
  readonly bytes: number;
}

/** A line and where in the file it begins, in bytes. */
interface PlacedLine {
  /** What it says. */
  readonly line: BoardLine;
  /** Where it begins, in bytes. */
  readonly offset: number;
}

/** A part of a blackboard. */
interface BoardPart {
  /** The lines that can be read; damaged ones are left out. */
  readonly lines: readonly PlacedLine[];
  /** Where the last whole line ends, in bytes. */
  readonly end: number;
}

/** A file without a first line of ours: all that stands there has been there from the start. */
const NO_HEADER: PlacedHeader = { kind: "header", board: "", start: 0, carried: 0, bytes: 0 };

/** Does some work at a blackboard while no other process does. */
export function atBlackboard<T>(
  place: BoardPlace,
  work: (path: string) => T,
): { readonly value: T } | null {
  const path = blackboardPath(place.projectDir);
  ensurePrivateDirSync(path.slice(0, path.lastIndexOf("/")));
  return withLockSync(`${path}.lock`, () => work(path), place);
}

/** Opens a blackboard to read it. */
export function openBoard(path: string): Deno.FsFile | null {
  try {
    // A pipe of that name would hold up whoever opens it.
    return Deno.lstatSync(path).isFile ? Deno.openSync(path) : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return null;
  }
}

/** Reads the first line. */
export function readHeader(file: Deno.FsFile): PlacedHeader {
  const head = readBytes(file, 0, MAX_HEADER_BYTES);
  const newline = head.indexOf(NEWLINE);
  const line = newline < 0
    ? null
    : decodeLine(new TextDecoder().decode(head.subarray(0, newline + 1)));
  if (line?.kind !== "header") return NO_HEADER;
  const bytes = newline + 1;
  // Damaged, or the file was cut: messages that are posted must not count as carried over.
  return bytes + line.carried > file.statSync().size ? NO_HEADER : { ...line, bytes };
}

/** Reads lines to the end of the file. */
export function readPart(file: Deno.FsFile, from: number): BoardPart {
  const bytes = readBytes(file, from, MAX_BOARD_BYTES);
  const decoder = new TextDecoder();
  const lines: PlacedLine[] = [];
  let start = 0;
  for (;;) {
    const newline = bytes.indexOf(NEWLINE, start);
    if (newline < 0) break;
    const line = decodeLine(decoder.decode(bytes.subarray(start, newline)));
    if (line !== null) lines.push({ line, offset: from + start });
    start = newline + 1;
  }
  return { lines, end: from + start };
}

/** Reads the whole lines in which a text stands; most lines need not be parsed. */
export function readLinesWith(path: string, needle: string): BoardLine[] {
  const text = readWholeLines(path);
  const lines: string[] = [];
  for (let at = text.indexOf(needle); at >= 0;) {
    const end = text.indexOf("\n", at);
    lines.push(text.slice(text.lastIndexOf("\n", at) + 1, end));
    at = text.indexOf(needle, end);
  }
  return decoded(lines);
}

/** Reads the whole lines from the first on in which one of some texts stands. */
export function readLinesFrom(path: string, needles: readonly string[]): BoardLine[] {
  const text = readWholeLines(path);
  const found = needles.map((needle) => text.indexOf(needle)).filter((at) => at >= 0);
  if (found.length === 0) return [];
  return decoded(text.slice(text.lastIndexOf("\n", Math.min(...found)) + 1).split("\n"));
}

function readWholeLines(path: string): string {
  using file = openBoard(path);
  if (file === null) return "";
  const bytes = readBytes(file, 0, MAX_BOARD_BYTES);
  return new TextDecoder().decode(bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1));
}

function decoded(lines: readonly string[]): BoardLine[] {
  return lines.map((line) => decodeLine(line)).filter((line) => line !== null);
}

/** Adds lines in one write; only under the lock. */
export function appendLines(path: string, lines: readonly BoardLine[]): void {
  const size = sizeOf(path);
  const header = size === 0 ? encodeLine(newHeader()) : "";
  const text = header + lines.map(encodeLine).join("");
  // A torn line takes a byte more to end.
  if (size + 1 + new TextEncoder().encode(text).length > MAX_BOARD_BYTES) {
    throw new RangeError(`Cannot write to the blackboard: it is full, ${size} bytes`);
  }
  appendLinesSync(path, text);
}

/** Tells how large a blackboard is. */
export function sizeOf(path: string): number {
  try {
    const { isFile, size } = Deno.lstatSync(path);
    if (isFile) return size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
  throw new TypeError(`Cannot use blackboard ${path}: it is not a regular file`);
}

function newHeader(): BoardHeader {
  return { kind: "header", board: crypto.randomUUID(), start: 0, carried: 0 };
}

function readBytes(file: Deno.FsFile, from: number, limit: number): Uint8Array {
  const length = Math.max(0, Math.min(limit, file.statSync().size - from));
  const bytes = new Uint8Array(length);
  file.seekSync(from, Deno.SeekMode.Start);
  let filled = 0;
  while (filled < length) {
    const count = file.readSync(bytes.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
