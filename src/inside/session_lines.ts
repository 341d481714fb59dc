/** Reads data from the running session's transcript that rows do not contain. */

import { type JsonObject, parseObject } from "../core/record.ts";
import { asString, type Entry, viewEntry } from "../transcript/entry.ts";
import {
  attachedBlocks,
  attachedMedia,
  blocksOf,
  clearedBy,
  queuedPrompt,
  renderedTextsIn,
  resultTexts,
} from "../transcript/content.ts";
import { boundaryKind } from "../transcript/in_place.ts";
import type { Client } from "./client.ts";
import { CHUNK_BYTES, readBytes, readWhole } from "./files.ts";

const NEWLINE = 0x0a;

const MAX_TRANSCRIPT_BYTES = 192 * 1024 * 1024;

export interface SessionLine {
  readonly number: number;
  readonly entry: Entry;
}

export interface Boundary {
  readonly line: SessionLine;
  readonly kind: "compaction" | "trim" | "undo";
}

export interface SessionLines {
  /** Entries before the newest boundary: messages, sent attachments, and records of cleared results. */
  readonly before: readonly SessionLine[];
  readonly active: readonly SessionLine[];
  /** Like `active`, without turns that the user has rewound. */
  readonly live: readonly SessionLine[];
  readonly boundaries: readonly Boundary[];
  readonly parents: ReadonlyMap<string, string>;
  /** Whether the transcript ends with turns that the user has rewound. The next message ends this state. */
  readonly endsWithRewoundTurns: boolean;
}

/** A row with the uuid of its transcript entry, which the client provides under one of two names. */
type LiveRow = { readonly handle?: string; readonly uuid?: string };

/** Every entry of the conversation has this key. Other lines that the client writes lack it. */
const ENTRY_KEY = '"parentUuid":';

export async function readSessionLines(
  client: Client,
  path: string,
  rows: readonly LiveRow[] = [],
): Promise<SessionLines> {
  const reader = new SessionReader();
  for await (const lines of readLines(client, path)) {
    for (const line of lines) reader.add(line);
  }
  return reader.finish(rows);
}

export async function readLinesAt(
  client: Client,
  path: string,
  wanted: ReadonlySet<number>,
): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  let number = 0;
  for await (const lines of readLines(client, path)) {
    for (const line of lines) if (wanted.has(++number)) found.set(number, line);
    if (found.size === wanted.size) break;
  }
  return found;
}

/** Decodes complete lines, because the client's decoder breaks a character that spans two chunks. */
async function* readLines(client: Client, path: string): AsyncGenerator<string[]> {
  const { size } = await client.fs.stat(path);
  if (size > MAX_TRANSCRIPT_BYTES) {
    throw new RangeError(
      `Cannot read the transcript: it has ${size} bytes, more than ${MAX_TRANSCRIPT_BYTES}. ` +
        "For a copy: /trim --copy",
    );
  }
  if (size <= CHUNK_BYTES) return yield linesOf(await readWhole(client, path, size));
  let rest: Uint8Array[] = [];
  for (let offset = 0; offset < size; offset += CHUNK_BYTES) {
    const bytes = await readBytes(client, path, { from: offset, to: size });
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      yield linesIn([...rest, bytes.subarray(0, end)]);
      rest = [];
    }
    rest.push(bytes.subarray(end));
  }
  yield linesIn(rest);
}

