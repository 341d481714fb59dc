/** Reads how full the window is, and warns like the hooks, but without starting a process. */

import type { ContextConfig } from "../config/schema.ts";
import { type FreedRecord, hasAnswerAfter, isFreedRecord, parseObject } from "../core/record.ts";
import { grouped } from "../inject/bound.ts";
import {
  type FreedAmounts,
  isFresh,
  pressureText,
  recommend,
  shortAdvice,
  TRIM_AT_OFFER,
} from "../gauge/advice.ts";
import { warningLevel } from "../gauge/ladder.ts";
import { contextPercent } from "../gauge/judge.ts";
import { answerLimit, compactionLimit, overrideLimit } from "../gauge/limit.ts";
import { canSkipMeasurement, decideWarning, lastLevel } from "../gauge/watch.ts";
import { type InsideFill, type InsideWatch, nonMessageTokens } from "../store/inside_record.ts";
import { recordActivity } from "../store/needs_checkpoint.ts";
import { rolloverSavings } from "../trim/worth.ts";
import { BLACKBOARD_FILE } from "../watch/board_path.ts";
import { attempt } from "./attempt.ts";
import type { Client, ContextFill } from "./client.ts";
import { compactionPoint, limitOf, type MeasuredFill, usedCategories } from "./trim.ts";
import { readText } from "./files.ts";
import { changeRecord, isUsedProject, ownerOf, readRecord } from "./record.ts";
import { settingsOf } from "./settings.ts";

const MAX_STATE_BYTES = 256 * 1024;

/** Applies while the client still reports the request before a trim or a compaction (`reported`). */
let fillAfterTrim:
  | { id: string; reported: number | undefined; after: number | undefined }
  | undefined;

export function fillText(
  { tokens, limit, at_ms: nowMs }: InsideFill,
  config: ContextConfig,
  freed?: FreedAmounts,
): string | undefined {
  if (tokens === null) return undefined;
  const percent = contextPercent(tokens, limit);
  const level = warningLevel(percent, config);
  if (level === "ok") return undefined;
  const fresh = isFresh(freed, tokens) ? freed : undefined;
  const advice = shortAdvice(fresh, { level, tokens, nowMs });
  // The figures come last, because a narrow terminal cuts off the end.
  return `context ${percent}% · ${advice} (${grouped(tokens)} of ${grouped(limit)} tokens)`;
}

/** Returns the client's figures; until the next answer after a trim, the trim's own figure. */
export async function contextFill(
  client: Client,
  detail?: { breakdown: "summary" },
): Promise<ContextFill> {
  const { context } = await client.session.usage(detail);
  // Avoids the query for the session's id, because each query delays a batch of tool calls.
  if (fillAfterTrim === undefined) return context;
  const isStale = context.tokens === undefined || context.tokens === fillAfterTrim.reported;
  if (isStale && fillAfterTrim.id === await client.session.id()) {
    const { tokens: _, ...others } = context;
    return fillAfterTrim.after === undefined ? others : { ...others, tokens: fillAfterTrim.after };
  }
  fillAfterTrim = undefined;
  return context;
}

/** Sets the figures that apply until the next answer. Returns a function that restores the earlier ones. */
export function setFillAfterTrim(
  id: string,
  { reported, after }: Record<"reported" | "after", number | undefined>,
): () => void {
  const earlier = fillAfterTrim;
  // After two trims in a row, the client still reports the request before the first trim.
  const isSecondTrim = earlier?.id === id && earlier.after === reported;
  fillAfterTrim = { id, reported: isSecondTrim ? earlier?.reported : reported, after };
  return () => void (fillAfterTrim = earlier);
}

/** A lower limit from `CLAUDE_AUTOCOMPACT_PCT_OVERRIDE` replaces the client's, which ignores the variable. */
export async function detailedFill(client: Client): Promise<MeasuredFill> {
  const [fill, { context: { window_tokens: ownWindow } }] = await Promise.all([
    contextFill(client, { breakdown: "summary" }),
    settingsOf(client),
  ]);
  const { breakdown, window } = fill;
  if (breakdown === undefined) return fill;
  const { autoCompactThreshold: threshold = Infinity } = breakdown;
  const limit = Math.min(threshold, await userLimit(client, window));
  const found = threshold === Infinity ? breakdown : { ...breakdown, autoCompactThreshold: limit };
  const limited = { ...fill, breakdown: found };
  if (ownWindow === null) return limited;
  const reserve = compactionPoint(found) === undefined ? answerLimit : compactionLimit;
  return { ...limited, ownLimit: Math.min(reserve(ownWindow), limitOf(limited)) };
}

async function userLimit(client: Client, window: number): Promise<number> {
  const override = await client.env.get("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE");
  return overrideLimit(window, () => override);
}

let cached: { id: string; fill: MeasuredFill } | undefined;

/** Lowest limit of any client, in tokens, unless the user overrides the limit. */
const LOWEST_LIMIT = 67_000;

/** Returns the percentage of the limit in use. Assumes the lowest limit until {@linkcode readFill} was called. */
export async function percentInUse(client: Client, id: string): Promise<number> {
  const { tokens = 0, window } = await contextFill(client);
  const limit = cached?.id === id && cached.fill.window === window
    ? limitOf(cached.fill)
    : Math.min(LOWEST_LIMIT, await userLimit(client, window));
  return contextPercent(tokens, limit);
}

