/** Watches the running session's window, and shows how full it is. */

import type { ContextConfig } from "../src/config/schema.ts";
import type { ClassicAnswer, ClassicEvent, Client, Next } from "../src/inside/client.ts";
import {
  fillWords,
  freedByRollover,
  percentInUse,
  readFill,
  recordedFreed,
} from "../src/inside/fill.ts";
import { isTrimFirst } from "../src/inside/before_compaction.ts";
import { type IdleHook, setIdle } from "../src/inside/idle.ts";
import { appendPendingNote } from "../src/inside/recall.ts";
import { isUsedProject } from "../src/inside/record.ts";
import type { InsideSettings } from "../src/inside/settings.ts";
import { type FillMessage, hasMessages, recordFill, watchFill } from "../src/inside/watch.ts";
import { type FreedAmounts, isFresh } from "../src/gauge/advice.ts";
import { type WarningLevel, warningLevel } from "../src/gauge/ladder.ts";
import type { InsideFill } from "../src/store/inside_record.ts";
import type { RunningSession } from "../src/inside/trim.ts";
import { isObject } from "../src/core/record.ts";
import { cacheTtlSeconds, paybackOf, SHORT_TTL_SECONDS } from "../src/trim/worth.ts";
import { offerTrim, TRIM_TOOL_WORDS } from "./_inside_ask.ts";
import {
  argumentsOf,
  currentRows,
  logFailure,
  planOf,
  sessionOf,
  settingsOf,
} from "./_inside_plan.ts";

/** The last estimate of the tokens that each remedy would free. */
let freed: FreedAmounts & { id: string } | undefined;

/** Size limit for a transcript to estimate from, in bytes; the user waits for the estimate. */
const MAX_MEASURED_BYTES = 16 * 1024 * 1024;

/** Interval between checks at an unchanged level within a turn, in milliseconds. */
const LOOK_EVERY_MS = 5_000;

/** Interval between checks whether a checkpoint is due, in milliseconds. */
const STOP_EVERY_MS = 5 * 60_000;

/** The current turn, or the last one. */
interface Turn {
  readonly sessionId: string;
  /** The configuration at the start of the turn, kept because a turn can have hundreds of batches. */
  readonly settings: InsideSettings;
  /** Whether the module watches the window instead of the hooks. */
  isWatched: boolean;
  /** Time of the last check, in milliseconds since 1970, and the level then. */
  lookedAtMs: number;
  level: WarningLevel | undefined;
}

let turn: Turn | undefined;

/** Discards the estimate, so that it is made again. */
export function forgetFreed(): void {
  freed = undefined;
}

/** Checks the window when a turn begins, in place of the hooks. */
export async function promptHook(
  client: Client,
  event: ClassicEvent,
  next: Next<ClassicEvent, ClassicAnswer>,
): Promise<ClassicAnswer> {
  if (event.agent_id !== undefined) return await next(event);
  try {
    await appendPendingNote(client);
  } catch (error) {
    // In a client without plugin tools, the notices must suffice.
    logFailure(client, error);
  }
  try {
    const settings = await settingsOf(client);
    turn = {
      sessionId: event.session_id,
      settings,
      isWatched: true,
      lookedAtMs: 0,
      level: undefined,
    };
  } catch (error) {
    turn = undefined;
    logFailure(client, error);
    await setIdle(client, event.session_id, []);
    return await next(event);
  }
  return await answer(client, event, next);
}

/** Checks the window again between two requests of a turn, if the level may have changed. */
export async function batchHook(
  client: Client,
  event: ClassicEvent,
  next: Next<ClassicEvent, ClassicAnswer>,
): Promise<ClassicAnswer> {
  if (event.agent_id !== undefined || turn?.isWatched !== true) return await next(event);
  const level = await levelNow(client, turn.settings);
  const isDue = level !== turn.level || Date.now() - turn.lookedAtMs >= LOOK_EVERY_MS;
  return isDue ? await answer(client, event, next) : await next(event);
}

async function levelNow(
  client: Client,
  { context }: InsideSettings,
): Promise<WarningLevel | undefined> {
  const percent = await percentInUse(client).catch(() => undefined);
  return percent === undefined ? undefined : warningLevel(percent, context);
}

async function answer(
  client: Client,
  event: ClassicEvent,
  next: Next<ClassicEvent, ClassicAnswer>,
): Promise<ClassicAnswer> {
  const news = await watchedNews(client);
  if (news?.isRise === true) {
    client.ui.log([news.text, ...(news.offer === undefined ? [] : [news.offer])].join(" "));
  }
  const answered = await next(event);
  if (news === undefined) return answered;
  const text = await toModel(client, event.session_id, news);
  return { ...answered, additionalContext: [...answered.additionalContext ?? [], text] };
}

/** The news for the model; mentions the trim tool if the model may use it. */
async function toModel(client: Client, sessionId: string, news: FillMessage): Promise<string> {
  if (!news.isTrimDue || turn?.settings.inside.model_may_trim !== true) return news.text;
  try {
    if ((await client.session.surfaces()).length === 0) return news.text;
    await offerTrim(client, sessionId);
    return `${news.text} ${TRIM_TOOL_WORDS}`;
  } catch (error) {
    logFailure(client, error);
    return news.text;
  }
}

