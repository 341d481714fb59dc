/** Detects which part of the client sent a request. */

import { blocksOf, type WireRequest } from "./wire.ts";

/**
 * - `main`: the session's own conversation.
 * - `subagent`: an agent that the session started.
 * - `summariser`: a compaction, whose last text asks for a summary of the conversation.
 * - `side`: a count of tokens, or any other request without tools, such as one for the session's title.
 */
export type RequestKind = "main" | "subagent" | "summariser" | "side";

const AGENT_HEADER = "x-claude-code-agent-id";
const SUMMARY_ORDER = /Your task is to create a detailed summary/;

/**
 * Looks for the instruction to summarize only in the last block, because a conversation can also quote it. The
 * caller recognizes a count of tokens by its path.
 */
export function kindOf(body: WireRequest, headers: Record<string, string>): RequestKind {
  const lastMessage = body.messages.findLast(({ role }) => role !== "system");
  const last = blocksOf(lastMessage?.content).at(-1);
  const order = last?.type === "text" ? last.text ?? "" : "";
  if (SUMMARY_ORDER.test(order.slice(0, 2000))) return "summariser";
  const billing = blocksOf(body.system)[0]?.text ?? "";
  if (headers[AGENT_HEADER] !== undefined || billing.includes("cc_is_subagent=true")) {
    return "subagent";
  }
  return (body.tools ?? []).length === 0 ? "side" : "main";
}
