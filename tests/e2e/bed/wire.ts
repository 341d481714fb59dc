/**
 * The parts of the Messages API's wire format that the bed reads. A field that a client could get wrong is
 * optional or `unknown`, so that the bed can detect the mistake.
 */

/** Newer clients append this to a tool's result. */
const TOKENS_LEFT =
  /\s*<system-reminder>\n<total_tokens>\d+ tokens left<\/total_tokens>\n<\/system-reminder>$/;

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

export interface WireMessage {
  role: string;
  content: string | WireBlock[];
}

export interface WireRequest {
  model: string;
  messages: WireMessage[];
  system?: string | WireBlock[];
  tools?: { name: string }[];
  stream?: boolean;
}

/** Returns the blocks of a message, a tool result or a system prompt; a string is one text block. */
export function blocksOf(content: string | WireBlock[] | undefined): WireBlock[] {
  if (content === undefined) return [];
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** Merges adjacent messages of the same role, as the API does. */
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

export function withoutTokensLeft(text: string): string {
  return text.replace(TOKENS_LEFT, "");
}
