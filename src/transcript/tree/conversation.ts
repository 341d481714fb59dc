/** Builds the tree of a transcript from its end to its start, as the client was observed to do. */

import { asString, type Entry, isMessage } from "../entry.ts";
import { isUserOrModel, listsKeptLines, nodeOf, type Preserved, type TreeNode } from "./tree.ts";

/** Maximum time between a message and the message that replaces its missing parent. */
const MAX_GAP_MS = 5000;

/** Bytes to read before checking whether they suffice. The number doubles with each check. */
export const FIRST_CHECK_BYTES = 256;

interface TreeChange {
  /** Whether lines get parents other than their `parentUuid`. */
  readonly isRelinked: boolean;
  isDropped(node: TreeNode): boolean;
  /** Whether the compaction kept a line. The usage in such a line predates the compaction. */
  isKept(node: TreeNode): boolean;
  linkOf(node: TreeNode, link: string | null): string | null;
}

/** `unlinked`: no link reaches the file's earlier messages. `absent`: the file has no earlier messages. */
export type CutOff = "unlinked" | "absent";

/** Collects entries from the last to the first. Results are final while `lacksLines` is false. */
export class Conversation {
  /** Messages read so far, by id. The last message of the file comes first. */
  readonly nodes: Map<string, TreeNode> = new Map();
  readonly boundaries: TreeNode[] = [];
  /** Whether a result depends on lines that were not read. */
  lacksLines = false;

  /** Lines that have an id but are not messages. */
  readonly #otherLines = new Map<
    string,
    Pick<TreeNode, "parentUuid" | "offset"> & { isProgress: boolean }
  >();
  #promptLeaf: string | undefined;
  #isPromptKnown = false;
  #isComplete = false;
  #change: TreeChange | undefined;
  #ends: Set<TreeNode> | undefined;
  /** The client's own lines, by the id of their parent. */
  #clientLines: ReadonlyMap<string | null, readonly TreeNode[]> | undefined;

  /** Callers add the entries from the end of the file to its start. */
  add(entry: Entry, offset: number, length: number): void {
    if (entry.type === "last-prompt") this.#addPrompt(entry);
    const { uuid } = entry;
    if (uuid === undefined) return;
    if (!isMessage(entry)) {
      const { parentUuid = null } = entry;
      this.#otherLines.set(uuid, { parentUuid, offset, isProgress: entry.type === "progress" });
      return;
    }
    const later = this.nodes.get(uuid);
    if (later !== undefined) {
      // If several lines have the same id, the last one counts.
      later.firstOffset = offset;
      return;
    }
    const node = nodeOf(entry, uuid, { offset, length });
    this.nodes.set(uuid, node);
    if (node.boundary === undefined) return;
    this.boundaries.push(node);
    // A `last-prompt` line from before a compaction does not count.
    this.#isPromptKnown = true;
  }

  #addPrompt(entry: Entry): void {
    const leaf = asString(entry.raw.leafUuid);
    if (this.#isPromptKnown || leaf === undefined) return;
    this.#isPromptKnown = true;
    this.#promptLeaf = leaf;
  }

  finish(): void {
    this.#isPromptKnown = true;
    this.#isComplete = true;
    this.lacksLines = false;
    this.#ends = undefined;
  }

  remainingNodes(): TreeNode[] {
    const nodes = [...this.nodes.values()];
    const change = this.#change;
    return change === undefined ? nodes : nodes.filter((node) => !change.isDropped(node));
  }

  isKept(node: TreeNode): boolean {
    return this.#change?.isKept(node) ?? false;
  }

  /** Returns the id of the parent, taking an applied change into account. Skips progress lines. */
  linkOf(node: TreeNode): string | null {
    let { parentUuid: link, offset }: Pick<TreeNode, "parentUuid" | "offset"> = node;
    while (link !== null && !this.nodes.has(link)) {
      const passed = this.#otherLines.get(link);
      if (!passed?.isProgress || passed.offset >= offset) break;
      ({ parentUuid: link, offset } = passed);
    }
    return this.#change === undefined ? link : this.#change.linkOf(node, link);
  }

  /** Returns null at a root, and undefined if the parent is missing or was dropped. */
  parentOf(node: TreeNode): TreeNode | null | undefined {
    const link = this.linkOf(node);
    return link === null ? null : this.#find(link);
  }

