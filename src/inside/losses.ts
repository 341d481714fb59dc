/** Counts the parts of a conversation that rows cannot represent. A trim in place would lose these parts. */

import type { JsonObject } from "../core/record.ts";
import { asString } from "../transcript/entry.ts";
import { blockParts, objectsOf } from "../transcript/content.ts";
import { partTokens } from "../trim/spans.ts";
import type { ApiMessage } from "./client.ts";

export interface Losses {
  readonly thinking: number;
  /** Estimate before calibration. */
  readonly thinkingTokens: number;
  /** Tools that the model found by a search and must search for again. */
  readonly loadedTools: number;
  readonly lostTypes: readonly string[];
}

/** In the result of a tool search, a block of this type makes the found tool available to the model. */
const REFERENCE = "tool_reference";

const THINKING = /^(?:redacted_)?thinking$/;

/** Matches types of blocks that rows represent, or whose loss is counted separately. */
const KNOWN =
  /^(?:(?:redacted_)?thinking|tool_reference|text|tool_use|tool_result|image|document)$/;

/** Returns text for a result with tool references, because rows cannot represent the references. */
export function referenceText({ content }: JsonObject): string | undefined {
  const names = objectsOf(content).filter(({ type }) => type === REFERENCE)
    .map(({ tool_name: name }) => asString(name) ?? "");
  return names.length === 0 ? undefined : `Found ${names.join(", ")}: search again to load`;
}

export function countLosses(messages: readonly ApiMessage[]): Losses {
  const blocks = messages.flatMap(({ content }) => content).flatMap(withInnerBlocks);
  const thinking = blocks.filter(({ type }) => THINKING.test(`${type}`)).flatMap(blockParts);
  return {
    thinking: thinking.length,
    thinkingTokens: thinking.reduce((sum, part) => sum + partTokens(part), 0),
    loadedTools: blocks.filter(({ type }) => type === REFERENCE).length,
    lostTypes: [
      ...new Set(blocks.map(({ type }) => `${type}`).filter((type) => !KNOWN.test(type))),
    ],
  };
}

function withInnerBlocks(block: JsonObject): JsonObject[] {
  return [block, ...block.type === "tool_result" ? objectsOf(block.content) : []];
}