async function watchedNews(client: Client): Promise<FillMessage | undefined> {
  if (turn === undefined) return undefined;
  const { sessionId, settings } = turn;
  const { context, inside } = settings;
  turn.lookedAtMs = Date.now();
  try {
    turn.isWatched = !isLeftToHooks(settings) && !await hasMessages(client);
    const isTold = await setIdle(client, sessionId, idleHooks(turn));
    turn.isWatched &&= isTold;
    if (!turn.isWatched) return undefined;
    turn.level = await levelNow(client, settings);
    const isShown = async (): Promise<boolean> => (await client.session.surfaces()).length > 0;
    return await watchFill(client, context, {
      measureFreed: (fill) => freedOf(client, context, fill),
      isTrimFirst: async () => isTrimFirst(inside, await isShown()),
      isOfferable: async () => inside.trim_at_percent === null && await isShown(),
    });
  } catch (error) {
    logFailure(client, error);
    return undefined;
  }
}

/** Hooks that have nothing to do while a turn runs. */
function idleHooks({ isWatched, settings }: Turn): IdleHook[] {
  return [
    ...(isWatched ? ["user-prompt-submit" as const, "post-tool-batch" as const] : []),
    ...(settings.live.enabled || settings.isPartial ? [] : ["post-tool-use" as const]),
  ];
}

/** The last time the Stop hook ran, and whether the window was full then. */
let saved: { sessionId: string; atMs: number; isFull: boolean } | undefined;

/** Lets the Stop hook save the work, and skips the hook when no save can be due. */
export async function stopHook(
  client: Client,
  event: ClassicEvent,
  next: Next<ClassicEvent, ClassicAnswer>,
): Promise<ClassicAnswer> {
  const ended = turn;
  if (event.agent_id === undefined && ended?.sessionId === event.session_id && ended.isWatched) {
    try {
      const [isUsed, percent] = await Promise.all([isUsedProject(client), percentInUse(client)]);
      const isFull = percent === undefined || percent >= ended.settings.context.warn_threshold;
      const last = saved?.sessionId === event.session_id ? saved : undefined;
      const isDue = isFull || last?.isFull === true ||
        (isUsed && Date.now() - (last?.atMs ?? 0) >= STOP_EVERY_MS);
      if (isDue) saved = { sessionId: event.session_id, atMs: Date.now(), isFull };
      await setIdle(client, event.session_id, [
        ...idleHooks(ended),
        ...(isDue ? [] : ["stop" as const]),
        ...(isUsed ? [] : ["session-end" as const]),
      ]);
    } catch (error) {
      logFailure(client, error);
    }
  }
  return await next(event);
}

/** Shows how full the window is, and records it. */
export async function showFill(client: Client): Promise<void> {
  const settings = await settingsOf(client);
  if (isLeftToHooks(settings)) return client.ui.status(undefined);
  const { context } = settings;
  const fill = await readFill(client);
  const { tokens, limit } = fill;
  const isRaised = fillWords(tokens ?? undefined, limit, context) !== undefined;
  const freed = isRaised ? await freedOf(client, context, fill) : undefined;
  client.ui.status(fillWords(tokens ?? undefined, limit, context, freed, fill.at_ms));
  await recordFill(client, fill);
}

/** Whether an update of the display is scheduled. */
let isShowing = false;

/** Delay of the display, in milliseconds, because a turn can measure many times a second. */
const SHOW_AFTER_MS = 250;

/** Schedules one update of the display for all events until then, without blocking the caller. */
export async function showFillSoon(client: Client): Promise<void> {
  if (isShowing) return;
  isShowing = true;
  try {
    await client.clock.after(SHOW_AFTER_MS, async () => {
      isShowing = false;
      await showFill(client).catch((error) => logFailure(client, error));
    });
  } catch (error) {
    isShowing = false;
    logFailure(client, error);
  }
}

/**
 * Whether only the hooks can watch: they know if a project is trusted, and the size of a configured window.
 */
function isLeftToHooks({ isPartial, context }: InsideSettings): boolean {
  return isPartial || context.window_tokens !== null;
}

/** Tokens that each remedy would free; estimated again when the window has changed a lot. */
export async function freedOf(
  client: Client,
  config: ContextConfig,
  { tokens, categories, model }: InsideFill,
): Promise<FreedAmounts | undefined> {
  const [id, { transcriptPath }] = await Promise.all([client.session.id(), client.session.info()]);
  const recorded = freed?.id === id && isFresh(freed, tokens ?? 0)
    ? freed
    : await recordedFreed(client);
  if (isFresh(recorded, tokens ?? 0)) return recorded;
  if ((await client.fs.stat(transcriptPath)).size > MAX_MEASURED_BYTES) return undefined;
  const session = await sessionOf(client, await currentRows(client));
  const [light, deep] = ["", "--depth deep"].map((typed) => {
    const { before, after } = planOf(session, argumentsOf(typed), config).tokens;
    return { before, freed: Math.max(0, before - after) };
  });
  if (light === undefined || deep === undefined) return undefined;
  const rollover = freedByRollover(categories, light.before);
  const amounts = { light: light.freed, deep: deep.freed, rollover };
  const cache = cacheOf(session);
  const at = tokens ?? light.before;
  freed = {
    id,
    at_tokens: at,
    ...amounts,
    paid_back_after: paybackOf(amounts, { tokens: at, model, ttl: cache?.ttl, isWarm: true }),
    cache_ttl_seconds: cache?.ttl ?? null,
    newest_at: cache?.usedAt ?? null,
  };
  return freed;
}

/** Time of the newest answer's use of the prompt cache, and the cache's lifetime in seconds. */
export function cacheOf({ lines }: RunningSession): { usedAt: string; ttl: number } | undefined {
  const newest = lines.active.findLast(({ entry }) => isObject(entry.message?.usage))?.entry;
  const usage = newest?.message?.usage;
  const usedAt = newest?.timestamp;
  if (!isObject(usage) || usedAt === undefined || Number.isNaN(Date.parse(usedAt))) {
    return undefined;
  }
  return { usedAt, ttl: cacheTtlSeconds(usage) ?? SHORT_TTL_SECONDS };
}
