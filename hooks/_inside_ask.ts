/** Lets the model ask for a trim, from the level on at which one is recommended. */

import { boundText } from "../src/inject/bound.ts";
import { cleanLine } from "../src/inject/clean.ts";
import type { Client, ToolAnswer, ToolEvent } from "../src/inside/client.ts";

/** The tool, as the model calls it. */
export const TRIM_TOOL = "mcp__trimtab__trim";

/** Mentions it to the model behind a warning. */
export const TRIM_TOOL_WORDS =
  `Your tool ${TRIM_TOOL} (load it by ToolSearch) trims when your turn ends.`;

const SPEC = {
  name: "trim",
  description: "Shortens older tool outputs of this conversation when your turn ends.",
  inputSchema: { type: "object", properties: { why: { type: "string" } } },
  // Found by the tool search, it costs only its name, and does not change the cached prefix.
  isDeferred: true,
};

const MAX_WHY_CHARS = 120;

/** The session that has the tool, and why its model wants a trim. */
let offered: { sessionId: string; why: string | undefined } | undefined;

/** Gives the model the tool. */
export async function offerTrim(client: Client, sessionId: string): Promise<void> {
  if (offered?.sessionId === sessionId) return;
  await client.tool.register(SPEC);
  offered = { sessionId, why: undefined };
}

/** Takes the request down; nothing can be replaced before the turn ends. */
export async function answerTrimTool(client: Client, event: ToolEvent): Promise<ToolAnswer> {
  if (event.agentId !== undefined) return { deny: "a subagent cannot trim the conversation" };
  const why = typeof event.why === "string" ? cleanLine(boundText(event.why, MAX_WHY_CHARS)) : "";
  offered = { sessionId: await client.session.id(), why };
  return { result: "The conversation is trimmed when your turn ends. Every message stays." };
}

/** Why the model asked for a trim, as words behind "cut"; `undefined` if it did not. */
export function takeAsked(): string | undefined {
  if (offered?.why === undefined) return undefined;
  const { sessionId, why } = offered;
  offered = { sessionId, why: undefined };
  return why === "" ? "because the model asked" : `because the model asked: "${why}"`;
}
