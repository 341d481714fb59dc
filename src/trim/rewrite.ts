/** Writes the trimmed copy in one pass and constant memory; bytes without edits are never parsed. */

import { BlockReader, type ByteSource } from "../transcript/blocks.ts";
import {
  asString,
  latin1Text,
  leadingObjects,
  type PlacedEntry,
  type TextRange,
} from "../transcript/entry.ts";
import { MemberWalker, skipSpace, skipValue } from "../transcript/json_scan.ts";
import { release } from "../transcript/lines.ts";
import { readBriefly } from "../transcript/long_lines.ts";
import { type Edit, EditList } from "./edit/edits.ts";
import {
  type CutResult,
  type EntryEditor,
  isTopLevel,
  stringAfterKey,
} from "./edit/entry_editor.ts";
import { JOINT, objectsOf, type ToolNames } from "./tool_names.ts";

/** A part of `"sessionId"`: short patterns are searched by the engine's fastest way. */
const SESSION_HINT = 'Id"';

/** A part of `"tool_use_id"` and of `"session_id"`. */
const SNAKE_HINT = '_id"';

/** Beginning of the client's lines that are not part of the tree. */
const TYPE_START = '{"type":"';

/** Beginnings of the client's lines with a title: the user's and its own. */
const TITLE_STARTS = ['{"type":"custom-title"', '{"type":"ai-title"'] as const;

const SESSION_KEY = '"sessionId"';
const OLD_SESSION_KEY = '"session_id"';
const RESULT_KEY = '"tool_use_id"';

export interface CopySink {
  readonly bytesWritten: number;
  write(bytes: Uint8Array): void;
}

export interface PlannedEdit {
  /** Where the entry starts in the file, in bytes. */
  offset: number;
  /** Adds the entry's edits; positions are those of `text`. */
  apply(text: string, start: number, end: number, edits: EditList, line: EntryLine): void;
}

interface EntryLine {
  bytes: Uint8Array;
  /** The line's number, from 1. */
  number: number;
}

interface RewriteOptions {
  /** The new session's id, or `undefined` to leave ids as they are. */
  sessionId: string | undefined;
  /** The session that the copy is made from; other ids of `session_id` fields stay. */
  parentSessionId: string | undefined;
  /** The first entry's `trim_metadata` as JSON text; `undefined` for none. */
  metadata: string | undefined;
  /** The key of the metadata. @default {"trim_metadata"} */
  metadataKey?: string;
  /** Called with the place of the metadata in the copy, in bytes. */
  onMetadata?: (offset: number) => void;
  editor: EntryEditor;
  /** The names of tools; the lines passed are added to it. */
  names: ToolNames;
  /** Further edits, in the order of their places. */
  planned: PlannedEdit[];
  onProgress?: (bytes: number) => void;
}

export class Rewriter {
  readonly #sink: CopySink;
  readonly #options: RewriteOptions;
  readonly #edits = new EditList();
  readonly #sessionBytes: Uint8Array | undefined;
  #reader: BlockReader;
  #text = "";
  #block: Uint8Array = new Uint8Array(0);
  #copied = 0;
  #planned = 0;
  #needsMetadata: boolean;
  #lineNumber = 0;
  #titles: (string | undefined)[] = [];
  #tornBytes = 0;

  /** Called for every result that is cut, with where its entry starts in the file, in bytes. */
  onCut: (cut: CutResult, offset: number) => void = () => {};

  constructor(source: ByteSource, limitBytes: number, sink: CopySink, options: RewriteOptions) {
    this.#reader = new BlockReader(source, { limitBytes });
    this.#sink = sink;
    this.#options = options;
    this.#needsMetadata = options.metadata !== undefined;
    const { sessionId } = options;
    this.#sessionBytes = sessionId === undefined
      ? undefined
      : new TextEncoder().encode(JSON.stringify(sessionId));
  }

