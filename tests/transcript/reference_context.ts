/**
 * Finds the active context from the whole file at once, slowly and simply, to compare with
 * `findActiveContext`, which reads from the end. Claude Code 2.1.197 was seen to follow these rules
 * for over a thousand random transcripts. The module shares only the types of JSON with `src/`.
 *
 * @module
 */

import type { JsonObject } from "../../src/core/record.ts";

/**
 * Greatest difference in age between a missing parent's child and the line that replaces the
 * parent.
 */
const MAX_GAP_MS = 5000;

const MESSAGES = ["user", "assistant", "attachment", "system"];

interface Line {
  uuid: string;
  parent: string | null;
  type: string;
  isSide: boolean;
  time: number;
  messageId: string | undefined;
  hasResult: boolean;
  kept: Kept | undefined;
}

/** Ids in a boundary; all undefined if it names none. */
interface Kept {
  anchor: string | undefined;
  uuids: string[] | undefined;
  head: string | undefined;
  tail: string | undefined;
}

interface Tree {
  /** By id, in the order of first appearance. */
  lines: Map<string, Line>;
  /** Ids in the order of last appearance. */
  order: string[];
  /** The leaf that the client recorded. */
  leaf: string | undefined;
  /** Parents of lines of any type, as the lines name them. */
  links: Map<string, string | null>;
  /** The last line of any type that no subagent wrote. */
  last: string | undefined;
  /** Whether a compaction gave lines other parents. */
  isRelinked: boolean;
}

/**
 * Returns the ids of the entries in the order in which the client sends them.
 *
 * @param isLarge Whether the file is over 5 MiB.
 */
export function referenceContext(file: readonly JsonObject[], isLarge = false): string[] {
  const start = file.findLastIndex((entry) =>
    entry.subtype === "compact_boundary" && !namesLines(keptBy(entry))
  );
  const tree = treeOf(isLarge ? file.slice(Math.max(start, 0)) : file);
  if (isLarge) prune(tree);
  applyCompaction(tree);
  const lastMain = tree.order.findLast((id) => !tree.lines.get(id)?.isSide);
  const tip = tipOf(tree, lastMain);
  if (tip === undefined || tip.isSide) return [];
  const main = walkUp(tree, tip).reverse();
  const chain = [...main, ...attachmentsAfter(tree, tip).filter((line) => !main.includes(line))];
  const cut = chain.findLastIndex((line) => line.kept !== undefined);
  return withParallelCalls(tree, cut < 0 ? chain : chain.slice(cut)).map((line) => line.uuid);
}

function treeOf(file: readonly JsonObject[]): Tree {
  const tree: Tree = {
    lines: new Map(),
    order: [],
    leaf: undefined,
    links: new Map(),
    last: undefined,
    isRelinked: false,
  };
  const progress = new Map<string, string | null>();
  for (const entry of file) {
    if (entry.type === "last-prompt") tree.leaf = text(entry.leafUuid) ?? tree.leaf;
    const uuid = text(entry.uuid);
    if (uuid === undefined) continue;
    const named = text(entry.parentUuid) ?? null;
    tree.links.set(uuid, named);
    if (entry.isSidechain !== true) tree.last = uuid;
    const parent = progress.get(named ?? "") === undefined ? named : progress.get(named ?? "");
    if (entry.type === "progress") progress.set(uuid, parent ?? null);
    if (!MESSAGES.includes(text(entry.type) ?? "")) continue;
    const line = lineOf(entry, uuid, parent ?? null);
    if (line.kept !== undefined) tree.leaf = undefined;
    tree.lines.set(uuid, line);
    tree.order = [...tree.order.filter((id) => id !== uuid), uuid];
  }
  return tree;
}

function lineOf(entry: JsonObject, uuid: string, parent: string | null): Line {
  const message = object(entry.message);
  return {
    uuid,
    parent,
    type: text(entry.type) ?? "",
    isSide: entry.isSidechain === true,
    time: Date.parse(text(entry.timestamp) ?? ""),
    messageId: entry.type === "assistant" ? text(message.id) : undefined,
    hasResult: entry.type === "user" && Array.isArray(message.content) &&
      message.content.some((block) => object(block).type === "tool_result"),
    kept: entry.subtype === "compact_boundary" ? keptBy(entry) : undefined,
  };
}

