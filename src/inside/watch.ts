/** Watches the window without starting a process, with the same warnings as the hooks. */

import type { ContextConfig } from "../config/schema.ts";
import { type FreedAmounts, pressureText, recommend, TRIM_AT_OFFER } from "../gauge/advice.ts";
import { contextPercent } from "../gauge/judge.ts";
import { warningLevel } from "../gauge/ladder.ts";
import { canSkipMeasurement, decideWarning } from "../gauge/warn.ts";
import { memoryOf } from "../gauge/watch.ts";
import type { InsideFill, InsideWatch } from "../store/inside_record.ts";
import { recordActivity } from "../store/needs_checkpoint.ts";
import { BLACKBOARD_FILE } from "../watch/board_path.ts";
import { attempt } from "./attempt.ts";
import type { Client } from "./client.ts";
import { percentInUse, readFill } from "./fill.ts";
import { changeRecord, isUsedProject, readRecord } from "./record.ts";

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
  readonly measureFreed: (fill: InsideFill) => Promise<FreedAmounts | undefined>;
  readonly isTrimFirst: (freed: FreedAmounts | undefined, fill: InsideFill) => Promise<boolean>;
  readonly isOfferable: () => Promise<boolean>;
}

export async function watchFill(
  client: Client,
  config: ContextConfig,
  { measureFreed, isTrimFirst, isOfferable }: WatchOptions,
): Promise<FillMessage | undefined> {
  const [nowMs, watch, percentNow] = await Promise.all([
    client.clock.now(),
    readWatch(client),
    client.session.id().then((id) => percentInUse(client, id)),
  ]);
  const activity = recordActivity(watch, nowMs);
  if (activity !== null && await isUsedProject(client)) await updateWatch(client, activity);
  const pace = { nowMs, intervalSeconds: config.check_interval_seconds };
  const memory = memoryOf(watch);
  if (canSkipMeasurement(memory, pace)) return undefined;
  if (memory.level === "ok" && percentNow < config.warn_threshold) return undefined;
  const fill = await readFill(client);
  const { tokens } = fill;
  if (tokens === null) return undefined;
  const percent = contextPercent(tokens, fill.limit);
  const level = warningLevel(percent, config);
  const { warning, isRise, memory: next } = decideWarning(level, memory, pace);
  if (next === memory) return undefined;
  const warned = next.warnedAtMs === null
    ? {}
    : { warned_at: new Date(next.warnedAtMs).toISOString() };
  await updateWatch(client, { level: next.level, ...warned });
  if (warning === null) return undefined;
  const freed = await measureFreed(fill);
  const pressure = { tokens, limit: fill.limit, limitKind: fill.limit_kind, percent };
  const options = { isTrimFirst: await isTrimFirst(freed, fill), nowMs };
  const text = pressureText(pressure, warning, freed, options);
  const { remedy } = recommend(freed, { level: warning, tokens, nowMs });
  const isTrim = remedy === "light" || remedy === "deep";
  const isOffer = isRise && isTrim && watch.offered === undefined && await isOfferable();
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
