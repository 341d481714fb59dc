/** The mock's tokenizer: a fixed number of characters for each token, and of tokens for each picture. */

import { blocksOf, type WireBlock, type WireRequest } from "./wire.ts";

const CHARS_PER_TOKEN = 3.7;
const IMAGE_TOKENS = 1500;

/** As the API reports it; the sum of the three inputs is the size of the context. */
export interface Usage {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
}

/**
 * Counts UTF-16 code units and pictures, including those in tool results. A call's arguments are counted as
 * JSON.
 */
function sizeOf(blocks: WireBlock[]): { chars: number; images: number } {
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
 * Counts a request's tokens, split as if system and tools were read from the cache and nearly all
 * of the messages were written to it.
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

export function contextTokensOf(usage: Omit<Usage, "output_tokens">): number {
  return usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
}
