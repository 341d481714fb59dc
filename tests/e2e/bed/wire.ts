/**
 * The parts of the Messages API's wire format that the test bed looks at.
 *
 * Everything is optional or `unknown` where a client could get it wrong: the bed is there to find out.
 *
 * @module
 */

/** Appended by newer clients to a result. */
const TOKENS_LEFT =
  /\s*<system-reminder>\n<total_tokens>\d+ tokens left<\/total_tokens>\n<\/system-reminder>$/;

/** One content block of a message, of the system prompt or of a tool result. */
export interface WireBlock {
  type: string;
  text?: string;
  thinking?: string;
  signature?: string;
  id?: string;
  name?: string;
  input?: unknown;
  tool_use_id?: string;
  is_error?: boolean;
  content?: string | WireBlock[];
  source?: { type?: string; media_type?: string; data?: string };
  cache_control?: unknown;
}

/** One message of a request. */
export interface WireMessage {
  role: string;
  content: string | WireBlock[];
}

/** The body of `POST /v1/messages`. */
export interface WireRequest {
  model: string;
  messages: WireMessage[];
  system?: string | WireBlock[];
  tools?: { name: string }[];
  stream?: boolean;
  max_tokens?: number;
  thinking?: { type?: string };
}

/**
 * The blocks of a message's content; a plain string is one text block.
 *
 * @param content The `content` of a message, of a tool result, or the `system` of a request.
 * @returns The blocks, in order.
 */
export function blocksOf(content: string | WireBlock[] | undefined): WireBlock[] {
  if (content === undefined) return [];
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/**
 * The messages as the API reads them: neighbours of one role are one message.
 *
 * @param messages The `messages` of a request.
 * @returns Messages whose roles alternate, each with a list of blocks.
 */
export function mergedMessages(
  messages: WireMessage[],
): { role: string; content: WireBlock[] }[] {
  const merged: { role: string; content: WireBlock[] }[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last !== undefined && last.role === message.role) {
      last.content.push(...blocksOf(message.content));
    } else {
      merged.push({ role: message.role, content: [...blocksOf(message.content)] });
    }
  }
  return merged;
}

/**
 * Takes out of a tool's result what newer clients tell the model behind it: how many tokens are left.
 *
 * @param text The result as it is sent.
 * @returns What the tool answered, with all that others wrote about it; of the oldest client, all of it.
 */
export function withoutTokensLeft(text: string): string {
  return text.replace(TOKENS_LEFT, "");
}
