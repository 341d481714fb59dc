/** Changes that the newest compaction makes to the tree, as 2.1.197 was seen to send hand-made transcripts. */

import { type Conversation, MORE, type TreeChange, UpwardWalk } from "./conversation.ts";
import { isSaid, namesKept, type Preserved, type TreeNode } from "./tree.ts";

/** Works out, while a file is being read from its end, what its newest compaction changes. */
export class CompactionFinder {
  readonly #conversation: Conversation;
  #named: readonly string[] | undefined;
  #namedRead = 0;
  #segment: UpwardWalk | undefined;
  #later: readonly TreeNode[] | undefined;
  #laterRead = 0;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  find(): TreeChange | null | typeof MORE {
    const { boundaries, nodes, isFinished } = this.#conversation;
    const [boundary] = boundaries;
    if (boundary === undefined) return isFinished ? null : MORE;
    this.#named ??= this.#findNamed(boundary);
    if (this.#named === undefined) return isFinished ? null : MORE;
    if (!this.#areNamedRead()) return isFinished ? null : MORE;
    return this.#areLinksRead(boundary) ? new KeptLines(nodes, boundary, this.#named) : MORE;
  }

  /** The lines that a boundary names; `undefined` where they are not known. */
  #findNamed({ boundary }: TreeNode): readonly string[] | undefined {
    if (boundary?.uuids !== undefined) return boundary.uuids;
    if (boundary !== undefined && namesKept(boundary)) return this.#findSegment(boundary);
    // Lines that an older compaction kept must not come back behind one that names nothing.
    const isAfterKept = this.#conversation.boundaries.some((node) =>
      node.boundary !== undefined && namesKept(node.boundary)
    );
    return isAfterKept ? [] : undefined;
  }

  #areNamedRead(): boolean {
    const { nodes } = this.#conversation;
    const named = this.#named ?? [];
    while (this.#namedRead < named.length && nodes.has(named[this.#namedRead] ?? "")) {
      this.#namedRead++;
    }
    return this.#namedRead === named.length;
  }

  /** The lines from the tail of a segment up to its head, the head first. */
  #findSegment({ headUuid = "", tailUuid = "" }: Preserved): readonly string[] | undefined {
    const tail = this.#conversation.nodes.get(tailUuid);
    if (tail === undefined) return undefined;
    this.#segment ??= new UpwardWalk(this.#conversation, tail, { isStrict: true });
    this.#segment.advance();
    if (!this.#segment.has(headUuid)) return undefined;
    const uuids = this.#segment.path.map((node) => node.uuid);
    return uuids.slice(0, uuids.indexOf(headUuid) + 1).reverse();
  }

  /** Whether it is known of all later lines if their parent is gone. */
  #areLinksRead(boundary: TreeNode): boolean {
    const { nodes, isFinished } = this.#conversation;
    this.#later ??= [...nodes.values()].filter((node) => node.offset > boundary.offset);
    for (; !isFinished && this.#laterRead < this.#later.length; this.#laterRead++) {
      const node = this.#later[this.#laterRead];
      const link = node === undefined ? null : this.#conversation.linkOf(node);
      if (link !== null && !nodes.has(link)) return false;
    }
    return true;
  }
}

/** The lines that a compaction kept, chained to one another and to its anchor. */
class KeptLines implements TreeChange {
  readonly isRelinked: boolean;

  readonly #nodes: ReadonlyMap<string, TreeNode>;
  readonly #boundary: TreeNode;
  readonly #anchor: string | undefined;
  readonly #tail: string | undefined;
  readonly #links = new Map<string, string | null>();

  constructor(
    nodes: ReadonlyMap<string, TreeNode>,
    boundary: TreeNode,
    uuids: readonly string[],
  ) {
    this.#nodes = nodes;
    this.#boundary = boundary;
    this.#anchor = boundary.boundary?.anchorUuid;
    this.#tail = uuids.at(-1);
    this.isRelinked = this.#tail !== undefined;
    let link = this.#anchor ?? null;
    for (const uuid of uuids) {
      this.#links.set(uuid, link);
      link = uuid;
    }
  }

  isDropped(node: TreeNode): boolean {
    return node.firstOffset < this.#boundary.firstOffset && !this.#links.has(node.uuid);
  }

  isKept(node: TreeNode): boolean {
    return this.#links.has(node.uuid);
  }

  linkOf(node: TreeNode, link: string | null): string | null {
    const kept = this.#links.get(node.uuid);
    if (kept !== undefined) return kept;
    const isLater = node.offset > this.#boundary.offset;
    if (this.#tail === undefined || link === null || !isLater) return link;
    const parent = this.#nodes.get(link);
    const isOrphan = isSaid(node) && parent !== undefined && this.isDropped(parent);
    return isOrphan || link === this.#anchor ? this.#tail : link;
  }
}
