/** Counts the parts of a conversation that rows cannot represent. A trim in place would lose these parts. */

import { isObject, type JsonObject } from "../core/record.ts";
import { asString } from "../transcript/entry.ts";
import { estimateThinkingTokens } from "../transcript/tokens/tokens.ts";
import type { ApiMessage } from "./client.ts";

export interface Losses {
  readonly thinking: number;
  /** Estimate before calibration. */
  readonly thinkingTokens: number;
  /** Tools that the model found by a search and must search for again. */
  readonly loadedTools: number;
  readonly others: readonly string[];
}

const ROW_BLOCKS: ReadonlySet<unknown> = new Set(["text", "tool_use", "tool_result"]);
const THINKING: ReadonlySet<unknown> = new Set(["thinking", "redacted_thinking"]);
const MEDIA: ReadonlySet<unknown> = new Set(["image", "document"]);

/** Type of block in the result of a tool search that makes the client offer the tool to the model. */
const REFERENCE = "tool_reference";

/** Returns text for a result with tool references, because rows cannot represent the references. */
export function referenceText({ content }: JsonObject): string | undefined {
  const names = (Array.isArray(content) ? content : []).filter(isObject)
    .filter(({ type }) => type === REFERENCE)
    .map(({ tool_name: name }) => asString(name) ?? "");
  return names.length === 0 ? undefined : `Found ${names.join(", ")}: search again to load`;
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
