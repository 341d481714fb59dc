/**
 * The active context: the entries that the model gets when a session is resumed, in the order in
 * which it gets them.
 *
 * Source of the rules: what Claude Code 2.1.197 was seen to send for hand-made transcripts and for
 * sessions of its own; the end-to-end tests compare both.
 *
 * @module
 */

import { Conversation, MORE, type TreeNode, UpwardWalk } from "./conversation.ts";
import { type Entry, parseObject, readEntries, splitObjects, viewEntry } from "./entry.ts";
import { readLinesBackward, type SeekableSource } from "./lines.ts";
import type { SessionUsage } from "./usage.ts";

/** The entries of an active context, by where they stand in the file. */
export interface ActiveContext {
  /** The entries in the order in which they are sent. */
  nodes: TreeNode[];
  /** The newest usage, unless a compaction came after it. */
  usage: SessionUsage | null;
  /** Whether a compaction cuts the context. */
  isCompacted: boolean;
  /** Whether the last line is torn: its writer had not finished it. */
  isLastLineTorn: boolean;
  /** The earliest byte that had to be read. */
  readFrom: number;
}

/**
 * Works out the active context, reading back from the end no further than it must.
 *
 * Permissions: none of its own; `file` must be open for reading.
 *
 * @param file The transcript.
 * @param size How much of it counts, in bytes; usually all of it.
 * @returns The context; empty for a file without messages.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { findActiveContext } from "./active_context.ts";
 *
 * const path = Deno.makeTempFileSync();
 * const lines = [
 *   { type: "user", uuid: "a", parentUuid: null },
 *   { type: "user", uuid: "left", parentUuid: "a" },
 *   { type: "user", uuid: "b", parentUuid: "a" },
 * ];
 * Deno.writeTextFileSync(path, lines.map((line) => JSON.stringify(line) + "\n").join(""));
 * using file = Deno.openSync(path);
 * const context = findActiveContext(file, file.statSync().size);
 * assertEquals(context.nodes.map((node) => node.uuid), ["a", "b"]);
 * Deno.removeSync(path);
 * ```
 */
export function findActiveContext(file: SeekableSource, size: number): ActiveContext {
  const conversation = new Conversation();
  let isLastLineTorn = false;
  let readFrom = size;
  let chain: TreeNode[] | undefined;
  for (const line of readLinesBackward(file, size)) {
    const entries = readEntries(line.bytes);
    if (!line.isTerminated && entries.length === 0 && line.bytes.length > 0) isLastLineTorn = true;
    addLine(conversation, entries, line.bytes, line.offset);
    readFrom = line.offset;
    chain = completeChain(conversation);
    if (chain !== undefined) break;
  }
  conversation.finish();
  chain ??= completeChain(conversation) ?? [];
  const isCompacted = chain[0]?.boundary !== undefined;
  const nodes = restoreParallelCalls(conversation, chain);
  return {
    nodes: insertPreserved(conversation, nodes),
    usage: chain.findLast((node) => node.usage !== undefined)?.usage ?? null,
    isCompacted,
    isLastLineTorn,
    readFrom,
  };
}

/**
 * Reads the entries of an active context again, one at a time.
 *
 * @param file The transcript.
 * @param nodes The entries to read.
 * @returns Each entry with its node; one that has changed meanwhile is left out.
 */
export function* readNodes(
  file: SeekableSource,
  nodes: Iterable<TreeNode>,
): Generator<{ node: TreeNode; entry: Entry }, void, undefined> {
  const decoder = new TextDecoder();
  let bytes = new Uint8Array(0);
  for (const node of nodes) {
    if (bytes.length < node.length) bytes = new Uint8Array(node.length * 2);
    file.seekSync(node.offset, Deno.SeekMode.Start);
    let filled = 0;
    while (filled < node.length) {
      const count = file.readSync(bytes.subarray(filled, node.length));
      if (count === null) break;
      filled += count;
    }
    const raw = parseObject(decoder.decode(bytes.subarray(0, filled)));
    if (raw !== undefined) yield { node, entry: viewEntry(raw) };
  }
}

function addLine(
  conversation: Conversation,
  entries: Entry[],
  bytes: Uint8Array,
  offset: number,
): void {
  const [first] = entries;
  if (entries.length === 1 && first !== undefined) {
    conversation.add(first, offset, bytes.length);
    return;
  }
  if (entries.length === 0) return;
  // One character a byte, so that the places found are places in the file.
  const ranges = splitObjects(new TextDecoder("latin1").decode(bytes), 0, bytes.length);
  for (let i = entries.length - 1; i >= 0; i--) {
    const [entry, range] = [entries[i], ranges[i]];
    if (entry === undefined || range === undefined) continue;
    conversation.add(entry, offset + range.start, range.end - range.start);
  }
}