function keptBy(entry: JsonObject): Kept {
  const metadata = object(entry.compactMetadata);
  const list = object(metadata.preservedMessages);
  const segment = object(metadata.preservedSegment);
  return Array.isArray(list.uuids)
    ? {
      anchor: text(list.anchorUuid),
      uuids: list.uuids.map(String),
      head: undefined,
      tail: undefined,
    }
    : {
      anchor: text(segment.anchorUuid),
      uuids: undefined,
      head: text(segment.headUuid),
      tail: text(segment.tailUuid),
    };
}

function namesLines(kept: Kept | undefined): boolean {
  return (kept?.uuids ?? kept?.head ?? kept?.tail) !== undefined;
}

/** Keeps only the paths up from the last line and from the recorded leaf. */
function prune(tree: Tree): void {
  if ([...tree.lines.values()].some((line) => namesLines(line.kept))) return;
  const left = new Set<string>();
  for (const leaf of [tree.last, tree.leaf]) {
    const seen = new Set<string>();
    for (let id = leaf ?? null; id !== null && !seen.has(id) && tree.links.has(id);) {
      seen.add(id);
      left.add(id);
      id = tree.links.get(id) ?? null;
      if (id !== null && !tree.links.has(id)) return;
    }
  }
  tree.order = tree.order.filter((id) => left.has(id));
  for (const id of [...tree.lines.keys()]) if (!left.has(id)) tree.lines.delete(id);
}

function applyCompaction(tree: Tree): void {
  const { lines, order } = tree;
  const appearance = [...lines.keys()];
  const boundaries = order.filter((id) => lines.get(id)?.kept !== undefined);
  const naming = boundaries.filter((id) => namesLines(lines.get(id)?.kept));
  const newest = boundaries.at(-1);
  if (newest === undefined || naming.length === 0) return;
  const kept = lines.get(newest)?.kept;
  const uuids = naming.at(-1) === newest && kept !== undefined ? namedBy(tree, kept) : [];
  if (uuids === undefined) return;
  const tail = uuids.at(-1);
  const isGone = (id: string | null): boolean =>
    id !== null && lines.has(id) && !uuids.includes(id) &&
    appearance.indexOf(id) < appearance.indexOf(newest);
  for (const line of lines.values()) {
    const place = uuids.lastIndexOf(line.uuid);
    const isLater = order.indexOf(line.uuid) > order.indexOf(newest);
    const isOrphan = isMessage(line) && isGone(line.parent);
    const isMoved = isLater && (isOrphan || line.parent === kept?.anchor);
    if (place >= 0) line.parent = uuids[place - 1] ?? kept?.anchor ?? null;
    else if (tail !== undefined && line.parent !== null && isMoved) line.parent = tail;
  }
  tree.isRelinked = tail !== undefined;
  tree.order = order.filter((id) => !isGone(id));
  for (const id of appearance.filter(isGone)) lines.delete(id);
}

function namedBy(tree: Tree, kept: Kept): string[] | undefined {
  let uuids = kept.uuids;
  if (uuids === undefined) {
    const tail = tree.lines.get(kept.tail ?? "");
    const path = tail === undefined ? [] : namedPath(tree, tail).map((line) => line.uuid);
    const head = path.indexOf(kept.head ?? "");
    uuids = head < 0 ? undefined : path.slice(0, head + 1).reverse();
  }
  return uuids?.every((id) => tree.lines.has(id)) ? uuids : undefined;
}

