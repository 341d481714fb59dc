/** The tree of a transcript, read from its end, as 2.1.197 was seen to send hand-made transcripts. */

import { findEnds, latestOf } from "./ends.ts";
import { asString, type Entry } from "../entry.ts";
import { Timeline, TimelineWalk } from "./timeline.ts";
import { isMessage, isSaid, namesKept, nodeOf, type TreeNode } from "./tree.ts";

export { type TreeNode } from "./tree.ts";

/** The answer to a question about the tree while too little of the file has been read. */
export const MORE = Symbol("more");

export interface TreeChange {
  /** Whether lines have other parents than they say. */
  readonly isRelinked: boolean;
  isDropped(node: TreeNode): boolean;
  /** Tells whether a line's usage is that of the context before. */
  isKept(node: TreeNode): boolean;
  linkOf(node: TreeNode, link: string | null): string | null;
}

/** A line that is no message and has an id. */
interface Aside {
  parentUuid: string | null;
  /** Where it starts in the file, in bytes. */
  offset: number;
  isProgress: boolean;
}

/** The way from an entry up to the root, or up to the compaction that cuts the context. */
export class UpwardWalk {
  /** The entries passed so far, the first one the start. */
  readonly path: TreeNode[];
  said: TreeNode | undefined;
  /** Where the earliest of them starts in the file, in bytes. */
  earliestOffset: number;

  readonly #conversation: Conversation;
  readonly #isStrict: boolean;
  readonly #seen: Set<string>;
  #byTime: TimelineWalk | undefined;
  #isComplete = false;

  /** Strict goes by the lines' own word alone, past compactions, and ends where a line is missing. */
  constructor(
    conversation: Conversation,
    from: TreeNode,
    options: { isStrict?: boolean } = {},
  ) {
    this.#conversation = conversation;
    this.#isStrict = options.isStrict ?? false;
    this.path = [from];
    this.said = isSaid(from) ? from : undefined;
    this.earliestOffset = from.offset;
    this.#seen = new Set([from.uuid]);
  }

  advance(): boolean {
    while (!this.#isComplete) {
      const last = this.path.at(-1);
      const isAtCut = last?.boundary !== undefined && !this.#isStrict;
      const next = last === undefined || isAtCut ? undefined : this.#next(last);
      if (next === MORE) return false;
      if (next === undefined) {
        this.#isComplete = true;
      } else {
        this.path.push(next);
        this.#seen.add(next.uuid);
        if (isSaid(next)) this.said ??= next;
        this.earliestOffset = Math.min(this.earliestOffset, next.offset);
      }
    }
    return true;
  }

  has(uuid: string): boolean {
    return this.#seen.has(uuid);
  }

  #next(last: TreeNode): TreeNode | undefined | typeof MORE {
    const parent = this.#conversation.parentOf(last);
    if (parent === MORE) return MORE;
    if (parent === null) return undefined;
    // A message that is its own ancestor has made sessions loop for ever.
    if (parent !== undefined && !this.#seen.has(parent.uuid)) {
      return this.#isStrict ? parent : this.#conversation.cutBefore(parent) ?? parent;
    }
    if (this.#isStrict) return undefined;
    if (!this.#conversation.isFinished) return MORE;
    this.#byTime ??= new TimelineWalk(this.#conversation.timeline, this.#seen);
    return this.#byTime.before(last);
  }
}

/**
 * What the first message followed: messages that stand before it in the file and nothing leads to, or
 * messages that are not in the file.
 */
export type CutOff = "unlinked" | "absent";

/** Collects entries from the last to the first and tells where the conversation ends. */
export class Conversation {
  /** Every message read so far, by id, the last one of the file first. */
  readonly nodes: Map<string, TreeNode> = new Map();
  /** The boundaries of compactions read so far, the newest first. */
  readonly boundaries: TreeNode[] = [];

  /** The version of the client that wrote the last line that says one. */
  clientVersion: string | undefined;

  readonly #asides = new Map<string, Aside>();
  /** The last line of progress on the way up from a message. */
  readonly #passed = new Map<TreeNode, Aside>();
  #last: TreeNode | undefined;
  #lastUuid: string | undefined;
  #promptLeaf: string | undefined;
  #isPromptKnown = false;
  #isFinished = false;
  #change: TreeChange | undefined;
  #timeline: Timeline | undefined;
  #ends: Set<TreeNode> | undefined;
  #fromLast: UpwardWalk | undefined;
  #fromPrompt: UpwardWalk | undefined;
  #fromTip: UpwardWalk | undefined;

