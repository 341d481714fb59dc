/** Parts of a conversation that a row cannot hold. */

import { asString, isObject, type JsonObject } from "../transcript/entry.ts";
import { estimateThinkingTokens } from "../transcript/tokens/tokens.ts";
import type { ApiMessage } from "./client.ts";

/** Parts that would be gone. */
export interface Losses {
  /** Number of thinking blocks. */
  readonly thinking: number;
  /** Their tokens by the estimate before calibration. */
  readonly thinkingTokens: number;
  /** Number of tools that a search loaded and that have to be searched for again. */
  readonly loadedTools: number;
  /** Other kinds of blocks, by name. */
  readonly others: readonly string[];
}

/** Content of a row. */
const HELD: ReadonlySet<unknown> = new Set(["text", "tool_use", "tool_result"]);
const THINKING: ReadonlySet<unknown> = new Set(["thinking", "redacted_thinking"]);
const MEDIA: ReadonlySet<unknown> = new Set(["image", "document"]);

/** The result of a search for tools: the client then offers the tool. */
const REFERENCE = "tool_reference";

/** Puts words in the place of results that hold nothing but references to tools, by the call's id. */
export function referenceTexts(messages: readonly ApiMessage[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const block of messages.flatMap(({ content }) => content)) {
    const id = asString(block.tool_use_id);
    if (block.type !== "tool_result" || id === undefined || !Array.isArray(block.content)) continue;
    const names = block.content.filter(isObject).filter(({ type }) => type === REFERENCE)
      .map(({ tool_name: name }) => asString(name) ?? "");
    if (names.length > 0) texts.set(id, `Found ${names.join(", ")}: search again to load`);
  }
  return texts;
}

/** Counts the parts of a conversation that rows cannot hold. */
export function countLosses(messages: readonly ApiMessage[]): Losses {
  const blocks = messages.flatMap(({ content }) => content).flatMap(withInner);
  const thinking = blocks.filter(({ type }) => THINKING.has(type));
  const known = (type: unknown): boolean =>
    HELD.has(type) || THINKING.has(type) || MEDIA.has(type) || type === REFERENCE;
  return {
    thinking: thinking.length,
    thinkingTokens: thinking.reduce((sum, block) => sum + thinkingTokens(block), 0),
    loadedTools: blocks.filter(({ type }) => type === REFERENCE).length,
    others: [...new Set(blocks.filter(({ type }) => !known(type)).map(({ type }) => `${type}`))],
  };
}

/** A block, and the blocks inside it if it is a result. */
function withInner(block: JsonObject): JsonObject[] {
  const inner = block.type === "tool_result" && Array.isArray(block.content) ? block.content : [];
  return [block, ...inner.filter(isObject)];
}

function thinkingTokens(block: JsonObject): number {
  const text = asString(block.thinking) ?? asString(block.data) ?? "";
  return estimateThinkingTokens(text, asString(block.signature)?.length ?? 0);
}