function linesIn(pieces: readonly Uint8Array[]): string[] {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return linesOf(new TextDecoder().decode(bytes));
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

export class SessionReader {
  #number = 0;
  #before: SessionLine[] = [];
  #boundary: SessionLine | undefined;
  #active: SessionLine[] = [];
  readonly #boundaries: Boundary[] = [];
  readonly #parents = new Map<string, string>();
  /** Uuids of boundaries, and of entries without a parent. */
  readonly #roots = new Set<string>();
  readonly #rootById = new Map<string, string>();

  /** Without rows, every boundary counts, and every line is live. */
  finish(rows: readonly LiveRow[] = []): SessionLines {
    this.#recordBoundary();
    // A message that a summary kept is not used as the tip: its parent links bypass the summary's boundary.
    const kept = new Set(
      this.#boundaries.map(({ line }) => keptLinesOf(line, this.#parents))
        .flatMap(({ uuids = [], allUuids = [] }) => [...uuids, ...allUuids]),
    );
    const known = rows.map(({ handle, uuid = "" }) => handle ?? uuid)
      .filter((id) => this.#parents.has(id));
    const boundaries = this.#boundariesOf(known.findLast((id) => !kept.has(id)));
    const from = boundaries.at(-1)?.line.number ?? 0;
    const rewound = new Set(
      this.#boundaries.flatMap((one) => boundaries.includes(one) ? [] : uuidOf(one.line)),
    );
    const lines = [...this.#before, ...this.#active].filter((line) =>
      rewound.size === 0 || !rewound.has(this.#rootOf(uuidOf(line)))
    );
    const path = pathFrom(known.at(-1), this.#parents);
    const ids = new Set(path);
    const active = lines.filter(({ number }) => number > from);
    // If the path is broken, it is unknown which turns were rewound.
    const reachesRoot = this.#roots.has(path.at(-1) ?? "");
    const newestPrompt = this.#active.findLast(isPrompt);
    return {
      before: lines.filter(({ number }) => number < from),
      active,
      live: reachesRoot ? this.#withoutRewound(active, ids) : active,
      boundaries,
      parents: this.#parents,
      endsWithRewoundTurns: newestPrompt !== undefined && ids.size > 0 &&
        !ids.has(uuidOf(newestPrompt)),
    };
  }

  /** Leaves out prompts that are not on the conversation's path, and the lines that descend from them. */
  #withoutRewound(lines: readonly SessionLine[], path: ReadonlySet<string>): SessionLine[] {
    const rewound = new Set<string | undefined>();
    return lines.filter((line) => {
      const id = uuidOf(line);
      const isOff = isPrompt(line) && !path.has(id);
      if (isOff || rewound.has(this.#parents.get(id))) rewound.add(id);
      return !rewound.has(id);
    });
  }

  #boundariesOf(tip = ""): readonly Boundary[] {
    const all = this.#boundaries;
    // If links are broken, nothing tells which lines were kept by a summary that an older client wrote.
    const hasUnresolvedSegment = all.some(({ line }) =>
      Object(line.entry.raw.compactMetadata).preservedSegment &&
      keptLinesOf(line, this.#parents).uuids === undefined
    );
    if (hasUnresolvedSegment) return all;
    const found: Boundary[] = [];
    for (let id = tip;;) {
      // Messages after a summary can descend from a message that the summary kept.
      const keepers = new Map(
        all.filter((one) => !found.includes(one)).flatMap((one) =>
          (keptLinesOf(one.line, this.#parents).uuids ?? []).map((kept) => [kept, one])
        ),
      );
      const keeping = keepers.get(
        pathFrom(id, this.#parents).find((one) => keepers.has(one)) ?? "",
      );
      const root = this.#rootOf(id);
      const boundary = keeping ?? all.find(({ line }) => uuidOf(line) === root);
      if (boundary === undefined && this.#roots.has(root)) return found;
      // Without a tip, or beyond a broken link, it is unknown which boundaries were rewound.
      if (boundary === undefined || found.includes(boundary)) return all;
      found.unshift(boundary);
      id = asString(boundary.line.entry.raw.logicalParentUuid) ?? "";
    }
  }

  /** Returns the oldest known ancestor. Caches it for each line of the path, as lines share ancestors. */
  #rootOf(start: string): string {
    const path = new Set<string>();
    let id = start;
    while (!path.has(id) && !this.#rootById.has(id)) {
      const parent = this.#parents.get(id);
      if (parent === undefined) break;
      path.add(id);
      id = parent;
    }
    const root = this.#rootById.get(id) ?? id;
    for (const one of path) this.#rootById.set(one, root);
    return root;
  }

  add(line: string): void {
    this.#number++;
    if (!line.includes(ENTRY_KEY)) return;
    const raw = parseObject(line);
    if (raw === undefined) return;
    const entry = viewEntry(raw);
    const { uuid, parentUuid } = entry;
    if (entry.isSidechain) return;
    const found = { number: this.#number, entry };
    const isBoundary = entry.subtype === "compact_boundary";
    if (uuid !== undefined) {
      // A boundary is a root even if it has a parent link, as in a transcript that `/branch` copied.
      if (parentUuid === null || isBoundary) this.#roots.add(uuid);
      else if (parentUuid !== undefined) this.#parents.set(uuid, parentUuid);
    }
    if (isBoundary) {
      this.#recordBoundary();
      this.#before = this.#before.concat(
        this.#active.filter(({ entry }) =>
          entry.message !== undefined || renderedBlocks(entry).length > 0 ||
          clearedBy(entry).length > 0
        ),
      );
      this.#active = [];
      this.#boundary = found;
    } else {
      this.#active.push(found);
    }
  }

  #recordBoundary(): void {
    if (this.#boundary === undefined) return;
    const kind = boundaryKind(this.#active.map(({ entry }) => entry)) ?? "compaction";
    this.#boundaries.push({ line: this.#boundary, kind });
  }
}

/** Rebuilds the texts of an attachment with a picture, which Claude Code 2.1.330 does not record. */
export function renderedTexts(entry: Entry): string[] {
  const { rendered, attachment } = entry.raw;
  if (Array.isArray(rendered)) return renderedTextsIn(rendered);
  const prompt = queuedPrompt(entry);
  if (prompt !== undefined) return [prompt];
  const { type, filename } = Object(attachment);
  const blocks = type === "file" ? attachedBlocks(attachment) : [];
  if (blocks.length === 0) return [];
  const input = JSON.stringify({ file_path: filename });
  return [
    `<system-reminder>\nCalled the Read tool with the following input: ${input}\n</system-reminder>`,
    ...resultTexts(blocks),
  ];
}

export function renderedBlocks(entry: Entry): JsonObject[] {
  return [...renderedTexts(entry).map((text) => ({ type: "text", text })), ...attachedMedia(entry)];
}

export function uuidOf({ entry }: SessionLine): string {
  return entry.uuid ?? "";
}

/** Older clients record only the first and the last line that a compaction kept. */
export function keptLinesOf(
  { entry }: SessionLine,
  parents: ReadonlyMap<string, string>,
): { uuids?: string[]; allUuids?: string[]; anchorUuid?: string } {
  const { preservedMessages, preservedSegment } = Object(entry.raw.compactMetadata);
  if (preservedMessages || !preservedSegment) return Object(preservedMessages);
  const { headUuid, tailUuid, anchorUuid } = preservedSegment;
  const path = pathFrom(tailUuid, parents);
  const end = path.indexOf(headUuid) + 1;
  return end === 0 ? { anchorUuid } : { anchorUuid, uuids: path.slice(0, end).reverse() };
}

function pathFrom(start: string | undefined, parents: ReadonlyMap<string, string>): string[] {
  const path = new Set<string>();
  for (let id = start; id !== undefined && !path.has(id); id = parents.get(id)) path.add(id);
  return [...path];
}

/** Matches user messages that the client or a hook writes, such as `<command-name>/clear`. */
const NOT_A_PROMPT =
  /^(?:<(?:command-|local-command|bash-|task-notification|system-reminder|user-prompt-submit-hook|(?:agent|teammate)-message)|\[Request interrupted|Operation stopped by hook:|This session is being continued from a previous conversation)/;

export function isPrompt(line: SessionLine): boolean {
  const { type, raw } = line.entry;
  if (type !== "user" || raw.isMeta === true || raw.isCompactSummary === true) return false;
  const blocks = contentBlocks(line);
  return blocks.length > 0 &&
    blocks.every((block) =>
      block.type !== "tool_result" && !NOT_A_PROMPT.test(asString(block.text) ?? "")
    );
}

export function contentBlocks({ entry }: Pick<SessionLine, "entry">): JsonObject[] {
  const text = asString(entry.message?.content);
  return text === undefined ? blocksOf(entry) : [{ type: "text", text }];
}