  #find(uuid: string): TreeNode | undefined {
    const node = this.nodes.get(uuid);
    if (node === undefined) this.#markIncomplete();
    return node === undefined || this.#change?.isDropped(node) ? undefined : node;
  }

  #markIncomplete(): void {
    this.lacksLines ||= !this.#isComplete;
  }

  /** Returns whether the file has earlier messages if the parent of `first` is missing; otherwise null. */
  cutAt(first: TreeNode): CutOff | null {
    const link = this.linkOf(first);
    if (link === null || this.nodes.has(link)) return null;
    const isBefore = this.remainingNodes().some((node) =>
      !node.isSidechain && isUserOrModel(node) && node.offset < first.offset
    );
    return isBefore ? "unlinked" : "absent";
  }

  /** Changes the tree as the newest compaction does. Returns false if that changes nothing. */
  applyCompaction(): boolean {
    const [newest] = this.boundaries;
    const keptUuids = newest && this.#uuidsKeptBy(newest);
    if (newest === undefined || keptUuids === undefined) {
      this.#markIncomplete();
      return false;
    }
    if (!keptUuids.map((uuid) => this.#find(uuid)).every((node) => node !== undefined)) {
      return false;
    }
    for (const node of this.nodes.values()) {
      const link = node.offset > newest.offset ? this.linkOf(node) : null;
      if (link !== null) this.#find(link);
    }
    if (this.lacksLines) return false;
    this.#change = relinkKept(this.nodes, newest, keptUuids);
    this.finish();
    return true;
  }

  #uuidsKeptBy(node: TreeNode): readonly string[] | undefined {
    if (node.boundary?.uuids !== undefined) return node.boundary.uuids;
    if (listsKeptLines(node)) return this.#segment(node.boundary);
    // Lines that an older compaction kept must not return after a compaction that lists no kept lines.
    return this.boundaries.some(listsKeptLines) ? [] : undefined;
  }

  #segment(
    { headUuid = "", tailUuid = "" }: Partial<Preserved> = {},
  ): readonly string[] | undefined {
    const tail = this.nodes.get(tailUuid);
    const uuids: string[] = [];
    for (const { uuid } of tail === undefined ? [] : this.#upByLinks(tail)) {
      uuids.unshift(uuid);
      if (uuid === headUuid) return uuids;
    }
    return undefined;
  }

  /** Walks up by links alone, across compactions, to the root or to a missing parent. */
  *#upByLinks(from: TreeNode): Generator<TreeNode, void, undefined> {
    const seen = new Set<TreeNode>();
    for (let node: TreeNode | null | undefined = from; node && !seen.has(node);) {
      seen.add(node);
      yield node;
      node = this.parentOf(node);
    }
  }

  /** Walks up to the root, or to the compaction where the context begins. Bridges missing parents. */
  *up(from: TreeNode): Generator<TreeNode, void, undefined> {
    const seen = new Set<string>();
    let byTime: TreeNode[] | undefined;
    for (let node: TreeNode | undefined = from; node !== undefined;) {
      seen.add(node.uuid);
      yield node;
      if (node.boundary !== undefined) return;
      const parent = this.parentOf(node);
      if (parent === null) return;
      // A message that is its own ancestor would make this loop endless. Such sessions exist.
      if (parent !== undefined && !seen.has(parent.uuid)) {
        node = parent;
        continue;
      }
      this.#markIncomplete();
      if (this.lacksLines) return;
      byTime ??= sortedByTime(this.remainingNodes());
      node = newestBefore(node, byTime, seen);
    }
  }

  tip(): TreeNode | undefined {
    return this.#findTip().tip;
  }

  /** Walks up from the tip, or from a compaction between the tip and the leaf below it. */
  walk(): Iterable<TreeNode> {
    const { tip, path } = this.#findTip();
    const cut = path.find((node) => node.boundary !== undefined);
    return tip === undefined ? [] : this.up(cut ?? tip);
  }

  #findTip(): { tip: TreeNode | undefined; path: readonly TreeNode[] } {
    const last = this.remainingNodes().find((node) => !node.isSidechain);
    if (last === undefined || !this.#isPromptKnown) this.#markIncomplete();
    if (last === undefined) return { tip: undefined, path: [] };
    const isRelinked = this.#change?.isRelinked === true;
    let own = this.#messageFrom(last);
    // In a relinked tree with a single end, that end is the tip, regardless of which line was
    // written last.
    if (own && isRelinked && this.#allEnds().size < 2 && !this.#allEnds().has(own.message)) {
      own = undefined;
    }
    let recorded = this.#recordedLeaf(own && last);
    // In a relinked tree, only an end counts as a leaf.
    if (recorded && isRelinked && !this.#allEnds().has(recorded.message)) recorded = undefined;
    const { message, path } = recorded ?? own ?? { message: this.#latestEnd(), path: [] };
    return { tip: message?.isSidechain ? undefined : message, path };
  }

  /** Call this only after the last change to the conversation, because the lines are indexed once. */
  clientLinesBelow(node: TreeNode): TreeNode[] {
    this.#clientLines ??= Map.groupBy(
      this.remainingNodes().filter((line) => !isUserOrModel(line)),
      (line) => this.linkOf(line),
    );
    // The set grows while it is iterated.
    const found = new Set([node]);
    for (const parent of found) {
      for (const child of this.#clientLines.get(parent.uuid) ?? []) found.add(child);
    }
    found.delete(node);
    return [...found].sort((a, b) => a.firstOffset - b.firstOffset);
  }

  /** Returns the id of the nearest ancestor that is missing, or that the user or the model wrote. */
  messageAbove(node: TreeNode): string | null {
    const seen = new Set<string>();
    let link = this.linkOf(node);
    while (link !== null && !seen.has(link)) {
      seen.add(link);
      const above = this.nodes.get(link);
      if (above === undefined || isUserOrModel(above)) return link;
      link = this.linkOf(above);
    }
    return null;
  }

  #messageFrom(leaf: TreeNode): MessagePath | undefined {
    const path: TreeNode[] = [];
    for (const node of this.#upByLinks(leaf)) {
      if (isUserOrModel(node)) return { message: node, path };
      path.push(node);
    }
    return undefined;
  }

  /** Finds the message at or above the recorded leaf. Ignores the leaf if `last` descends from it. */
  #recordedLeaf(last: TreeNode | undefined): MessagePath | undefined {
    const leaf = this.#promptLeaf;
    if (leaf === undefined) return undefined;
    for (const { uuid } of last === undefined ? [] : this.#upByLinks(last)) {
      if (uuid === leaf) return undefined;
    }
    const node = this.#find(leaf);
    return node && this.#messageFrom(node);
  }

  #latestEnd(): TreeNode | undefined {
    this.#markIncomplete();
    const ends = this.#allEnds();
    return latestOf(ends.size === 0 ? this.remainingNodes() : ends);
  }

  #allEnds(): Set<TreeNode> {
    return this.#ends ??= this.#findEnds(this.remainingNodes());
  }

  /** Finds the end of each branch: a user or model message that is not the parent of another one. */
  #findEnds(nodes: readonly TreeNode[]): Set<TreeNode> {
    const inner = new Set<string>();
    const answered = new Set<string>();
    for (const node of nodes) {
      const link = this.linkOf(node);
      if (link === null) continue;
      inner.add(link);
      if (isUserOrModel(node)) answered.add(link);
    }
    const ends = new Set<TreeNode>();
    const seen = new Set<TreeNode>();
    for (const leaf of nodes) {
      let node: TreeNode | null | undefined = inner.has(leaf.uuid) ? undefined : leaf;
      // Leaves that share a line above them lead to the same end.
      while (node && !seen.has(node)) {
        seen.add(node);
        if (isUserOrModel(node)) {
          if (!answered.has(node.uuid)) ends.add(node);
          break;
        }
        node = this.parentOf(node);
      }
    }
    return ends;
  }
}

