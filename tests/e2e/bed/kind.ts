/**
 * Which part of the client a request comes from.
 *
 * @module
 */

import { blocksOf, type WireRequest } from "./wire.ts";

/**
 * - `main`: the session's own conversation.
 * - `subagent`: an agent that the session started.
 * - `summariser`: a compaction, which sends the conversation with an order to sum it up as its last text.
 * - `side`: everything else, which has no tools: a session's title, a count of tokens.
 */
export type RequestKind = "main" | "subagent" | "summariser" | "side";

const AGENT_HEADER = "x-claude-code-agent-id";
const SUMMARY_ORDER = /Your task is to create a detailed summary/;

/**
 * Tells what a request is for.
 *
 * @param body The request.
 * @param headers The request's headers, names in lower case.
 * @returns The kind. A conversation that merely quotes an order to sum up is `main`: only the last block
 * of the last message decides.
 */
export function kindOf(body: WireRequest, headers: Record<string, string>): RequestKind {
  // A system message that the client adds at the end does not matter.
  const said = body.messages.findLast(({ role }) => role !== "system");
  const last = blocksOf(said?.content).at(-1);
  const order = last?.type === "text" ? last.text ?? "" : "";
  if (SUMMARY_ORDER.test(order.slice(0, 2000))) return "summariser";
  const billing = blocksOf(body.system)[0]?.text ?? "";
  if (headers[AGENT_HEADER] !== undefined || billing.includes("cc_is_subagent=true")) {
    return "subagent";
  }
  return (body.tools ?? []).length === 0 ? "side" : "main";
}