function tipOf(tree: Tree, lastMain: string | undefined): Line | undefined {
  const all = tree.order.flatMap((id) => tree.lines.get(id) ?? []);
  const ends = lastMessages(tree, all);
  const messageAbove = (id: string | undefined): Line | undefined => {
    const from = tree.lines.get(id ?? "");
    return from && namedPath(tree, from).find(isMessage);
  };
  let own = messageAbove(lastMain);
  // If a compaction gave lines other parents, a single end is the tip.
  if (tree.isRelinked && own && ends.length < 2 && !ends.includes(own)) own = undefined;
  const last = tree.lines.get(lastMain ?? "");
  const path = own === undefined || last === undefined ? [] : namedPath(tree, last);
  if (tree.leaf !== undefined && !path.some((line) => line.uuid === tree.leaf)) {
    const ownLeaf = messageAbove(tree.leaf);
    if (ownLeaf && (!tree.isRelinked || ends.includes(ownLeaf))) return ownLeaf;
  }
  if (own !== undefined) return own;
  const main = inOrder(tree, ends.length === 0 ? all : ends).filter((line) => !line.isSide);
  const latest = Math.max(...main.flatMap((line) => Number.isNaN(line.time) ? [] : line.time));
  return main.find((line) => line.time === latest);
}

/** Returns the last message of every branch, if no other message follows it directly. */
function lastMessages(tree: Tree, all: readonly Line[]): Line[] {
  const leaves = all.filter((line) => !all.some((other) => other.parent === line.uuid));
  const ends = leaves.flatMap((leaf) => namedPath(tree, leaf).find(isMessage) ?? []);
  const last = ends.filter((end) =>
    !all.some((line) => isMessage(line) && line.parent === end.uuid)
  );
  return [...new Set(last)];
}

/** Follows the parents that lines name, up to the root. */
function namedPath(tree: Tree, from: Line): Line[] {
  const path: Line[] = [];
  for (let line: Line | undefined = from; line !== undefined && !path.includes(line);) {
    path.push(line);
    line = tree.lines.get(line.parent ?? "");
  }
  return path;
}

/** Goes up to the root or to a compaction, and replaces missing parents. */
function walkUp(tree: Tree, from: Line): Line[] {
  const path = [from];
  for (;;) {
    const line = path.at(-1);
    // The client continues beyond a compaction and cuts afterwards.
    if (line === undefined || line.parent === null || line.kept !== undefined) return path;
    const parent = tree.lines.get(line.parent);
    const next = parent === undefined || path.includes(parent)
      ? writtenBefore(tree, line, path)
      : parent;
    if (next === undefined) return path;
    path.push(next);
  }
}

function writtenBefore(tree: Tree, line: Line, path: readonly Line[]): Line | undefined {
  let found: Line | undefined;
  for (const other of tree.lines.values()) {
    const gap = line.time - other.time;
    const isNear = gap >= 0 && gap <= MAX_GAP_MS && other.isSide === line.isSide;
    if (!isNear || path.includes(other)) continue;
    if (found === undefined || other.time > found.time) found = other;
  }
  return found;
}

function attachmentsAfter(tree: Tree, tip: Line): Line[] {
  const found = new Set([tip]);
  for (const from of found) {
    for (const line of tree.lines.values()) {
      if (!isMessage(line) && line.parent === from.uuid) found.add(line);
    }
  }
  return inOrder(tree, [...found]).filter((line) => line !== tip);
}

function withParallelCalls(tree: Tree, chain: readonly Line[]): Line[] {
  const all = [...tree.lines.values()];
  const others = all.filter((line) => !chain.includes(line));
  return chain.flatMap((line) => {
    const { messageId } = line;
    const last = chain.findLast((other) => other.messageId === messageId);
    if (messageId === undefined || last !== line) return [line];
    const calls = all.filter((other) => other.messageId === messageId);
    const results = calls.flatMap((call) =>
      others.filter((other) => other.hasResult && other.parent === call.uuid)
    );
    return [line, ...byTime(calls.filter((call) => others.includes(call))), ...byTime(results)];
  });
}

function byTime(lines: readonly Line[]): Line[] {
  return lines.toSorted((a, b) => a.time - b.time || 0);
}

function inOrder(tree: Tree, lines: readonly Line[]): Line[] {
  return [...tree.lines.values()].filter((line) => lines.includes(line));
}

function isMessage(line: Line): boolean {
  return line.type === "user" || line.type === "assistant";
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function object(value: unknown): JsonObject {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
