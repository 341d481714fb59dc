/** Reads data from the running session's transcript that rows do not contain. */

import { isObject } from "../core/record.ts";
import { asString, type Entry, parseObject, viewEntry } from "../transcript/entry.ts";
import { blocksOf } from "../transcript/content.ts";
import { boundaryKind } from "../transcript/in_place.ts";
import type { Client } from "./client.ts";
import { CHUNK_BYTES, readBytes, readWhole } from "./files.ts";

const NEWLINE = 0x0a;

/** A session with a longer transcript can only be trimmed as a copy. */
const MAX_TRANSCRIPT_BYTES = 192 * 1024 * 1024;

/** `number` counts the lines of the transcript from 1. */
export interface SessionLine {
  readonly number: number;
  readonly entry: Entry;
}

export interface Boundary {
  readonly line: SessionLine;
  readonly kind: "compaction" | "trim" | "undo";
}

export interface SessionLines {
  /** Entries before the newest boundary: messages, and attachments that were sent. */
  readonly before: readonly SessionLine[];
  /** The newest boundary; `undefined` if the session was never compacted or trimmed in place. */
  readonly boundary: SessionLine | undefined;
  readonly active: readonly SessionLine[];
  /** Oldest first. */
  readonly boundaries: readonly Boundary[];
  /** Parent uuid by entry uuid. */
  readonly parents: ReadonlyMap<string, string>;
}

/** A row with the uuid of its transcript entry, which the client provides under one of two names. */
type LiveRow = { readonly handle?: string; readonly uuid?: string };

/** Every entry of the conversation has this key; other lines of the client do not. */
const ENTRY_KEY = '"parentUuid":';

/** Leaves out boundaries that the user has rewound, with the lines after them, if the rows are given. */
export async function readSessionLines(
  client: Client,
  path: string,
  rows: readonly LiveRow[] = [],
): Promise<SessionLines> {
  const splitter = new LineSplitter();
  for await (const text of readTexts(client, path)) splitter.add(text);
  return splitter.finish(rows);
}

/** Returns the uuid of the newest row that the transcript has, apart from those in `others`. */
function tipOf(
  rows: readonly LiveRow[],
  parents: SessionLines["parents"],
  others: ReadonlySet<string> = new Set(),
): string | undefined {
  return rows.map(({ handle, uuid = "" }) => handle ?? uuid)
    .findLast((id) => parents.has(id) && !others.has(id));
}

export async function readLinesAt(
  client: Client,
  path: string,
  wanted: ReadonlySet<number>,
): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  let number = 0;
  for await (const text of readTexts(client, path)) {
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    for (const line of lines) if (wanted.has(++number)) found.set(number, line);
    if (found.size === wanted.size) break;
  }
  return found;
}

/** Yields whole lines, because the client's decoder breaks a character that spans two chunks. */
async function* readTexts(client: Client, path: string): AsyncGenerator<string> {
  const { size } = await client.fs.stat(path);
  if (size > MAX_TRANSCRIPT_BYTES) {
    throw new RangeError(`Cannot read the transcript: it has ${size} bytes`);
  }
  if (size <= CHUNK_BYTES) return yield await readWhole(client, path, size);
  let rest: Uint8Array[] = [];
  for await (const bytes of readChunks(client, path, size)) {
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      yield textOf([...rest, bytes.subarray(0, end)]);
      rest = [];
    }
    rest.push(bytes.subarray(end));
  }
  yield textOf(rest);
}

function textOf(pieces: readonly Uint8Array[]): string {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return new TextDecoder().decode(bytes);
}

async function* readChunks(
  client: Client,
  path: string,
  size: number,
): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < size; offset += CHUNK_BYTES) {
    yield await readBytes(client, path, { from: offset, to: size });
  }
}

export class LineSplitter {
  #rest = "";
  #number = 0;
  #before: SessionLine[] = [];
  #boundary: SessionLine | undefined;
  #active: SessionLine[] = [];
  readonly #boundaries: Boundary[] = [];
  readonly #parents = new Map<string, string>();
  /** Uuids of the entries without a parent. */
  readonly #roots = new Set<string>();
  readonly #rootById = new Map<string, string>();

  add(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#addLine(line);
  }