/** Reuses the last breakdown while the figures are unchanged, because the client needs 30 ms to count it. */
export async function fillForTrim(client: Client, id: string): Promise<MeasuredFill> {
  const fill = await contextFill(client);
  const isSame = cached?.id === id && fill.tokens !== undefined &&
    cached.fill.tokens === fill.tokens && cached.fill.window === fill.window;
  return isSame ? { ...cached?.fill, ...fill } : await detailedFill(client);
}

export async function readFill(client: Client): Promise<InsideFill> {
  const [fill, now, model, id] = await Promise.all([
    detailedFill(client),
    client.clock.now(),
    client.session.model(),
    client.session.id(),
  ]);
  cached = { id, fill };
  return insideFill(fill, model, now);
}

export function insideFill(fill: MeasuredFill, model: string, nowMs: number): InsideFill {
  const { tokens, window, breakdown } = fill;
  return {
    at_ms: nowMs,
    model,
    tokens: tokens ?? null,
    window: breakdown?.rawMaxTokens ?? window,
    limit: limitOf(fill),
    limit_kind: compactionPoint(breakdown) === undefined ? "answer" : "compaction",
    categories: usedCategories(breakdown),
  };
}

/** Ignores the client's count of the messages, which is inexact soon after a trim and lags during a turn. */
export function freedByRollover(categories: InsideFill["categories"], tokens: number): number {
  return rolloverSavings(tokens - nonMessageTokens(categories));
}

export async function recordedFreed(client: Client): Promise<FreedRecord | undefined> {
  const [root, id] = await ownerOf(client);
  const path = `${root}/.claude/trimtab/state/${id}.json`;
  const { freed } = parseObject(await readText(client, path, MAX_STATE_BYTES) ?? "") ?? {};
  const trimMs = (await readRecord(client)).trims.at(-1)?.at_ms ?? 0;
  return isFreedRecord(freed) && (trimMs === 0 || hasAnswerAfter(freed, trimMs))
    ? freed
    : undefined;
}

export interface FillMessage {
  readonly text: string;
  /** Whether the level has risen, so that the user sees the message as well as the model. */
  readonly isRise: boolean;
  /** An extra sentence for the user; empty if it was shown before or does not apply. */
  readonly offer: string;
  readonly suggestsTrim: boolean;
}

let watched: { id: string; watch: InsideWatch } | undefined;

/** Whether other agents may have left messages for the session. Hooks deliver the messages. */
export async function hasMessages(client: Client): Promise<boolean> {
  return await client.fs.exists(`${await client.session.root()}/${BLACKBOARD_FILE}`);
}

interface WatchOptions {
  measureFreed(fill: InsideFill): Promise<FreedAmounts | undefined>;
  isTrimFirst(freed: FreedAmounts | undefined, fill: InsideFill): Promise<boolean>;
  isOfferable(): Promise<boolean>;
}

export async function watchFill(
  client: Client,
  config: ContextConfig,
  options: WatchOptions,
): Promise<FillMessage | undefined> {
  const [nowMs, watch, percentNow] = await Promise.all([
    client.clock.now(),
    readWatch(client),
    client.session.id().then((id) => percentInUse(client, id)),
  ]);
  const activity = recordActivity(watch, nowMs);
  if (activity !== null && await isUsedProject(client)) await updateWatch(client, activity);
  const pace = { nowMs, intervalSeconds: config.check_interval_seconds };
  if (canSkipMeasurement(watch, pace)) return undefined;
  if (lastLevel(watch) === "ok" && percentNow < config.warn_threshold) return undefined;
  const fill = await readFill(client);
  const { tokens } = fill;
  if (tokens === null) return undefined;
  const percent = contextPercent(tokens, fill.limit);
  const level = warningLevel(percent, config);
  const decision = decideWarning(level, watch, pace);
  if (decision === null) return undefined;
  const { warning, isRise, change } = decision;
  await updateWatch(client, change);
  if (warning === null) return undefined;
  const freed = await options.measureFreed(fill);
  const pressure = { tokens, limit: fill.limit, limitKind: fill.limit_kind, percent };
  const isTrimFirst = await options.isTrimFirst(freed, fill);
  const text = pressureText(pressure, warning, freed, { isTrimFirst, nowMs });
  const { remedy } = recommend(freed, { level: warning, tokens, nowMs });
  const isTrim = remedy === "light" || remedy === "deep";
  const isOffer = isRise && isTrim && watch.offered === undefined && await options.isOfferable();
  if (isOffer) await updateWatch(client, { offered: "trim_at_percent" });
  const offer = isOffer ? TRIM_AT_OFFER : "";
  return { text, isRise, suggestsTrim: isTrim && warning !== "warn", offer };
}

/** Called after a trim, so that each level is reported again. */
export function forgetLevel(): void {
  watched = undefined;
}

export async function recordFill(client: Client, fill: InsideFill): Promise<void> {
  if (!await isUsedProject(client)) return;
  await changeRecord(client, (record) => ({ ...record, fill }));
}

async function readWatch(client: Client): Promise<InsideWatch> {
  const id = await client.session.id();
  if (watched?.id !== id) watched = { id, watch: (await readRecord(client)).watch ?? {} };
  return watched.watch;
}

/** Ignores a failed write, so that a read-only project gets warnings, too. */
async function updateWatch(client: Client, change: InsideWatch): Promise<void> {
  const watch: InsideWatch = { ...await readWatch(client), ...change };
  watched = { id: await client.session.id(), watch };
  await attempt(client, () => changeRecord(client, (record) => ({ ...record, watch })));
}
