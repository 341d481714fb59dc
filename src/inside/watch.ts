/**
 * Watches the window in the place of the hooks that a client without modules runs: the same levels,
 * the same words, and no process.
 *
 * @module
 */

import type { ContextConfig } from "../config/schema.ts";
import { type FreedAmounts, pressureText, TRIM_AT_OFFER } from "../gauge/advice.ts";
import { contextPercent } from "../gauge/judge.ts";
import { warningLevel } from "../gauge/ladder.ts";
import { decideWarning, isQuiet } from "../gauge/warn.ts";
import { memoryOf } from "../gauge/watch.ts";
import type { InsideFill, InsideWatch } from "../store/inside_record.ts";
import { noteActivity } from "../events/activity.ts";
import { BLACKBOARD_FILE } from "../watch/board_path.ts";
import type { Client } from "./client.ts";
import { contextFill, readFill } from "./fill.ts";
import { changeRecord, isUsedProject, readRecord } from "./record.ts";

/** Below this share of the window no level is reached, in percent. */
const MIN_ASKED_PERCENT = 30;

/** A word about the window. */
export interface FillNews {
  /** One line, for the model. */
  readonly text: string;
  /** Whether the level has risen: the person is then told as well. */
  readonly isRise: boolean;
  /** Another sentence for the person; left out where it was said, or would not apply. */
  readonly offer?: string;
}

/** Facts remembered of the running session. */
let watched: { id: string; watch: InsideWatch } | undefined;

/** Number of running events of which hooks are told that the module does the work. */
let told = 0;

/** Whether hooks that watch the window have nothing left to do: what others post, they deliver. */
export async function areHooksIdle(client: Client): Promise<boolean> {
  return !await client.fs.exists(`${await client.session.root()}/${BLACKBOARD_FILE}`);
}

/** Tells the launcher that a module does the work of an event: hooks that would do it, too, end at once. */
export async function tellHooks(client: Client): Promise<boolean> {
  told++;
  try {
    const { deny } = await client.env.set("TRIMTAB_INSIDE", await client.session.id());
    if (deny === undefined) return true;
  } catch {
    // Then they speak.
  }
  await untellHooks(client);
  return false;
}

/** Has hooks do their work again once the event is over: no module has to live for that. */
export async function untellHooks(client: Client): Promise<void> {
  told--;
  if (told === 0) await client.env.set("TRIMTAB_INSIDE", undefined).catch(() => {});
}

interface WatchOptions {
  /** Tells what each way out of a full window would free. */
  readonly measureFreed: (fill: InsideFill) => Promise<FreedAmounts | undefined>;
  /** Tells whether a trim comes before a compaction. */
  readonly isTrimFirst: () => Promise<boolean>;
  /** Tells whether trimming at a percentage could be offered. */
  readonly isOfferable: () => Promise<boolean>;
}

/** Looks at the window before a request, and says what there is to say. */
export async function watchFill(
  client: Client,
  config: ContextConfig,
  { measureFreed, isTrimFirst, isOfferable }: WatchOptions,
): Promise<FillNews | undefined> {
  const [nowMs, watch, { tokens, window }] = await Promise.all([
    client.clock.now(),
    readWatch(client),
    contextFill(client),
  ]);
  const activity = noteActivity(watch, nowMs);
  if (activity !== null && await isUsedProject(client)) await noteWatch(client, activity);
  const pace = { nowMs, intervalSeconds: config.check_interval_seconds };
  const memory = memoryOf(watch);
  if (tokens === undefined || isQuiet(memory, pace)) return undefined;
  if (memory.level === "ok" && tokens * 100 < MIN_ASKED_PERCENT * window) return undefined;
  const fill = await readFill(client);
  const percent = contextPercent(tokens, fill.limit);
  const level = warningLevel(percent, config);
  const { say, isRise, memory: next } = decideWarning(level, memory, pace);
  if (next === memory) return undefined;
  const warned = next.warnedAtMs === null ? {} : { warned_at: isoOf(next.warnedAtMs) };
  const isOffer = isRise && watch.offered === undefined && await isOfferable();
  const offered = isOffer ? { offered: "trim_at_percent" } : {};
  await noteWatch(client, { level: next.level, ...warned, ...offered });
  if (say === null) return undefined;
  const [freed, isFirst] = await Promise.all([measureFreed(fill), isTrimFirst()]);
  const text = pressureText({ tokens, limit: fill.limit, percent }, say, freed, {
    isTrimFirst: isFirst,
  });
  return { text, isRise, ...(isOffer ? { offer: TRIM_AT_OFFER } : {}) };
}

/** Starts anew after a trim: each level that is reached again is news. */
export function forgetLevel(): void {
  watched = undefined;
}

/** Writes down how full the window is, for hooks and commands. */
export async function recordFill(client: Client, fill: InsideFill): Promise<void> {
  if (!await isUsedProject(client)) return;
  await changeRecord(client, (record) => ({ ...record, fill }));
}

async function readWatch(client: Client): Promise<InsideWatch> {
  const id = await client.session.id();
  if (watched?.id !== id) watched = { id, watch: (await readRecord(client)).watch ?? {} };
  return watched.watch;
}

async function noteWatch(client: Client, change: InsideWatch): Promise<void> {
  const watch: InsideWatch = { ...await readWatch(client), ...change };
  watched = { id: await client.session.id(), watch };
  await changeRecord(client, (record) => ({ ...record, watch }));
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
