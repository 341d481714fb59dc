/**
 * Finds the thinking that can go: that of finished turns, where it leaves a message that the client
 * and the API take.
 *
 * - A turn is finished where a person has said something behind it that the model has answered. What
 *   was said while a tool ran is sent in one message with the tool's result and finishes nothing:
 *   to the API the loop goes on, and its thinking must stay.
 * - The client writes a line for each block of a message. A line whose only block is taken out keeps
 *   its place with an empty list: Claude Code 2.1.197 was seen to put the message together from the
 *   other lines. An empty text would be sent, and refused.
 * - A message of nothing but thinking is not sent; without it, a made-up text would be.
 */

import type { ContentPart } from "../transcript/content.ts";
import type { TreeNode } from "../transcript/tree/tree.ts";
import { asString, type Entry, isObject } from "../transcript/entry.ts";
import { estimateThinkingTokens } from "../transcript/tokens/tokens.ts";

interface ThinkingBlock {
  readonly offset: number;
  readonly block: number;
  readonly index: number;
  /** Characters of it that are sent, signature included: none of another model's. */
  readonly chars: number;
  readonly priorTokens: number;
  readonly message: SentMessage;
}

/** The sent parts of an assistant's message, without thinking. */
interface SentMessage {
  hasText: boolean;
  callIds: string[];
}

export class ThinkingFinder {
  /** Where the newest turn starts: the place of its prompt in the context. */
  newestTurn = 0;

  readonly #model: string | undefined;
  readonly #blocks: ThinkingBlock[] = [];
  readonly #answered = new Set<string>();
  #messageId: string | undefined;
  #message: SentMessage = { hasText: false, callIds: [] };
  #prompt: { index: number; isAfterResult: boolean } | undefined;
  #isAfterResult = false;

  constructor(model: string | undefined) {
    this.#model = model;
  }

  add(node: TreeNode, entry: Entry, index: number, parts: readonly ContentPart[]): void {
    if (entry.type === "assistant") {
      this.#addAnswer(node, entry, index);
      return;
    }
    if (parts.length === 0) return;
    const results = parts.filter((part) => part.kind === "tool_result");
    for (const { id } of results) {
      if (id !== undefined) this.#answered.add(id);
    }
    if (results.length > 0) {
      this.#isAfterResult = true;
      return;
    }
    // Anything else that is said parts the lines of a message for good.
    this.#messageId = undefined;
    if (isPrompt(entry)) this.#prompt ??= { index, isAfterResult: this.#isAfterResult };
  }

  removable(): ThinkingBlock[] {
    return this.#blocks.filter(({ index, message }) =>
      index < this.newestTurn &&
      (message.hasText || message.callIds.some((id) => this.#answered.has(id)))
    );
  }

  #addAnswer(node: TreeNode, entry: Entry, index: number): void {
    const content = entry.message?.content;
    const isSent = entry.message?.model !== "<synthetic>";
    if (node.messageId === undefined || node.messageId !== this.#messageId || !isSent) {
      this.#message = { hasText: false, callIds: [] };
    }
    this.#messageId = isSent ? node.messageId : undefined;
    if (!isSent || !Array.isArray(content)) return;
    if (this.#prompt !== undefined && !this.#prompt.isAfterResult) {
      this.newestTurn = this.#prompt.index;
    }
    this.#prompt = undefined;
    this.#isAfterResult = false;
    for (const [block, value] of content.entries()) {
      if (isObject(value)) this.#addBlock(entry, value, { offset: node.offset, block, index });
    }
  }

  #addBlock(
    entry: Entry,
    value: Record<string, unknown>,
    place: { offset: number; block: number; index: number },
  ): void {
    const message = this.#message;
    if (value.type === "thinking" || value.type === "redacted_thinking") {
      const isSent = this.#model === undefined || entry.message?.model === this.#model;
      const text = isSent ? asString(value.thinking) ?? asString(value.data) ?? "" : "";
      const signature = isSent ? asString(value.signature) ?? "" : "";
      const chars = [...text].length + signature.length;
      const priorTokens = estimateThinkingTokens(text, signature.length);
      this.#blocks.push({ ...place, chars, priorTokens, message });
    } else if (value.type === "tool_use") {
      message.callIds.push(asString(value.id) ?? "");
    } else if (value.type !== "text" || asString(value.text)?.trim() !== "") {
      message.hasText = true;
    }
  }
}

/** Whether a person said it, rather than the client in a person's place. */
function isPrompt(entry: Entry): boolean {
  const { raw } = entry;
  if (entry.type !== "user" || raw.isMeta === true || raw.isCompactSummary === true) return false;
  return !isObject(raw.origin) || raw.origin.kind === "human";
}
