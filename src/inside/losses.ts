/** The parts of a conversation that rows cannot hold. */

import { isObject, type JsonObject } from "../core/record.ts";
import { asString } from "../transcript/entry.ts";
import { estimateThinkingTokens } from "../transcript/tokens/tokens.ts";
import type { ApiMessage } from "./client.ts";

/** The parts that a trim in place would lose. */
export interface Losses {
  /** Number of thinking blocks. */
  readonly thinking: number;
  /** Tokens of the thinking blocks, before calibration. */
  readonly thinkingTokens: number;
  /** Number of tools loaded by a search; the model must search for them again. */
  readonly loadedTools: number;
  /** Names of other kinds of blocks. */
  readonly others: readonly string[];
}

/** Block types that a row can hold. */
const ROW_BLOCKS: ReadonlySet<unknown> = new Set(["text", "tool_use", "tool_result"]);
const THINKING: ReadonlySet<unknown> = new Set(["thinking", "redacted_thinking"]);
const MEDIA: ReadonlySet<unknown> = new Set(["image", "document"]);

/** Block type in the result of a tool search; it makes the client offer the tool. */
const REFERENCE = "tool_reference";

/** Texts for results that contain only tool references, by call id. */
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

export function countLosses(messages: readonly ApiMessage[]): Losses {
  const blocks = messages.flatMap(({ content }) => content).flatMap(withInner);
  const thinking = blocks.filter(({ type }) => THINKING.has(type));
  const known = (type: unknown): boolean =>
    ROW_BLOCKS.has(type) || THINKING.has(type) || MEDIA.has(type) || type === REFERENCE;
  return {
    thinking: thinking.length,
    thinkingTokens: thinking.reduce((sum, block) => sum + thinkingTokens(block), 0),
    loadedTools: blocks.filter(({ type }) => type === REFERENCE).length,
    others: [...new Set(blocks.filter(({ type }) => !known(type)).map(({ type }) => `${type}`))],
  };
}

function withInner(block: JsonObject): JsonObject[] {
  const inner = block.type === "tool_result" && Array.isArray(block.content) ? block.content : [];
  return [block, ...inner.filter(isObject)];
}

function thinkingTokens(block: JsonObject): number {
  const text = asString(block.thinking) ?? asString(block.data) ?? "";
  return estimateThinkingTokens(text, asString(block.signature)?.length ?? 0);
}
