/** Fill of the window: the client's figure, or the trim's own until the next answer. */

import type { ContextConfig } from "../config/schema.ts";
import { type FreedRecord, isAfter, isFreedRecord, isObject } from "../core/record.ts";
import { grouped, MAX_CONTEXT_CHARS } from "../inject/bound.ts";
import { adviceWords, type FreedAmounts, isFresh } from "../gauge/advice.ts";
import { warningLevel } from "../gauge/ladder.ts";
import { contextPercent } from "../gauge/judge.ts";
import type { InsideFill } from "../store/inside_record.ts";
import { CHARACTERS_PER_TOKEN } from "../transcript/tokens/tokens.ts";
import type { Client, ContextFill } from "./client.ts";
import { compactionPoint, limitOf, usedCategories } from "./trim.ts";
import { readText } from "./files.ts";
import { readRecord } from "./record.ts";

/** Size limit for a session's state file, in bytes. */
const MAX_STATE_BYTES = 256 * 1024;

/** Tokens after a trim, used while the client still reports the previous request. */
let claim: { id: string; was: number | undefined; after: number } | undefined;

/** Text for the status area; `undefined` below the first level. */
export function fillWords(
  tokens: number | undefined,
  limit: number,
  config: ContextConfig,
  freed?: FreedAmounts,
  nowMs?: number,
): string | undefined {
  if (tokens === undefined) return undefined;
  const percent = contextPercent(tokens, limit);
  const level = warningLevel(percent, config);
  if (level === "ok") return undefined;
  const known = isFresh(freed, tokens) ? freed : undefined;
  const advice = adviceWords(known, { level, tokens, nowMs });
  return `context ${percent}% (${grouped(tokens)} of ${grouped(limit)} tokens) · ${advice}`;
}

/** The client's figures for the window, or the claimed figure after a trim. */
export async function contextFill(
  client: Client,
  detail?: { breakdown: "summary" },
): Promise<ContextFill> {
  const [{ context }, id] = await Promise.all([client.session.usage(detail), client.session.id()]);
  const isOld = claim?.id === id && (context.tokens === undefined || context.tokens === claim.was);
  if (claim !== undefined && isOld) return { ...context, tokens: claim.after };
  claim = undefined;
  return context;
}

/** Uses a trim's own figure until the client reports the next answer. */
export function claimFill(
  id: string,
  { was, after }: { readonly was: number | undefined; readonly after: number },
): void {
  // After two trims in a row the client still reports the request before the first.
  const isClaimed = claim?.id === id && claim.after === was;
  claim = { id, was: isClaimed ? claim?.was : was, after };
}

/** The fill with its categories and the compaction threshold. */
export async function fullFill(client: Client): Promise<ContextFill> {
  return await contextFill(client, { breakdown: "summary" });
}

/** The last limit that the client reported, and the window it applies to. */
let knownLimit: { id: string; window: number; limit: number } | undefined;

/** Percent of the limit in use, by the last known limit; `undefined` if unknown. */
export async function percentInUse(client: Client): Promise<number | undefined> {
  const [{ tokens, window }, id] = await Promise.all([contextFill(client), client.session.id()]);
  if (tokens === undefined || knownLimit?.id !== id || knownLimit.window !== window) {
    return undefined;
  }
  return contextPercent(tokens, knownLimit.limit);
}

/** Reads the window's figures for hooks and commands. */
export async function readFill(client: Client): Promise<InsideFill> {
  const [fill, now, model, id] = await Promise.all([
    fullFill(client),
    client.clock.now(),
    client.session.model(),
    client.session.id(),
  ]);
  const { tokens, window, breakdown } = fill;
  knownLimit = { id, window, limit: limitOf(fill) };
  return {
    at_ms: now,
    model,
    tokens: tokens ?? null,
    window: breakdown?.rawMaxTokens ?? window,
    limit: knownLimit.limit,
    limit_kind: compactionPoint(breakdown) === undefined ? "answer" : "compaction",
    categories: usedCategories(breakdown),
  };
}

/** Tokens that a rollover would free: all messages, less the handoff that replaces them. */
export function freedByRollover(categories: InsideFill["categories"], before: number): number {
  // The client omits empty categories, so a missing "Messages" among others means no messages.
  const said = categories["Messages"] ?? ("System prompt" in categories ? 0 : before);
  return Math.max(0, Math.round(said - MAX_CONTEXT_CHARS / CHARACTERS_PER_TOKEN));
}

/**
 * Tokens that each remedy would free, as recorded by hooks and commands; `undefined` if older than the last
 * trim.
 */
export async function recordedFreed(client: Client): Promise<FreedRecord | undefined> {
  const [projectDir, sessionId] = await Promise.all([client.session.root(), client.session.id()]);
  const path = `${projectDir}/.claude/trimtab/state/${sessionId}.json`;
  const raw: unknown = JSON.parse(await readText(client, path, MAX_STATE_BYTES) ?? "{}");
  const freed = isObject(raw) && isFreedRecord(raw["freed"]) ? raw["freed"] : undefined;
  const trimMs = (await readRecord(client)).trims.at(-1)?.at_ms ?? 0;
  return freed !== undefined && (trimMs === 0 || isAfter(freed, trimMs)) ? freed : undefined;
}
