/** Finds the entries that a resumed session sends. End-to-end tests compare them with real clients. */

import { Conversation, type CutOff, FIRST_CHECK_BYTES } from "./conversation.ts";
import { type Entry, placeEntries } from "../entry.ts";
import { readAt, readLinesBackward, release, type SeekableSource } from "../lines.ts";
import { LONG_LINE_BYTES, readBriefly } from "../long_lines.ts";
import { type SessionUsage, usageOfMetadata } from "../tokens/usage.ts";
import { restoreCalls } from "./parallel_calls.ts";
import { listsKeptLines, nodeOf, type TreeNode } from "./tree.ts";

interface MetadataLine {
  usage: SessionUsage;
  offset: number;
}

export interface ActiveContext {
  nodes: TreeNode[];
  /** Calls and results after the newest compaction that the client does not send. */
  unsent: TreeNode[];
  /** Byte positions of lines with several entries, in the part of the file that was read. */
  multiEntryLines: ReadonlySet<number>;
  /** Newest usage from the API or a metadata line; null if there is none, or a compaction came after it. */
  usage: SessionUsage | null;
  /** Byte position of the metadata line with that usage; null for the API's own usage. */
  metadataOffset: number | null;
  isCompacted: boolean;
  /** Whether the file has earlier messages if the first entry's parent is missing; otherwise null. */
  cutOff: CutOff | null;
}

export function findActiveContext(file: SeekableSource, size: number): ActiveContext {
  const conversation = new Conversation();
  let readFrom = size;
  let isContextKnown = false;
  let nextCheck = FIRST_CHECK_BYTES;
  let boundaryCount = 0;
  let metadata: MetadataLine | undefined;
  const multiEntryLines = new Set<number>();
  const nodesWithoutId: TreeNode[] = [];
  for (const line of readLinesBackward(file, size)) {
    const placed = readBriefly(line.bytes);
    if (placed.length > 1) multiEntryLines.add(line.offset);
    for (const { entry, start, end } of placed.reverse()) {
      const place = { offset: line.offset + start, length: end - start };
      // A metadata line from before a compaction reports the size of the context before the compaction.
      const usage = boundaryCount === 0 ? usageOfMetadata(entry.raw) : undefined;
      if (usage !== undefined) metadata ??= { usage, offset: place.offset };
      conversation.add(entry, place.offset, place.length);
      if (entry.uuid === undefined && entry.message !== undefined) {
        nodesWithoutId.push(nodeOf(entry, "", place));
      }
    }
    readFrom = line.offset;
    const { boundaries } = conversation;
    const isCompaction = boundaries.length > boundaryCount;
    if (size - readFrom < nextCheck && !isCompaction) continue;
    nextCheck = Math.max(nextCheck, 2 * (size - readFrom));
    boundaryCount = boundaries.length;
    isContextKnown = hasReadEnough(conversation);
    if (isContextKnown) break;
  }
  if (!isContextKnown) {
    conversation.finish();
    conversation.applyCompaction();
  }
  const chain = findChain(conversation);
  const { usage, metadataOffset } = newestUsage(conversation, chain, metadata);
  const nodes = restoreCalls(conversation, chain);
  return {
    nodes,
    unsent: unsentNodes([...conversation.remainingNodes(), ...nodesWithoutId], nodes),
    multiEntryLines,
    usage,
    metadataOffset,
    isCompacted: chain[0]?.boundary !== undefined,
    cutOff: chain[0] === undefined || chain[0].boundary !== undefined || readFrom > 0
      ? null
      : conversation.cutAt(chain[0]),
  };
}

const MAX_UNANSWERED_BOUNDARIES = 32;

/** Returns the time of the newest answer, even before the boundaries of trims and undos. */
export function newestAnswerAt(
  file: SeekableSource,
  { usage, nodes: [first], isCompacted }: ActiveContext,
  maxBoundaries = MAX_UNANSWERED_BOUNDARIES,
): string | undefined {
  if (usage !== null || !isCompacted || first === undefined || maxBoundaries === 0) {
    return usage?.timestamp;
  }
  return newestAnswerAt(file, findActiveContext(file, first.offset), maxBoundaries - 1);
}

export function* readNodes(
  file: SeekableSource,
  nodes: Iterable<TreeNode>,
  options: { readonly isBrief?: boolean } = {},
): Generator<{ node: TreeNode; entry: Entry }, void, undefined> {
  let bytes = new Uint8Array(0);
  try {
    for (const node of nodes) {
      if (bytes.length < node.length) {
        release(bytes);
        bytes = new Uint8Array(roomFor(node.length));
      }
      const line = bytes.subarray(0, readAt(file, node.offset, bytes.subarray(0, node.length)));
      const [found] = options.isBrief === true ? readBriefly(line) : placeEntries(line);
      if (found !== undefined) yield { node, entry: found.entry };
    }
  } finally {
    release(bytes);
  }
}

/** Doubles the length, so that somewhat longer lines also fit. A very long line gets only its own length. */
function roomFor(length: number): number {
  return length > LONG_LINE_BYTES ? length : length * 2;
}

/** Whether the lines read so far determine the context. If so, applies the newest compaction. */
function hasReadEnough(conversation: Conversation): boolean {
  const [newest] = conversation.boundaries;
  if (newest !== undefined) {
    conversation.lacksLines = false;
    if (conversation.applyCompaction()) return true;
    if (listsKeptLines(newest)) return false;
  }
  conversation.lacksLines = false;
  // The context reaches back before a compaction only if the compaction lists kept lines.
  const isBefore = [...conversation.walk()].some(({ offset }) => offset < (newest?.offset ?? 0));
  return !conversation.lacksLines && !isBefore;
}

function unsentNodes(all: readonly TreeNode[], nodes: readonly TreeNode[]): TreeNode[] {
  const known = new Set(nodes);
  const start = nodes[0]?.boundary === undefined ? 0 : nodes[0].offset;
  return all.filter((node) =>
    (node.hasToolCall || node.hasToolResult) && !node.isSidechain && node.offset >= start &&
    !known.has(node)
  );
}

/** Returns the path from the root or newest boundary to the tip, and the client's lines below it. */
function findChain(conversation: Conversation): TreeNode[] {
  const tip = conversation.tip();
  if (tip === undefined) return [];
  const path = [...conversation.up(tip)];
  const known = new Set(path);
  const chain = [
    ...path.reverse(),
    ...conversation.clientLinesBelow(tip).filter((node) => !known.has(node)),
  ];
  const cut = chain.findLastIndex((node) => node.boundary !== undefined);
  return cut < 0 ? chain : chain.slice(cut);
}

/** Skips entries that a compaction kept, because they report the usage before the compaction. */
function newestUsage(
  conversation: Conversation,
  chain: readonly TreeNode[],
  metadata: MetadataLine | undefined,
): Pick<ActiveContext, "usage" | "metadataOffset"> {
  const node = chain.findLast((one) =>
    one.boundary !== undefined || (one.usage !== undefined && !conversation.isKept(one))
  );
  const usage = node?.usage ?? null;
  if (metadata === undefined || metadata.offset < (node?.offset ?? 0)) {
    return { usage, metadataOffset: null };
  }
  // A metadata line has neither a model nor a message id, so the API's usage supplies both.
  return { usage: { ...usage, ...metadata.usage }, metadataOffset: metadata.offset };
}