  /** Takes in the entry that precedes those taken in so far. */
  add(entry: Entry, offset: number, length: number): void {
    if (entry.type === "last-prompt") this.#addPrompt(entry);
    this.clientVersion ??= asString(entry.raw.version);
    const { uuid } = entry;
    if (uuid === undefined) return;
    if (!entry.isSidechain) this.#lastUuid ??= uuid;
    if (!isMessage(entry)) {
      const { parentUuid = null } = entry;
      this.#asides.set(uuid, { parentUuid, offset, isProgress: entry.type === "progress" });
      return;
    }
    const later = this.nodes.get(uuid);
    if (later !== undefined) {
      // The last of two lines with one id is the one that counts.
      later.firstOffset = offset;
      return;
    }
    const node = nodeOf(entry, uuid, { offset, length });
    this.nodes.set(uuid, node);
    if (!node.isSidechain) this.#last ??= node;
    if (node.boundary === undefined) return;
    this.boundaries.push(node);
    // A compaction makes what was said about the last prompt before it void.
    this.#isPromptKnown = true;
  }

  /** Says that no line naming the last prompt is to be expected any more. */
  stopLookingForPrompt(): void {
    this.#isPromptKnown = true;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** The messages that are left, by time; only once all has been taken in. */
  get timeline(): Timeline {
    return this.#timeline ??= new Timeline(this.livingNodes());
  }

  /** Lists the messages read so far that no compaction has done away with. */
  livingNodes(): TreeNode[] {
    const nodes = [...this.nodes.values()];
    const change = this.#change;
    return change === undefined ? nodes : nodes.filter((node) => !change.isDropped(node));
  }

  /** Finds the compaction that kept a message: a child of a kept line is a child of the compaction. */
  cutBefore(node: TreeNode): TreeNode | undefined {
    const [newest] = this.boundaries;
    if (this.#isFinished || newest?.boundary === undefined) return undefined;
    return namesKept(newest.boundary) && node.offset < newest.offset ? newest : undefined;
  }

  isKept(node: TreeNode): boolean {
    return this.#change?.isKept(node) ?? false;
  }

  /** Names the parent of a message, past lines that note down progress. */
  linkOf(node: TreeNode): string | null {
    // Thousands of such lines can stand in a row, and each line that is read asks again.
    let { parentUuid: link, offset } = this.#passed.get(node) ?? node;
    while (link !== null && !this.nodes.has(link)) {
      const passed = this.#asides.get(link);
      if (!passed?.isProgress || passed.offset >= offset) break;
      this.#passed.set(node, passed);
      ({ parentUuid: link, offset } = passed);
    }
    return this.#change === undefined ? link : this.#change.linkOf(node, link);
  }

  parentOf(node: TreeNode): TreeNode | null | undefined | typeof MORE {
    const link = this.linkOf(node);
    return link === null ? null : this.#find(link);
  }

  /** Tells whether a message names a parent that is missing, and where what it followed is. */
  cutAt(first: TreeNode): CutOff | null {
    const link = this.linkOf(first);
    if (link === null || this.nodes.has(link)) return null;
    const isBefore = this.livingNodes().some((node) =>
      !node.isSidechain && isSaid(node) && node.offset < first.offset
    );
    return isBefore ? "unlinked" : "absent";
  }

  /** Goes up from the last line and the noted leaf, past compactions, by the lines' own word. */
  passedFromLeaves(): Set<TreeNode> | null {
    const passed = new Set<TreeNode>();
    for (const leaf of [this.#lastUuid, this.#promptLeaf]) {
      const seen = new Set<string>();
      for (let uuid = leaf ?? null; uuid !== null && !seen.has(uuid);) {
        seen.add(uuid);
        const node = this.nodes.get(uuid);
        if (node !== undefined) passed.add(node);
        const line = node ?? this.#asides.get(uuid);
        if (line === undefined && uuid !== leaf) return null;
        uuid = line?.parentUuid ?? null;
      }
    }
    return passed;
  }

  /** The line a resume goes on from: the last thing said, unless another leaf was noted down. */
  tip(): TreeNode | null | typeof MORE {
    if (this.#last === undefined || !this.#isPromptKnown) return this.#isFinished ? null : MORE;
    const own = this.#ownTip(this.#last);
    if (own === MORE) return MORE;
    const noted = this.#notedTip(own !== undefined);
    if (noted === MORE) return MORE;
    const tip = noted ?? own ?? (this.#isFinished ? this.#latestEnd() : MORE);
    if (tip === MORE) return MORE;
    return tip === undefined || tip.isSidechain ? null : tip;
  }

  walk():
    | { path: readonly TreeNode[]; earliestOffset: number; isComplete: boolean }
    | null
    | typeof MORE {
    if (this.#fromTip === undefined) {
      const tip = this.tip();
      if (tip === null || tip === MORE) return tip;
      const cut = this.#cutBehind(tip);
      this.#fromTip = new UpwardWalk(this, cut ?? tip);
    }
    const isComplete = this.#fromTip.advance();
    const { path, earliestOffset } = this.#fromTip;
    return { path, earliestOffset, isComplete };
  }

  finish(): void {
    this.#isPromptKnown = true;
    this.#isFinished = true;
  }

  /** Takes in what a compaction changed. All that counts from then on must have been read. */
  apply(change: TreeChange): void {
    this.#change = change;
    this.#last = this.livingNodes().find((node) => !node.isSidechain);
    this.#fromLast = this.#fromPrompt = this.#fromTip = undefined;
    this.#timeline = this.#ends = undefined;
    this.finish();
  }

  #find(uuid: string): TreeNode | undefined | typeof MORE {
    const node = this.nodes.get(uuid);
    if (node === undefined) return this.#isFinished ? undefined : MORE;
    return this.#change?.isDropped(node) ? undefined : node;
  }

  #addPrompt(entry: Entry): void {
    const leaf = asString(entry.raw.leafUuid);
    if (this.#isPromptKnown || leaf === undefined) return;
    this.#isPromptKnown = true;
    this.#promptLeaf = leaf;
  }

  /** The last thing said on the way up from the last message of the file. */
  #ownTip(last: TreeNode): TreeNode | undefined | typeof MORE {
    this.#fromLast ??= new UpwardWalk(this, last, { isStrict: true });
    const said = this.#lastSaid(this.#fromLast);
    // Where a compaction reparented lines, a single end is the tip, whatever was written last.
    const isOverruled = said !== undefined && said !== MORE && this.#change?.isRelinked &&
      this.#allEnds().size < 2 && !this.#allEnds().has(said);
    return isOverruled ? undefined : said;
  }

  /** The last thing said on the way up from the leaf that the client noted down. */
  #notedTip(hasOwn: boolean): TreeNode | undefined | typeof MORE {
    const leaf = this.#promptLeaf;
    if (leaf === undefined) return undefined;
    if (hasOwn && this.#fromLast !== undefined) {
      const isComplete = this.#fromLast.advance();
      if (this.#fromLast.has(leaf)) return undefined;
      if (!isComplete) return MORE;
    }
    const node = this.#find(leaf);
    if (node === undefined || node === MORE) return node;
    this.#fromPrompt ??= new UpwardWalk(this, node, { isStrict: true });
    const said = this.#lastSaid(this.#fromPrompt);
    // There, only an end is a leaf to go by.
    const isOverruled = said !== undefined && said !== MORE && this.#change?.isRelinked &&
      !this.#allEnds().has(said);
    return isOverruled ? undefined : said;
  }

  #lastSaid(walk: UpwardWalk): TreeNode | undefined | typeof MORE {
    const isComplete = walk.said !== undefined || walk.advance();
    return walk.said ?? (isComplete ? undefined : MORE);
  }

  #allEnds(): Set<TreeNode> {
    return this.#ends ??= findEnds(this, this.livingNodes());
  }

  #latestEnd(): TreeNode | undefined {
    const ends = this.#allEnds();
    return latestOf(ends.size === 0 ? this.livingNodes() : ends);
  }

  /** A compaction on the way from the leaf to the tip above it. */
  #cutBehind(tip: TreeNode): TreeNode | undefined {
    for (const walk of [this.#fromLast, this.#fromPrompt]) {
      if (walk?.said !== tip) continue;
      return walk.path.slice(0, walk.path.indexOf(tip)).find((node) => node.boundary !== undefined);
    }
    return undefined;
  }
}
