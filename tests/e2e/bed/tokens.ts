/**
 * The mock's tokenizer: tokens are a fixed share of the characters.
 *
 * @module
 */

import { blocksOf, type WireBlock, type WireRequest } from "./wire.ts";

/** Characters for each token of the mock. */
export const CHARS_PER_TOKEN = 3.7;
/** Tokens of a picture of any size. */
export const IMAGE_TOKENS = 1500;

/** Token counts as the API reports them; the sum of the three inputs is the context's size. */
export interface Usage {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
}

/**
 * Counts the characters and pictures in a list of blocks, without the JSON syntax.
 *
 * @param blocks Blocks of any kind, including tool results.
 * @returns Characters (UTF-16 code units) and number of pictures.
 */
export function sizeOf(blocks: WireBlock[]): { chars: number; images: number } {
  const total = { chars: 0, images: 0 };
  for (const block of blocks) {
    if (block.type === "image") total.images++;
    total.chars += (block.text ?? block.thinking ?? block.name ?? "").length;
    if (block.input !== undefined) total.chars += JSON.stringify(block.input).length;
    const inner = sizeOf(blocksOf(block.content));
    total.chars += inner.chars;
    total.images += inner.images;
  }
  return total;
}

/**
 * The tokens of a request, computed only from its system prompt, tools and messages.
 *
 * @param body The request.
 * @returns Input tokens, split as if system and tools were cached and the newest message were not.
 */
export function countUsage(body: WireRequest): Omit<Usage, "output_tokens"> {
  const messages = body.messages.map((message) => sizeOf(blocksOf(message.content)));
  const images = messages.reduce((sum, size) => sum + size.images, 0);
  const tools = body.tools === undefined ? 0 : JSON.stringify(body.tools).length;
  const fixed = sizeOf(blocksOf(body.system)).chars + tools;
  const chars = fixed + messages.reduce((sum, size) => sum + size.chars, 0);
  const total = Math.ceil(chars / CHARS_PER_TOKEN) + images * IMAGE_TOKENS;
  const cached = Math.floor(fixed / CHARS_PER_TOKEN);
  const fresh = Math.min(total - cached, 3);
  return {
    input_tokens: fresh,
    cache_creation_input_tokens: total - cached - fresh,
    cache_read_input_tokens: cached,
  };
}

/**
 * The size of the context, from a usage.
 *
 * @param usage As reported by the API.
 * @returns The sum of the three inputs, in tokens.
 */
export function contextTokensOf(usage: Omit<Usage, "output_tokens">): number {
  return usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
}
