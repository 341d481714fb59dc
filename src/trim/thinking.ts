/**
 * Finds the thinking of finished turns, which can be removed if the client and the API accept the rest of
 * the message.
 *
 * - A turn is finished once the model has answered a later prompt. A prompt typed while a tool ran is sent
 *   together with the tool's result. For the API the turn then continues, so its thinking must be kept.
 * - The client writes one line for each block of a message. A line whose only block is removed keeps an
 *   empty list of blocks, because Claude Code 2.1.197 then builds the message from the other lines. An empty
 *   text block would be sent, and the API refuses it.
 * - A message that has only thinking is kept, because the client does not send it. If it were empty, the
 *   client would send a placeholder.
 */

import { isObject, type JsonObject } from "../core/record.ts";
import { blockParts, contentChars, type ContentPart } from "../transcript/content.ts";
import type { TreeNode } from "../transcript/tree/tree.ts";
import { asString, type Entry } from "../transcript/entry.ts";
import type { Cut } from "./cut_planner.ts";
import { partTokens } from "./spans.ts";

interface ThinkingBlock {
  readonly cut: Cut;
  readonly message: SentMessage;
}

/** The parts of an assistant's message that are sent, except thinking. */
interface SentMessage {
  hasOtherParts: boolean;
  callIds: string[];
}

export class ThinkingFinder {
  newestTurnIndex = 0;

  readonly #model: string | undefined;
  readonly #blocks: ThinkingBlock[] = [];
  readonly #answered = new Set<string>();
  #messageId: string | undefined;
  #message: SentMessage = { hasOtherParts: false, callIds: [] };
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
    // Later lines of the assistant begin a new message, even with the same id.
    this.#messageId = undefined;
    if (isPrompt(entry)) this.#prompt ??= { index, isAfterResult: this.#isAfterResult };
  }

  removable(): Cut[] {
    return this.#blocks.filter(({ cut, message }) =>
      cut.index < this.newestTurnIndex &&
      (message.hasOtherParts || message.callIds.some((id) => this.#answered.has(id)))
    ).map(({ cut }) => cut);
  }

  #addAnswer(node: TreeNode, entry: Entry, index: number): void {
    const content = entry.message?.content;
    const isSent = entry.message?.model !== "<synthetic>";
    if (node.messageId === undefined || node.messageId !== this.#messageId || !isSent) {
      this.#message = { hasOtherParts: false, callIds: [] };
    }
    this.#messageId = isSent ? node.messageId : undefined;
    if (!isSent || !Array.isArray(content)) return;
    if (this.#prompt !== undefined && !this.#prompt.isAfterResult) {
      this.newestTurnIndex = this.#prompt.index;
    }
    this.#prompt = undefined;
    this.#isAfterResult = false;
    for (const [block, value] of content.entries()) {
      if (isObject(value)) {
        this.#addBlock(entry, value, { index, place: { offset: node.offset, block } });
      }
    }
  }

  #addBlock(entry: Entry, value: JsonObject, position: Pick<Cut, "index" | "place">): void {
    const message = this.#message;
    if (value.type === "thinking" || value.type === "redacted_thinking") {
      // Another model's thinking is not sent.
      const isSent = this.#model === undefined || entry.message?.model === this.#model;
      const parts = isSent ? blockParts(value) : [];
      const priorTokens = parts.reduce((sum, part) => sum + partTokens(part), 0);
      const savings = { thinkingChars: contentChars(parts), priorTokens, mediaTokens: 0 };
      const cut = { kind: "thinking", id: undefined, ...position, ...savings } as const;
      this.#blocks.push({ cut, message });
    } else if (value.type === "tool_use") {
      message.callIds.push(asString(value.id) ?? "");
    } else if (value.type !== "text" || asString(value.text)?.trim() !== "") {
      message.hasOtherParts = true;
    }
  }
}

/** Excludes entries that the client wrote in the user's role. */
function isPrompt(entry: Entry): boolean {
  const { raw } = entry;
  if (entry.type !== "user" || raw.isMeta === true || raw.isCompactSummary === true) return false;
  return !isObject(raw.origin) || raw.origin.kind === "human";
}
