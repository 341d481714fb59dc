/**
 * The active context: the entries that the model gets when a session is resumed, in the order in
 * which it gets them.
 *
 * Source of the rules: what Claude Code 2.1.197 was seen to send for hand-made transcripts and for
 * sessions of its own; the end-to-end tests compare both.
 *
 * @module
 */

import { CompactionFinder } from "./compaction.ts";
import { Conversation, MORE, type TreeNode, UpwardWalk } from "./conversation.ts";
import { type Entry, parseObject, placeEntries, viewEntry } from "./entry.ts";
import { isPrunable, MAX_WHOLE_FILE_BYTES, pruneTree, startsHere } from "./large_file.ts";
import { readLinesBackward, type SeekableSource } from "./lines.ts";
import { isSaid, namesKept } from "./tree.ts";
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

/** What {@linkcode findActiveContext} can be told. */
export interface ContextOptions {
  /**
   * Up to which size the client looks at the whole of a file, in bytes.
   *
   * @default {MAX_WHOLE_FILE_BYTES}
   */
  maxWholeFileBytes?: number;
}

/**
 * Works out the active context, reading back from the end no further than it must.
 *
 * Permissions: none of its own; `file` must be open for reading.
 *
 * @param file The transcript.
 * @param size How much of it counts, in bytes; usually all of it.
 * @param options How the client reads.
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
export function findActiveContext(
  file: SeekableSource,
  size: number,
  options: ContextOptions = {},
): ActiveContext {
  const isLarge = size > (options.maxWholeFileBytes ?? MAX_WHOLE_FILE_BYTES);
  const conversation = new Conversation();
  const compaction = new CompactionFinder(conversation);
  let isLastLineTorn = false;
  let readFrom = size;
  let isKnown = false;
  let isAllNeeded = false;
  for (const line of readLinesBackward(file, size)) {
    const placed = placeEntries(line.bytes);
    if (!line.isTerminated) isLastLineTorn = !isBlankFrom(line.bytes, placed.at(-1)?.end ?? 0);
    for (const { entry, start, end } of placed.reverse()) {
      conversation.add(entry, line.offset + start, end - start);
    }
    readFrom = line.offset;
    if (isLarge && startsHere(conversation)) break;
    if (isAllNeeded || !isEnoughRead(conversation, compaction)) continue;
    isKnown = !isLarge || isPrunable(conversation);
    if (isKnown) break;
    // In a large file a line that is missing anywhere changes what counts.
    isAllNeeded = true;
  }
  if (!isKnown) {
    conversation.finish();
    applyCompaction(conversation, compaction);
  }
  const pruned = isLarge ? pruneTree(conversation) : null;
  if (pruned !== null) conversation.apply(pruned);
  const chain = findChain(conversation);
  return {
    nodes: restoreParallelCalls(conversation, chain),
    usage: newestUsage(conversation, chain),
    isCompacted: chain[0]?.boundary !== undefined,
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

function isBlankFrom(bytes: Uint8Array, start: number): boolean {
  return new TextDecoder().decode(bytes.subarray(start)).trim() === "";
}

/** Whether lines further up cannot change what the context holds any more. */
function isEnoughRead(conversation: Conversation, compaction: CompactionFinder): boolean {
  const [boundary] = conversation.boundaries;
  if (boundary?.boundary === undefined) return isWalked(conversation, 0);
  const change = applyCompaction(conversation, compaction);
  if (change !== MORE) return change !== null || isWalked(conversation, 0);
  // A compaction that names nothing can only have done away with lines from before it.
  return !namesKept(boundary.boundary) && isWalked(conversation, boundary.offset);
}

function applyCompaction(
  conversation: Conversation,
  compaction: CompactionFinder,
): ReturnType<CompactionFinder["find"]> {
  const change = compaction.find();
  if (change !== null && change !== MORE) conversation.apply(change);
  return change;
}

/** Whether the way up from the tip is known, and holds no line from before a place in the file. */
function isWalked(conversation: Conversation, fromOffset: number): boolean {
  const walk = conversation.walk();
  if (walk === MORE) return false;
  return walk === null || (walk.isComplete && walk.earliestOffset >= fromOffset);
}