/** The way from the root or the compaction to the tip, or `undefined` while too little is read. */
function completeChain(conversation: Conversation): TreeNode[] | undefined {
  const walk = conversation.walk();
  if (walk === MORE) return undefined;
  if (walk === null) return [];
  if (!walk.isComplete) return undefined;
  const isLacking = missingPreserved(conversation, walk.path.at(-1)) !== undefined;
  return isLacking && !conversation.isFinished ? undefined : walk.path.toReversed();
}

function missingPreserved(
  conversation: Conversation,
  first: TreeNode | undefined,
): string | undefined {
  if (first?.boundary === undefined) return undefined;
  const { uuids, headUuid, tailUuid } = first.boundary;
  if (uuids !== undefined) return uuids.find((uuid) => !conversation.nodes.has(uuid));
  if (headUuid === undefined || tailUuid === undefined) return undefined;
  if (!conversation.nodes.has(tailUuid)) return tailUuid;
  return conversation.nodes.has(headUuid) ? undefined : headUuid;
}

/** The lines that a compaction kept, or nothing where one of them is not to be found. */
function preservedNodes(conversation: Conversation, boundary: TreeNode): TreeNode[] {
  const kept = boundary.boundary;
  if (kept === undefined || missingPreserved(conversation, boundary) !== undefined) return [];
  if (kept.uuids !== undefined) {
    return kept.uuids.flatMap((uuid) => conversation.nodes.get(uuid) ?? []);
  }
  const { headUuid, tailUuid } = kept;
  const tail = tailUuid === undefined ? undefined : conversation.nodes.get(tailUuid);
  if (headUuid === undefined || tail === undefined) return [];
  const segment: TreeNode[] = [];
  const walk = new UpwardWalk(conversation, tail);
  walk.advance();
  for (const node of walk.path) {
    segment.push(node);
    if (node.uuid === headUuid) return segment.reverse();
  }
  return [];
}

function insertPreserved(conversation: Conversation, nodes: TreeNode[]): TreeNode[] {
  const [first] = nodes;
  if (first?.boundary === undefined) return nodes;
  const { anchorUuid } = first.boundary;
  const anchor = nodes.findIndex((node) => node.uuid === anchorUuid);
  if (anchor < 0) return nodes;
  const kept = preservedNodes(conversation, first);
  const after = new Set(kept);
  const rest = nodes.slice(anchor + 1).filter((node) => !after.has(node));
  return [...nodes.slice(0, anchor + 1), ...kept, ...rest];
}

/**
 * Puts back what parallel tool calls leave beside the chain: the other lines of a message, and the
 * results that hang from them, behind the message's last line on the chain.
 */
function restoreParallelCalls(conversation: Conversation, chain: TreeNode[]): TreeNode[] {
  const onChain = new Set(chain);
  const lastOfMessage = new Map<string, TreeNode>();
  for (const node of chain) {
    if (node.messageId !== undefined) lastOfMessage.set(node.messageId, node);
  }
  const messageOfLine = new Map<string, string>();
  const beside = new Map<string, { lines: TreeNode[]; results: TreeNode[] }>();
  const besideOf = (messageId: string): { lines: TreeNode[]; results: TreeNode[] } => {
    const found = beside.get(messageId) ?? { lines: [], results: [] };
    beside.set(messageId, found);
    return found;
  };
  for (const node of conversation.nodes.values()) {
    const { messageId } = node;
    if (messageId === undefined || !lastOfMessage.has(messageId)) continue;
    messageOfLine.set(node.uuid, messageId);
    if (!onChain.has(node)) besideOf(messageId).lines.push(node);
  }
  for (const node of conversation.nodes.values()) {
    if (!node.hasToolResult || onChain.has(node) || node.parentUuid === null) continue;
    const messageId = messageOfLine.get(node.parentUuid);
    if (messageId !== undefined) besideOf(messageId).results.push(node);
  }
  return chain.flatMap((node) => {
    const { messageId } = node;
    const found = messageId === undefined ? undefined : beside.get(messageId);
    if (found === undefined || lastOfMessage.get(messageId ?? "") !== node) return [node];
    return [node, ...found.lines.sort(byTime), ...found.results.sort(byTime)];
  });
}

function byTime(a: TreeNode, b: TreeNode): number {
  return a.timeMs === b.timeMs || Number.isNaN(a.timeMs - b.timeMs)
    ? a.offset - b.offset
    : a.timeMs - b.timeMs;
}