  /**
   * Ignores an incomplete last line.
   *
   * @param rows The conversation. Without it, every boundary counts.
   */
  finish(rows: readonly LiveRow[] = []): SessionLines {
    if (this.#rest !== "") this.#addLine(this.#rest);
    this.#rest = "";
    this.#recordBoundary();
    // A message that a summary kept is linked past that boundary.
    const kept = new Set(
      this.#boundaries.map(({ line }) => keptBy(line))
        .flatMap(({ uuids = [], allUuids = [] }) => [...uuids, ...allUuids]),
    );
    const boundaries = this.#boundariesOf(tipOf(rows, this.#parents, kept));
    const boundary = boundaries.at(-1)?.line;
    const from = boundary?.number ?? 0;
    const rewound = new Set(
      this.#boundaries.flatMap((one) => boundaries.includes(one) ? [] : uuidOf(one.line)),
    );
    const lines = rewound.size === 0
      ? this.#active
      : [...this.#before, ...this.#active].filter((line) =>
        !rewound.has(this.#rootOf(uuidOf(line)))
      );
    return {
      before: rewound.size === 0 ? this.#before : lines.filter(({ number }) => number < from),
      boundary,
      active: lines.filter(({ number }) => number > from),
      boundaries,
      parents: this.#parents,
    };
  }

  /** Returns the boundaries of the conversation that ends with `tip`, oldest first. */
  #boundariesOf(tip = ""): readonly Boundary[] {
    const all = this.#boundaries;
    // An older form names only the ends of what a summary kept.
    const isVague = all.some(({ line }) =>
      Object(line.entry.raw.compactMetadata).preservedSegment && keptBy(line).uuids === undefined
    );
    if (isVague) return all;
    const found: Boundary[] = [];
    for (let id = tip;;) {
      const keeping = all.findLast((one) =>
        !found.includes(one) && keptBy(one.line).uuids?.includes(id)
      );
      const root = this.#rootOf(id);
      const boundary = keeping ?? all.find(({ line }) => uuidOf(line) === root);
      if (boundary === undefined && this.#roots.has(root)) return found;
      // Without a tip, or behind a broken link, the conversation is not known.
      if (boundary === undefined || found.includes(boundary)) return all;
      found.unshift(boundary);
      id = asString(boundary.line.entry.raw.logicalParentUuid) ?? "";
    }
  }

  /** Remembers the root of each entry on the way, because many lines share most of it. */
  #rootOf(start: string): string {
    const path = new Set<string>();
    let id = start;
    for (let parent = this.#parents.get(id); parent !== undefined && !path.has(id);) {
      if (this.#rootById.has(id)) break;
      path.add(id);
      id = parent;
      parent = this.#parents.get(id);
    }
    const root = this.#rootById.get(id) ?? id;
    for (const one of path) this.#rootById.set(one, root);
    return root;
  }

  #addLine(line: string): void {
    this.#number++;
    if (!line.includes(ENTRY_KEY)) return;
    const raw = parseObject(line);
    if (raw === undefined || raw.isSidechain === true) return;
    const found = { number: this.#number, entry: viewEntry(raw) };
    const [uuid, parent] = [asString(raw.uuid), asString(raw.parentUuid)];
    if (uuid !== undefined && parent !== undefined) this.#parents.set(uuid, parent);
    if (uuid !== undefined && raw.parentUuid === null) this.#roots.add(uuid);
    if (found.entry.subtype === "compact_boundary") {
      this.#recordBoundary();
      this.#before = this.#before.concat(
        this.#active.filter(({ entry }) => isObject(entry.message) || isSentAttachment(entry)),
      );
      this.#active = [];
      this.#boundary = found;
    } else {
      this.#active.push(found);
    }
  }

  /** Records the newest boundary. The entries after a boundary show its cause. */
  #recordBoundary(): void {
    if (this.#boundary === undefined) return;
    const kind = boundaryKind(this.#active.map(({ entry }) => entry)) ?? "compaction";
    this.#boundaries.push({ line: this.#boundary, kind });
  }
}

function isSentAttachment({ type, raw }: Entry): boolean {
  return type === "attachment" && Array.isArray(raw.rendered);
}

export function uuidOf({ entry }: SessionLine): string {
  return entry.uuid ?? "";
}

/** Returns the uuids of the lines that a compaction kept, and the uuid of the line that they follow. */
export function keptBy(
  { entry }: SessionLine,
): { uuids?: string[]; allUuids?: string[]; anchorUuid?: string } {
  return Object(Object(entry.raw.compactMetadata).preservedMessages);
}

/** Matches user messages that the client or a hook writes, such as `<command-name>/clear`. */
export const NOT_A_PROMPT =
  /^(?:<(?:command-|local-command|bash-|task-notification|system-reminder|user-prompt-submit-hook|(?:agent|teammate)-message)|\[Request interrupted)/;

export function isPrompt({ entry }: SessionLine): boolean {
  const { type, message, raw } = entry;
  if (type !== "user" || raw.isMeta === true || raw.isCompactSummary === true) return false;
  const content = message?.content;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : blocksOf(entry);
  return blocks.length > 0 &&
    blocks.every((block) =>
      block.type !== "tool_result" && !NOT_A_PROMPT.test(asString(block.text) ?? "")
    );
}

/**
 * Returns a function that checks whether a line belongs to the conversation, rather than to turns
 * that the user has rewound.
 */
export function liveFinder(
  rows: readonly LiveRow[],
  parents: ReadonlyMap<string, string>,
): (line: SessionLine) => boolean {
  const tip = tipOf(rows, parents);
  if (tip === undefined) return () => true;
  const live = new Set<string>();
  for (let id: string | undefined = tip; id !== undefined && !live.has(id); id = parents.get(id)) {
    live.add(id);
  }
  return ({ entry }) => live.has(asString(entry.raw.uuid) ?? "");
}

/** Whether the transcript ends with turns that the user has rewound, as it does until the next message. */
export function endsRewound({ active, parents }: SessionLines, rows: readonly LiveRow[]): boolean {
  const newest = active.findLast(isPrompt);
  return newest !== undefined && !liveFinder(rows, parents)(newest);
}
