/**
 * The tree of a transcript, read from its end: which line a resumed session goes on from, and the
 * way from there back to the root or to a compaction.
 *
 * Source of the rules: what Claude Code 2.1.197 was seen to send for hand-made transcripts.
 *
 * @module
 */

import { asString, type Entry, isObject } from "./entry.ts";
import { type SessionUsage, usageOfEntry } from "./usage.ts";

/** One entry of the tree, with what is needed to order it and to find it again. */
export interface TreeNode {
  /** The entry's id. */
  uuid: string;
  /** The entry that it follows; `null` at a root. */
  parentUuid: string | null;
  /** Where it starts in the file, in bytes. */
  offset: number;
  /** How long it is, in bytes. */
  length: number;
  /** The entry's type. */
  type: string;
  /** When it was written, in milliseconds since 1970; `NaN` where unknown. */
  timeMs: number;
  /** The id of the API message that an assistant line is part of. */
  messageId: string | undefined;
  /** Whether a user line answers a tool call. */
  hasToolResult: boolean;
  /** The usage that an assistant line carries. */
  usage: SessionUsage | undefined;
  /** What a compaction kept; set on its boundary alone. */
  boundary: Preserved | undefined;
}

/** The lines from before a compaction that stay in the context. */
export interface Preserved {
  /** The line that they follow. */
  anchorUuid: string | undefined;
  /** The lines, in order. */
  uuids: string[] | undefined;
  /** The first line, where they are given as a segment. */
  headUuid: string | undefined;
  /** The last line of the segment. */
  tailUuid: string | undefined;
}

/** The types of lines that a conversation can end with. */
const MESSAGE_TYPES = new Set(["user", "assistant", "attachment", "system"]);

/** What a question about the tree is answered with while too little of the file has been read. */
export const MORE = Symbol("more");

/**
 * The way from an entry up to the root, or up to and including the compaction that cuts the context.
 * It goes on where it had to wait, so that reading a long file stays linear.
 */
export class UpwardWalk {
  /** The entries passed so far, the first one the start. */
  readonly path: TreeNode[];

  readonly #conversation: Conversation;
  readonly #seen: Set<string>;
  #isComplete = false;

  /**
   * @param conversation What has been read so far.
   * @param from Where to start.
   */
  constructor(conversation: Conversation, from: TreeNode) {
    this.#conversation = conversation;
    this.path = [from];
    this.#seen = new Set([from.uuid]);
  }

  /**
   * Goes up as far as what has been read allows.
   *
   * @returns Whether the end has been reached.
   */
  advance(): boolean {
    const { nodes, isFinished } = this.#conversation;
    while (!this.#isComplete) {
      const last = this.path.at(-1);
      if (last === undefined || last.parentUuid === null || last.boundary !== undefined) {
        this.#isComplete = true;
        break;
      }
      const parent = nodes.get(last.parentUuid);
      if (parent === undefined && !isFinished) return false;
      // A message that is its own ancestor has made sessions loop for ever.
      if (parent === undefined || this.#seen.has(parent.uuid)) {
        this.#isComplete = true;
        break;
      }
      this.path.push(parent);
      this.#seen.add(parent.uuid);
    }
    return true;
  }

  /**
   * Tells whether an entry has been passed.
   *
   * @param uuid The entry's id.
   * @returns Whether it has.
   */
  has(uuid: string): boolean {
    return this.#seen.has(uuid);
  }
}

/**
 * Collects entries from the last to the first and tells where the conversation ends.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Conversation } from "./conversation.ts";
 * import { viewEntry } from "./entry.ts";
 *
 * const conversation = new Conversation();
 * conversation.add(viewEntry({ type: "user", uuid: "b", parentUuid: "a" }), 20, 20);
 * conversation.add(viewEntry({ type: "user", uuid: "a", parentUuid: null }), 0, 20);
 * conversation.finish();
 * const tip = conversation.tip();
 * assertEquals(typeof tip === "symbol" ? undefined : tip?.uuid, "b");
 * ```
 */
export class Conversation {
  /** Every entry read so far, by id. */
  readonly nodes: Map<string, TreeNode> = new Map();

  #candidate: TreeNode | undefined;
  #promptLeaf: string | undefined;
  #isPromptKnown = false;
  #isFinished = false;
  #fromCandidate: UpwardWalk | undefined;
  #fromTip: UpwardWalk | undefined;

