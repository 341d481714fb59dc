/**
 * Says how full the window is, in the client's own status area, once it is worth saying.
 *
 * @module
 */

import type { ContextConfig } from "../config/schema.ts";
import { grouped } from "../inject/bound.ts";
import { raisedByTokens } from "../pressure/ladder.ts";
import { contextPercent } from "../pressure/judge.ts";
import type { Client, ContextFill } from "./client.ts";

/** Below this share of the window nobody asks where the client compacts, in percent. */
const MIN_ASKED_PERCENT = 30;

/** What is recommended at each level; nothing is said of one that is not here. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ["warn", "/trim makes room"],
  ["recommend", "/trim makes room"],
  ["urgent", "/trim now"],
]);

/** Words for the status area; `undefined` where there is nothing to say. */
export function fillWords(
  tokens: number | undefined,
  limit: number,
  config: ContextConfig,
): string | undefined {
  if (tokens === undefined) return undefined;
  const percent = contextPercent(tokens, limit);
  const level = raisedByTokens(percent, tokens, config);
  const advice = ADVICE.get(level);
  if (advice === undefined) return undefined;
  return `context ${percent}% (${grouped(tokens)} of ${grouped(limit)} tokens) · ${advice}`;
}

/** Shows how full the window is. */
export async function showFill(
  client: Client,
  { tokens, window }: ContextFill,
  config: ContextConfig,
): Promise<void> {
  const isLow = tokens === undefined || tokens * 100 < MIN_ASKED_PERCENT * window;
  const limit = isLow ? window : await limitOf(client, window);
  client.ui.status(fillWords(tokens, limit, config));
}

/** Where the client compacts by itself, or the window where it does not. */
async function limitOf(client: Client, window: number): Promise<number> {
  const { context: { breakdown } } = await client.session.usage({ breakdown: "summary" });
  return breakdown?.autoCompactThreshold ?? breakdown?.rawMaxTokens ?? window;
}
