/** Writes the copy of a transcript in one pass, block by block. Most unchanged lines are not parsed. */

import type { JsonObject } from "../core/record.ts";
import { BlockReader, type ByteSource, release } from "../transcript/lines.ts";
import {
  asString,
  type Entry,
  latin1Text,
  parseExactly,
  placeEntries,
  type TextRange,
} from "../transcript/entry.ts";
import { memberAt, skipSpace, skipValue } from "../transcript/json_scan.ts";

const NEWLINE = 0x0a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Bytes at each end of a line that are searched first for the session id. */
const END_BYTES = 1024;

const SESSION_KEY = '"sessionId"';

const PLAIN_VALUE = /\s*:\s*("[^"\\]*")/y;

const BRACKETS = /[[\]{}]/;

const NOT_FOUND: Readonly<TextRange> = { start: -1, end: -1 };

const TITLE = /^\{"type":"(?:custom|ai)-title"/;

export interface CopySink {
  readonly bytesWritten: number;
  write(bytes: Uint8Array): void;
  overwrite?(offset: number, bytes: Uint8Array): void;
}

/** Returns a callback to run after the entry is written, or undefined if the entry is unchanged. */
export type EntryChange = (entry: JsonObject, lineNumber: number) => (() => void) | undefined;

interface CopyOptions {
  readonly sessionId?: string | undefined;
  /** Keyed by the byte offset of the entry in the source, in ascending order. */
  readonly changes?: ReadonlyMap<number, EntryChange>;
  /** Byte offsets of lines with several entries; `any` if every line may have several. @default {none} */
  readonly multiEntryLines?: ReadonlySet<number> | "any";
  readonly metadata?: Metadata | undefined;
}

interface Metadata {
  readonly key: string;
  /** JSON; trailing blanks reserve room for a longer value. */
  readonly text: string;
  /** Called with the byte offset of the value in the copy. */
  readonly onPlace?: (offset: number) => void;
}

interface CopyResult {
  /** Length of the unfinished end of the last line, in bytes. It is not copied. */
  readonly tornBytes: number;
  readonly title: string | undefined;
}

export function writeCopy(
  source: ByteSource,
  limitBytes: number,
  sink: CopySink,
  options: CopyOptions,
): CopyResult {
  return new CopyWriter(source, limitBytes, sink, options).run();
}

class CopyWriter {
  readonly #reader: BlockReader;
  readonly #sink: CopySink;
  readonly #options: CopyOptions;
  readonly #sessionBytes: Uint8Array | undefined;
  readonly #offsets: readonly number[];
  #block: Uint8Array = new Uint8Array(0);
  #copied = 0;
  #next = 0;
  #needsMetadata: boolean;
  #lineNumber = 0;
  #tornBytes = 0;
  #userTitle: string | undefined;
  #generatedTitle: string | undefined;

  constructor(source: ByteSource, limitBytes: number, sink: CopySink, options: CopyOptions) {
    this.#reader = new BlockReader(source, { limitBytes });
    this.#sink = sink;
    this.#options = options;
    this.#offsets = [...options.changes?.keys() ?? []];
    this.#needsMetadata = options.metadata !== undefined;
    const { sessionId } = options;
    this.#sessionBytes = sessionId === undefined ? undefined : encode(JSON.stringify(sessionId));
  }

  run(): CopyResult {
    const reader = this.#reader;
    while (reader.next()) {
      this.#block = reader.bytes.subarray(reader.start, reader.end);
      this.#copied = 0;
      this.#copyBlock();
    }
    release(reader.bytes);
    return { tornBytes: this.#tornBytes, title: this.#userTitle ?? this.#generatedTitle };
  }

  #copyBlock(): void {
    const block = this.#block;
    for (let position = 0; position < block.length;) {
      const newline = block.indexOf(NEWLINE, position);
      const end = newline < 0 ? block.length : newline;
      this.#lineNumber++;
      const isParsed = newline < 0 || this.#needsMetadata || this.#nextChange() < end ||
        this.#hasSeveralEntries(position);
      if (isParsed) this.#copyEntries(position, end, newline < 0);
      else this.#copyLine(position, end);
      while (this.#nextChange() < end) this.#next++;
      position = end + 1;
    }
    this.#copyTo(block.length);
  }

  #hasSeveralEntries(start: number): boolean {
    const { multiEntryLines } = this.#options;
    return multiEntryLines === "any" || multiEntryLines?.has(this.#reader.offset + start) === true;
  }

  #nextChange(): number {
    return (this.#offsets[this.#next] ?? Infinity) - this.#reader.offset;
  }

  #copyEntries(start: number, end: number, isUnterminated: boolean): void {
    const line = this.#block.subarray(start, end);
    const placedEntries = placeEntries(line);
    const parsedEnd = placedEntries.at(-1)?.end ?? 0;
    const isBroken = latin1Text(line.subarray(parsedEnd)).trim() !== "";
    const isReadable = !isBroken || isUnterminated;
    // A line with several entries is split, because the client reads only the first object of a line.
    const mustSplit = isReadable && this.#hasSeveralEntries(start);
    const isEntry = isReadable && (mustSplit || placedEntries.length === 1);
    for (const [index, { entry, ...range }] of placedEntries.entries()) {
      const place = { start: start + range.start, end: start + range.end };
      if (index > 0 && mustSplit) this.#splice(place.start, place.start, encode("\n"));
      this.#rememberTitle(entry);
      const metadata = this.#needsMetadata && isEntry ? this.#options.metadata : undefined;
      if (!this.#changeEntry(place, metadata)) this.#replaceId(place.start, place.end);
    }
    if (placedEntries.length === 0 && !isUnterminated) this.#replaceId(start, end);
    if (!isUnterminated) return;
    if (isBroken) this.#tornBytes = line.length - parsedEnd;
    const torn = isBroken ? start + parsedEnd : end;
    // A torn line without a complete entry is dropped entirely.
    this.#splice(torn, end, isBroken && parsedEnd === 0 ? new Uint8Array(0) : encode("\n"));
  }

  #changeEntry({ start, end }: TextRange, metadata: Metadata | undefined): boolean {
    const change = this.#options.changes?.get(this.#reader.offset + start);
    if (change === undefined && metadata === undefined) return false;
    // Keeps blanks and byte order marks around the entry.
    const open = this.#block.indexOf(OPEN_BRACE, start);
    const close = this.#block.lastIndexOf(CLOSE_BRACE, end - 1) + 1;
    const raw = parseExactly(new TextDecoder().decode(this.#block.subarray(open, close)));
    try {
      const onWritten = change?.(raw, this.#lineNumber);
      if (onWritten === undefined && metadata === undefined) return false;
      const { sessionId } = this.#options;
      if (sessionId !== undefined && typeof raw.sessionId === "string") raw.sessionId = sessionId;
      this.#writeEntry(raw, { start: open, end: close }, metadata);
      onWritten?.();
    } catch (error) {
      // An entry that is nested too deeply to be written is left unchanged.
      if (!(error instanceof RangeError)) throw error;
      return false;
    }
    return true;
  }

  #writeEntry(raw: JsonObject, { start, end }: TextRange, metadata: Metadata | undefined): void {
    if (metadata === undefined) {
      this.#splice(start, end, encode(JSON.stringify(raw)));
      return;
    }
    const { key, text: value, onPlace } = metadata;
    const text = JSON.stringify({ ...raw, [key]: JSON.parse(value) });
    const position = text.lastIndexOf(value.trimEnd());
    const lead = encode(text.slice(0, position));
    this.#needsMetadata = false;
    this.#copyTo(start);
    onPlace?.(this.#sink.bytesWritten + lead.length);
    this.#sink.write(lead);
    this.#splice(start, end, encode(value + text.slice(position + value.trimEnd().length)));
  }

  #copyLine(start: number, end: number): void {
    const head = latin1Text(this.#block.subarray(start, Math.min(end, start + END_BYTES)));
    if (TITLE.test(head)) {
      for (const { entry } of placeEntries(this.#block.subarray(start, end))) {
        this.#rememberTitle(entry);
      }
    }
    this.#replaceId(start, end, head);
  }

  #rememberTitle({ type, raw }: Entry): void {
    if (type === "custom-title") this.#userTitle = asString(raw.customTitle);
    if (type === "ai-title") this.#generatedTitle = asString(raw.aiTitle);
  }

  #replaceId(start: number, end: number, head?: string): void {
    const id = this.#sessionBytes;
    if (id === undefined) return;
    const place = findSessionId(this.#block.subarray(start, end), head);
    if (place.end < 0) return;
    if (place.end - place.start === id.length) this.#block.set(id, start + place.start);
    else this.#splice(start + place.start, start + place.end, id);
  }

  #splice(start: number, end: number, bytes: Uint8Array): void {
    this.#copyTo(start);
    this.#sink.write(bytes);
    this.#copied = end;
  }

  #copyTo(end: number): void {
    if (end <= this.#copied) return;
    this.#sink.write(this.#block.subarray(this.#copied, end));
    this.#copied = end;
  }
}

function findSessionId(
  line: Uint8Array,
  head = latin1Text(line.subarray(0, END_BYTES)),
): Readonly<TextRange> {
  const tailStart = Math.max(0, line.length - END_BYTES);
  const tail = tailStart === 0 ? head : latin1Text(line.subarray(tailStart));
  // A line that does not end like an object is broken and is left unchanged.
  const close = tail.trimEnd().length - 1;
  if (tail[close] !== "}") return NOT_FOUND;
  // In lines of older clients, the key comes before all nested values, so its first occurrence counts.
  const first = stringAfterKey(head, head.indexOf(SESSION_KEY));
  const open = head.indexOf("{") + 1;
  if (first !== NOT_FOUND && !BRACKETS.test(head.slice(open, first.start))) return first;
  // In lines of newer clients, the key comes after all nested values, so its last occurrence counts.
  const last = stringAfterKey(tail, tail.lastIndexOf(SESSION_KEY));
  if (last !== NOT_FOUND && !BRACKETS.test(tail.slice(last.end, close))) {
    return { start: tailStart + last.start, end: tailStart + last.end };
  }
  const text = latin1Text(line);
  if (!text.includes(SESSION_KEY)) return NOT_FOUND;
  const start = memberAt(text, skipSpace(text, 0, text.length), text.length, "sessionId");
  return start < 0 || text[start] !== '"'
    ? NOT_FOUND
    : { start, end: skipValue(text, start, text.length) };
}

function stringAfterKey(text: string, key: number): Readonly<TextRange> {
  PLAIN_VALUE.lastIndex = key + SESSION_KEY.length;
  const [whole = "", value = ""] = key < 0 ? [] : PLAIN_VALUE.exec(text) ?? [];
  const end = key + SESSION_KEY.length + whole.length;
  return value === "" ? NOT_FOUND : { start: end - value.length, end };
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