  /**
   * Takes in the entry that stands before those taken in so far.
   *
   * @param entry The entry.
   * @param offset Where it starts in the file, in bytes.
   * @param length How long it is, in bytes.
   */
  add(entry: Entry, offset: number, length: number): void {
    if (entry.type === "last-prompt") this.#addPrompt(entry);
    const { uuid } = entry;
    // The last of two lines with one id is the one that counts.
    if (uuid === undefined || entry.isSidechain || this.nodes.has(uuid)) return;
    const node = nodeOf(entry, uuid, offset, length);
    this.nodes.set(uuid, node);
    if (this.#candidate === undefined && MESSAGE_TYPES.has(node.type)) this.#candidate = node;
    // A compaction makes what was said about the last prompt before it void.
    if (node.boundary !== undefined) this.#isPromptKnown = true;
  }

  /** Says that no line naming the last prompt is to be expected any more. */
  stopLookingForPrompt(): void {
    this.#isPromptKnown = true;
  }

  /** Whether all that is to be read has been taken in. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /**
   * Finds the line that a resumed session goes on from: the last message of the file, unless the
   * client noted down another leaf that this one does not come from.
   *
   * @returns The line, `null` where the file holds no message, or {@linkcode MORE}.
   */
  tip(): TreeNode | null | typeof MORE {
    const candidate = this.#candidate;
    if (candidate === undefined) return this.#isFinished ? null : MORE;
    if (!this.#isPromptKnown) return MORE;
    const leaf = this.#promptLeaf;
    if (leaf === undefined) return candidate;
    this.#fromCandidate ??= new UpwardWalk(this, candidate);
    const isComplete = this.#fromCandidate.advance();
    if (this.#fromCandidate.has(leaf)) return candidate;
    if (!isComplete) return MORE;
    return this.nodes.get(leaf) ?? (this.#isFinished ? candidate : MORE);
  }

  /**
   * Goes up from the tip as far as what has been read allows.
   *
   * @returns The walk, with whether it is complete; `null` where the file holds no message,
   * {@linkcode MORE} where the tip is not known yet.
   */
  walk(): { path: readonly TreeNode[]; isComplete: boolean } | null | typeof MORE {
    if (this.#fromTip === undefined) {
      const tip = this.tip();
      if (tip === null || tip === MORE) return tip;
      this.#fromTip = new UpwardWalk(this, tip);
    }
    return { path: this.#fromTip.path, isComplete: this.#fromTip.advance() };
  }

  /** Says that there are no more entries. */
  finish(): void {
    this.#isPromptKnown = true;
    this.#isFinished = true;
  }

  #addPrompt(entry: Entry): void {
    if (this.#isPromptKnown) return;
    this.#isPromptKnown = true;
    this.#promptLeaf = asString(entry.raw.leafUuid);
  }
}

function nodeOf(entry: Entry, uuid: string, offset: number, length: number): TreeNode {
  const { message } = entry;
  const content = message?.content;
  return {
    uuid,
    parentUuid: entry.parentUuid ?? null,
    offset,
    length,
    type: entry.type ?? "",
    timeMs: entry.timestamp === undefined ? NaN : Date.parse(entry.timestamp),
    messageId: entry.type === "assistant" ? asString(message?.id) : undefined,
    hasToolResult: entry.type === "user" && Array.isArray(content) &&
      content.some((block) => isObject(block) && block.type === "tool_result"),
    usage: usageOfEntry(entry),
    boundary: entry.type === "system" && entry.subtype === "compact_boundary"
      ? preservedOf(entry)
      : undefined,
  };
}

function preservedOf(entry: Entry): Preserved {
  const { compactMetadata } = entry.raw;
  const metadata = isObject(compactMetadata) ? compactMetadata : {};
  const { preservedMessages: messages, preservedSegment: segment } = metadata;
  if (isObject(messages) && Array.isArray(messages.uuids)) {
    const uuids = messages.uuids.filter((uuid) => typeof uuid === "string");
    const anchorUuid = asString(messages.anchorUuid);
    return { anchorUuid, uuids, headUuid: undefined, tailUuid: undefined };
  }
  const source = isObject(segment) ? segment : {};
  return {
    anchorUuid: asString(source.anchorUuid),
    uuids: undefined,
    headUuid: asString(source.headUuid),
    tailUuid: asString(source.tailUuid),
  };
}
