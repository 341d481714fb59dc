/** Says how full the window is, in the client's own status area, once it is worth saying. */

import type { ContextConfig } from "../config/schema.ts";
import { type FreedRecord, isFreedRecord, isRecord } from "../core/record.ts";
import { grouped } from "../inject/bound.ts";
import { adviceWords, isFresh } from "../pressure/advice.ts";
import { raisedByTokens } from "../pressure/ladder.ts";
import { contextPercent } from "../pressure/judge.ts";
import type { Client, ContextFill } from "./client.ts";
import { limitOf } from "./trim.ts";

/** Below this share of the window nobody asks where the client compacts, in percent. */
const MIN_ASKED_PERCENT = 30;

/** Words for the status area; `undefined` where there is nothing to say. */
export function fillWords(
  tokens: number | undefined,
  limit: number,
  config: ContextConfig,
  freed?: FreedRecord,
): string | undefined {
  if (tokens === undefined) return undefined;
  const percent = contextPercent(tokens, limit);
  if (raisedByTokens(percent, tokens, config) === "ok") return undefined;
  const advice = adviceWords(isFresh(freed, tokens) ? freed : undefined);
  return `context ${percent}% (${grouped(tokens)} of ${grouped(limit)} tokens) · ${advice}`;
}

/** Shows how full the window is. */
export async function showFill(
  client: Client,
  { tokens, window }: ContextFill,
  config: ContextConfig,
): Promise<void> {
  const isLow = tokens === undefined || tokens * 100 < MIN_ASKED_PERCENT * window;
  const limit = isLow ? window : await askedLimit(client);
  const freed = isLow ? undefined : await freedOf(client);
  client.ui.status(fillWords(tokens, limit, config, freed));
}

/** What hooks and commands wrote down. */
async function freedOf(client: Client): Promise<FreedRecord | undefined> {
  const [projectDir, sessionId] = await Promise.all([client.session.root(), client.session.id()]);
  const path = `${projectDir}/.claude/trimtab/state/${sessionId}.json`;
  const raw: unknown = JSON.parse(await client.fs.read(path).catch(() => "{}"));
  return isRecord(raw) && isFreedRecord(raw["freed"]) ? raw["freed"] : undefined;
}

async function askedLimit(client: Client): Promise<number> {
  const { context } = await client.session.usage({ breakdown: "summary" });
  return limitOf(context);
}