  run(): { tornBytes: number; title: string | undefined } {
    while (this.#reader.next()) {
      this.#copyBlock();
      this.#options.onProgress?.(this.readTo);
    }
    this.#text = "";
    release(this.#reader.bytes);
    return { tornBytes: this.#tornBytes, title: this.#titles[0] ?? this.#titles[1] };
  }

  /** Behind what has been read of the transcript, in bytes: the calls before are known. */
  get readTo(): number {
    return this.#reader.offset + this.#reader.end - this.#reader.start;
  }

  #noteTitle(start: number, end: number): void {
    const index = TITLE_STARTS.findIndex((lead) => this.#text.startsWith(lead, start));
    if (index < 0) return;
    const raw = this.#read(start, end)?.entry.raw;
    this.#titles[index] = asString(raw?.customTitle) ?? asString(raw?.aiTitle);
  }

  /** The entry that a stretch holds, where it holds nothing else. */
  #read(start: number, end: number): PlacedEntry | undefined {
    const [first] = readBriefly(this.#block.subarray(start, end));
    return first?.start === 0 && first.end === end - start ? first : undefined;
  }

  #copyBlock(): void {
    const { bytes, start, end } = this.#reader;
    this.#block = bytes.subarray(start, end);
    const text = latin1Text(this.#block);
    this.#text = text;
    this.#copied = 0;
    this.#options.names.addLines({ text, bytes: this.#block });
    let session = text.indexOf(SESSION_HINT);
    let snake = text.indexOf(SNAKE_HINT);
    let joint = text.indexOf(JOINT);
    let at = 0;
    while (at < text.length) {
      const newline = text.indexOf("\n", at);
      const lineEnd = newline < 0 ? text.length : newline;
      this.#lineNumber++;
      const lineOffset = this.#reader.offset + at;
      if (text.startsWith(TYPE_START, at)) this.#noteTitle(at, lineEnd);
      const next = this.#options.planned[this.#planned];
      const isSpecial = (joint >= 0 && joint < lineEnd) || this.#needsMetadata || newline < 0 ||
        (next !== undefined && next.offset < lineOffset + lineEnd - at);
      if (isSpecial && !this.#copySpecialLine(at, lineEnd, newline < 0)) break;
      if (!isSpecial) {
        if (snake >= 0 && snake < lineEnd) this.#editSnake(at, lineEnd, snake);
        if (session >= 0 && session < lineEnd) this.#editSession(at, lineEnd, session);
        this.#apply();
      }
      at = lineEnd + 1;
      if (session >= 0 && session < at) session = text.indexOf(SESSION_HINT, at);
      if (snake >= 0 && snake < at) snake = text.indexOf(SNAKE_HINT, at);
      if (joint >= 0 && joint < at) joint = text.indexOf(JOINT, at);
    }
    this.#copyTo(text.length);
  }

  /** Handles a line that may hold several objects, the place of the metadata, or planned edits. */
  #copySpecialLine(start: number, end: number, isOpen: boolean): boolean {
    const text = this.#text;
    const objects = isOpen ? this.#wholeObjects(start, end) : objectsOf(text, start, end);
    const torn = isOpen ? objects.at(-1)?.end ?? start : end;
    if (text.slice(torn, end).trim() !== "") {
      this.#tornBytes = end - torn;
      if (torn === start) {
        this.#copyTo(start);
        this.#copied = text.length;
        return false;
      }
    }
    const parsed = isOpen || !this.#needsMetadata || this.#isParsed(objects[0]);
    for (const [index, object] of objects.entries()) {
      // On one line the client reads the first object and loses the rest.
      if (index > 0) this.#edits.add(object.start, object.start, "\n");
      this.#editSnake(object.start, object.end, text.indexOf(SNAKE_HINT, object.start));
      this.#editSession(object.start, object.end, text.indexOf(SESSION_HINT, object.start));
      // The first entry of a line may have been found where the line starts, with blanks before it.
      this.#editPlanned(index === 0 ? start : object.start, object.end);
      if (this.#needsMetadata && parsed) this.#addMetadata(object.start, object.end);
    }
    if (isOpen) this.#edits.add(this.#tornBytes > 0 ? torn : end, end, "\n");
    this.#apply();
    return true;
  }

  /** The objects that a line without an end begins with: what its writer had finished. */
  #wholeObjects(start: number, end: number): TextRange[] {
    const objects = leadingObjects(this.#text, start, end);
    const broken = objects.findIndex((object) => !this.#isParsed(object));
    return broken < 0 ? objects : objects.slice(0, broken);
  }

  #isParsed(object: { start: number; end: number } | undefined): boolean {
    if (object === undefined) return false;
    return this.#read(object.start, object.end) !== undefined;
  }

  /** Looks at the keys of a line that end in `_id`. */
  #editSnake(start: number, end: number, first: number): void {
    const text = this.#text;
    let hasResult = false;
    for (let hint = first; hint >= 0 && hint < end; hint = text.indexOf(SNAKE_HINT, hint + 1)) {
      const behind = hint + SNAKE_HINT.length;
      if (text.startsWith(RESULT_KEY, behind - RESULT_KEY.length)) hasResult = true;
      else if (text.startsWith(OLD_SESSION_KEY, behind - OLD_SESSION_KEY.length)) {
        this.#replaceId(start, end, behind - OLD_SESSION_KEY.length, behind, true);
      }
    }
    if (!hasResult) return;
    const { editor } = this.#options;
    const raw = { text, bytes: this.#block };
    for (const cut of editor.cutResults(raw, start, end, this.#lineNumber, this.#edits)) {
      this.onCut(cut, this.#reader.offset + start);
    }
  }

  #editSession(start: number, end: number, first: number): void {
    const text = this.#text;
    for (let hint = first; hint >= 0 && hint < end; hint = text.indexOf(SESSION_HINT, hint + 1)) {
      const behind = hint + SESSION_HINT.length;
      if (!text.startsWith(SESSION_KEY, behind - SESSION_KEY.length)) continue;
      this.#replaceId(start, end, behind - SESSION_KEY.length, behind, false);
    }
  }

  #replaceId(start: number, end: number, key: number, keyEnd: number, isOld: boolean): void {
    const bytes = this.#sessionBytes;
    if (bytes === undefined) return;
    const value = stringAfterKey(this.#text, keyEnd, end);
    if (value === undefined || !isTopLevel(this.#text, start, end, key, value.end)) return;
    // A line that does not even end like an object is broken, and stays as it is.
    if (!this.#text.slice(value.end, end).trimEnd().endsWith("}")) return;
    // `session_id` can name the session that a message was first made in; that stays true.
    if (
      isOld && this.#text.slice(value.start + 1, value.end - 1) !== this.#options.parentSessionId
    ) {
      return;
    }
    if (value.end - value.start === bytes.length) {
      this.#block.set(bytes, value.start);
    } else {
      this.#edits.add(value.start, value.end, bytes);
    }
  }

  #editPlanned(start: number, end: number): void {
    const { planned } = this.#options;
    const base = this.#reader.offset;
    const line: EntryLine = { bytes: this.#block, number: this.#lineNumber };
    for (;;) {
      const next = planned[this.#planned];
      if (next === undefined || next.offset >= base + end) return;
      this.#planned++;
      if (next.offset >= base + start) next.apply(this.#text, start, end, this.#edits, line);
    }
  }

  #addMetadata(start: number, end: number): void {
    const { metadata, metadataKey = "trim_metadata" } = this.#options;
    if (metadata === undefined) return;
    const walker = new MemberWalker();
    const open = skipSpace(this.#text, start, end);
    walker.start(this.#text, open, end);
    let hasMembers = false;
    while (walker.next()) {
      hasMembers = true;
      if (!walker.keyIs(metadataKey)) continue;
      this.#needsMetadata = false;
      this.#addMetadataEdit(walker.valueStart, walker.skip(), "", metadata);
      return;
    }
    const close = skipValue(this.#text, open, end) - 1;
    if (close < 0) return;
    this.#needsMetadata = false;
    this.#addMetadataEdit(close, close, `${hasMembers ? "," : ""}"${metadataKey}":`, metadata);
  }

  #addMetadataEdit(start: number, end: number, lead: string, metadata: string): void {
    this.#edits.add(start, end, lead + metadata);
    this.#edits.sort();
    // Where the edit ends up is known once those before it have been written.
    let offset = this.#sink.bytesWritten + start - this.#copied;
    for (const edit of this.#edits.edits) {
      if (edit.start >= start) break;
      offset += edit.bytes.length - (edit.end - edit.start);
    }
    this.#options.onMetadata?.(offset + new TextEncoder().encode(lead).length);
  }

  #apply(): void {
    const { edits } = this.#edits;
    if (edits.length === 0) return;
    this.#edits.sort();
    for (const edit of edits) this.#write(edit);
    this.#edits.truncate(0);
  }

  #write(edit: Edit): void {
    this.#copyTo(edit.start);
    this.#sink.write(edit.bytes);
    this.#copied = edit.end;
  }

  #copyTo(end: number): void {
    if (end <= this.#copied) return;
    this.#sink.write(this.#block.subarray(this.#copied, end));
    this.#copied = end;
  }
}