/**
 * The way from the root or the compaction to the tip, and what the client and its hooks wrote behind
 * the tip, on whatever branches.
 */
function findChain(conversation: Conversation): TreeNode[] {
  const tip = conversation.tip();
  if (tip === null || tip === MORE) return [];
  const walk = new UpwardWalk(conversation, tip);
  walk.advance();
  const behind = unsaidBehind(conversation, tip).filter((node) => !walk.has(node.uuid));
  const chain = [...walk.path.toReversed(), ...behind];
  const cut = chain.findLastIndex((node) => node.boundary !== undefined);
  return cut < 0 ? chain : chain.slice(cut);
}

/** The lines that hang from the tip with nothing said between, in the order of the file. */
function unsaidBehind(conversation: Conversation, tip: TreeNode): TreeNode[] {
  const children = new Map<string, TreeNode[]>();
  for (const node of conversation.livingNodes()) {
    const link = isSaid(node) ? null : conversation.linkOf(node);
    if (link === null) continue;
    const siblings = children.get(link);
    if (siblings === undefined) children.set(link, [node]);
    else siblings.push(node);
  }
  // The set grows while it is gone over.
  const found = new Set([tip]);
  for (const node of found) for (const child of children.get(node.uuid) ?? []) found.add(child);
  found.delete(tip);
  return [...found].sort(byPlace);
}

/** What a compaction kept carries the usage of the context before it. */
function newestUsage(conversation: Conversation, chain: readonly TreeNode[]): SessionUsage | null {
  const node = chain.findLast((one) => one.usage !== undefined && !conversation.isKept(one));
  return node?.usage ?? null;
}

/**
 * Puts back what parallel tool calls leave beside the chain: the other lines of a message, and the
 * results that hang from them, behind the message's last line on the chain.
 */
function restoreParallelCalls(conversation: Conversation, chain: TreeNode[]): TreeNode[] {
  const lastOfMessage = new Map<string, TreeNode>();
  for (const node of chain) {
    if (node.messageId !== undefined) lastOfMessage.set(node.messageId, node);
  }
  const beside = findBeside(conversation, new Set(chain), lastOfMessage);
  return chain.flatMap((node) => {
    const { messageId = "" } = node;
    const found = beside.get(messageId);
    if (found === undefined || lastOfMessage.get(messageId) !== node) return [node];
    const results = found.results.sort((a, b) =>
      byTime(a.node, b.node) || byPlace(a.call, b.call) || byPlace(a.node, b.node)
    );
    const lines = found.lines.sort((a, b) => byTime(a, b) || byPlace(a, b));
    return [node, ...lines, ...results.map((result) => result.node)];
  });
}

/** What of a message lies beside the chain. */
interface Beside {
  lines: TreeNode[];
  results: { node: TreeNode; call: TreeNode }[];
}

/** What lies beside the chain, by the id of the message that it belongs to. */
function findBeside(
  conversation: Conversation,
  chain: ReadonlySet<TreeNode>,
  messages: ReadonlyMap<string, TreeNode>,
): Map<string, Beside> {
  const nodes = conversation.livingNodes();
  const calls = new Map<string, { call: TreeNode; beside: Beside }>();
  const found = new Map<string, Beside>();
  for (const node of nodes) {
    const { messageId } = node;
    if (messageId === undefined || !messages.has(messageId)) continue;
    const beside = found.get(messageId) ?? { lines: [], results: [] };
    found.set(messageId, beside);
    calls.set(node.uuid, { call: node, beside });
    if (!chain.has(node)) beside.lines.push(node);
  }
  for (const node of nodes) {
    if (!node.hasToolResult || chain.has(node)) continue;
    const of = calls.get(conversation.linkOf(node) ?? "");
    of?.beside.results.push({ node, call: of.call });
  }
  return found;
}

function byPlace(a: TreeNode, b: TreeNode): number {
  return a.firstOffset - b.firstOffset;
}

/** 0 where one of the times is not known. */
function byTime(a: TreeNode, b: TreeNode): number {
  return a.timeMs - b.timeMs || 0;
}