/** `path` contains the lines below the message, starting with the leaf; empty if the leaf is the message. */
interface MessagePath {
  readonly message: TreeNode;
  readonly path: readonly TreeNode[];
}

/**
 * Links the lines that a compaction kept to one another and to its anchor, and drops all other lines before it.
 * A later line then follows the last kept line instead of the anchor or, if it is a message, a dropped line.
 */
function relinkKept(
  nodes: ReadonlyMap<string, TreeNode>,
  compaction: TreeNode,
  uuids: readonly string[],
): TreeChange {
  const anchor = compaction.boundary?.anchorUuid;
  const tail = uuids.at(-1);
  const links = new Map(uuids.map((uuid, index) => [uuid, uuids[index - 1] ?? anchor ?? null]));
  const isDropped = (node: TreeNode): boolean =>
    node.firstOffset < compaction.firstOffset && !links.has(node.uuid);
  return {
    isRelinked: tail !== undefined,
    isDropped,
    isKept: ({ uuid }) => links.has(uuid),
    linkOf: (node, link) => {
      const kept = links.get(node.uuid);
      if (kept !== undefined) return kept;
      const isLater = node.offset > compaction.offset;
      if (tail === undefined || link === null || !isLater) return link;
      const parent = nodes.get(link);
      const isOrphan = isUserOrModel(node) && parent !== undefined && isDropped(parent);
      return isOrphan || link === anchor ? tail : link;
    },
  };
}

function latestOf(nodes: Iterable<TreeNode>): TreeNode | undefined {
  let latest: TreeNode | undefined;
  for (const node of nodes) {
    if (node.isSidechain || Number.isNaN(node.timeMs)) continue;
    const isLater = latest === undefined || node.timeMs > latest.timeMs ||
      (node.timeMs === latest.timeMs && node.firstOffset < latest.firstOffset);
    if (isLater) latest = node;
  }
  return latest;
}

/** Messages with the same time are in reverse file order, because searches start at the end. */
function sortedByTime(nodes: readonly TreeNode[]): TreeNode[] {
  return nodes.filter((node) => !Number.isNaN(node.timeMs))
    .sort((a, b) => a.timeMs - b.timeMs || b.firstOffset - a.firstOffset);
}

/** Returns the newest message shortly before `node` that the walk has not passed. */
function newestBefore(
  { timeMs, isSidechain }: TreeNode,
  byTime: TreeNode[],
  passed: ReadonlySet<string>,
): TreeNode | undefined {
  // Keeps a walk over many missing parents linear.
  while (passed.has(byTime.at(-1)?.uuid ?? "")) byTime.pop();
  const found = byTime.findLast((one) =>
    one.timeMs <= timeMs && one.isSidechain === isSidechain && !passed.has(one.uuid)
  );
  return found !== undefined && timeMs - found.timeMs <= MAX_GAP_MS ? found : undefined;
}
