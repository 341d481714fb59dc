/** Registers a tool with which the model can request a trim, once a warning has recommended one. */

import { boundText } from "../src/inject/bound.ts";
import { cleanLine } from "../src/inject/clean.ts";
import type { Client, ToolAnswer, ToolEvent } from "../src/inside/client.ts";

export const TRIM_TOOL = "mcp__trimtab__trim";

export const TRIM_TOOL_HINT =
  `Your tool ${TRIM_TOOL} (it may need ToolSearch first) trims when your turn ends.`;

const SPEC = {
  name: "trim",
  description: "Shortens older tool outputs of this conversation when your turn ends.",
  inputSchema: { type: "object", properties: { why: { type: "string" } } },
  // The client sends only the name of a deferred tool, and leaves the cached prefix unchanged.
  isDeferred: true,
};

const ANSWER =
  "Requested: the conversation is trimmed when your turn ends, if that frees enough. " +
  "Every message is kept.";

const MAX_WHY_CHARS = 120;

/** `why` is the model's reason for the trim that it requested; `undefined` without a request. */
let offered: { sessionId: string; why: string | undefined } | undefined;

export async function offerTrim(client: Client, sessionId: string): Promise<void> {
  if (offered?.sessionId === sessionId) return;
  await client.tool.register(SPEC);
  offered = { sessionId, why: undefined };
}

/** Stores the request, because the conversation cannot be replaced before the turn ends. */
export async function answerTrimTool(client: Client, event: ToolEvent): Promise<ToolAnswer> {
  if (event.agentId !== undefined) return { deny: "a subagent cannot trim the conversation" };
  const why = typeof event.why === "string" ? cleanLine(boundText(event.why, MAX_WHY_CHARS)) : "";
  offered = { sessionId: await client.session.id(), why };
  return { result: ANSWER };
}

/** Returns and clears the model's request, phrased to follow "cut". */
export function takeTrimRequest(sessionId: string): string | undefined {
  if (offered?.sessionId !== sessionId || offered.why === undefined) return undefined;
  const { why } = offered;
  offered = { sessionId, why: undefined };
  return why === "" ? "because the model asked" : `because the model asked: "${why}"`;
}

export function dropTrimRequest(): void {
  if (offered !== undefined) offered = { ...offered, why: undefined };
}

export function forgetOffer(): void {
  offered = undefined;
}
