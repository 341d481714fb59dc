import type { ContextConfig } from "../src/config/schema.ts";
import type { ClassicAnswer, ClassicEvent, Client, NextHandler } from "../src/inside/client.ts";
import {
  fillText,
  freedByRollover,
  percentInUse,
  readFill,
  recordedFreed,
} from "../src/inside/fill.ts";
import { isBoundaryPending } from "../src/inside/after_boundary.ts";
import { isTrimFirst } from "../src/inside/before_compaction.ts";
import { type IdleHook, setIdle } from "../src/inside/idle.ts";
import { appendNoteAtPrompt, canReadStored } from "../src/inside/recall.ts";
import { isUsedProject } from "../src/inside/record.ts";
import { currentRows } from "../src/inside/rows.ts";
import { type InsideSettings, settingsOf } from "../src/inside/settings.ts";
import { type FillMessage, hasMessages, recordFill, watchFill } from "../src/inside/watch.ts";
import { type FreedAmounts, isFresh, isTrimCertain } from "../src/gauge/advice.ts";
import { type WarningLevel, warningLevel } from "../src/gauge/ladder.ts";
import type { InsideFill } from "../src/store/inside_record.ts";
import type { RunningSession } from "../src/inside/trim.ts";
import { SHORT_TTL_SECONDS } from "../src/transcript/tokens/prices.ts";
import { usageOfEntry } from "../src/transcript/tokens/usage.ts";
import { cacheTtlSeconds, paybackOf } from "../src/trim/worth.ts";
import { forgetOffer, offerTrim, TRIM_TOOL_HINT } from "./_inside_ask.ts";
import { attempt, logFailure } from "../src/inside/attempt.ts";
import { isInTerminal, planOf, sessionOf } from "./_inside_plan.ts";

let freed: FreedAmounts & { id: string } | undefined;

/** The estimate in progress, shared by the warning and the status area when the level rises. */
let estimating: Promise<FreedAmounts | undefined> | undefined;

/** A larger transcript is measured only if the user asks, because the estimate takes a long time. */
const MAX_MEASURED_BYTES = 16 * 1024 * 1024;

/** Time between checks of the window within a turn, while its level is unchanged. */
const CHECK_EVERY_MS = 5_000;

/** After this time a checkpoint may be needed, so the Stop hook runs again. */
const STOP_EVERY_MS = 5 * 60_000;

interface Turn {
  readonly sessionId: string;
  /** Read once per turn, because a turn can have hundreds of batches. */
  readonly settings: InsideSettings;
  /** True if shaping is or may be enabled, and the model can read the stored originals. */
  readonly isShaped: boolean;
  /** Whether the module, rather than the hooks, watches the window. */
  isWatched: boolean;
  checkedAtMs: number;
  level?: WarningLevel | undefined;
}

let turn: Turn | undefined;

/** Whether the user has sent a prompt since the session started or was resumed. */
export function hasTurn(sessionId: string): boolean {
  return turn?.sessionId === sessionId;
}

export function forgetFreed(): void {
  freed = undefined;
  estimating = undefined;
}

/**
 * Clears the data of the session that ends, because it must not be used for another session or after a
 * resume.
 */
export function forgetSession(): void {
  forgetFreed();
  forgetOffer();
  turn = undefined;
}

export async function promptHook(
  client: Client,
  event: ClassicEvent,
  next: NextHandler<ClassicEvent, ClassicAnswer>,
): Promise<ClassicAnswer> {
  if (event.agent_id !== undefined) return await next(event);
  turn = undefined;
  try {
    // A failure is not fatal: even without the note about the tool, the notices state where the full text is.
    await attempt(client, () => appendNoteAtPrompt(client, event.session_id));
    const settings = await settingsOf(client);
    const isShaped = (settings.live.enabled || settings.isPartial) &&
      await attempt(client, () => canReadStored(client)) !== false;
    turn = { sessionId: event.session_id, settings, isShaped, isWatched: true, checkedAtMs: 0 };
  } catch (error) {
    logFailure(client, error);
    await setIdle(client, event.session_id, []);
  }
  return await answerHook(client, event, next);
}

export async function batchHook(
  client: Client,
  event: ClassicEvent,
  next: NextHandler<ClassicEvent, ClassicAnswer>,
): Promise<ClassicAnswer> {
  if (event.agent_id !== undefined || turn?.isWatched !== true) return await next(event);
  const level = await levelNow(client, turn);
  const isDue = level !== turn.level || Date.now() - turn.checkedAtMs >= CHECK_EVERY_MS;
  return isDue ? await answerHook(client, event, next) : await next(event);
}

async function levelNow(
  client: Client,
  { sessionId, settings }: Turn,
): Promise<WarningLevel | undefined> {
  return await percentInUse(client, sessionId).then(
    (percent) => warningLevel(percent, settings.context),
    () => undefined,
  );
}

async function answerHook(
  client: Client,
  event: ClassicEvent,
  next: NextHandler<ClassicEvent, ClassicAnswer>,
): Promise<ClassicAnswer> {
  const current = turn;
  const message = current && await attempt(client, () => checkWindow(client, current));
  if (message?.isRise === true) {
    client.ui.log(message.text + message.offer);
    // Otherwise the status area would still show the figures of the previous turn.
    void showFillSoon(client);
  }
  const result = await next(event);
  if (message === undefined) return result;
  const text = await textForModel(client, event.session_id, message);
  return { ...result, additionalContext: [...result.additionalContext ?? [], text] };
}

async function textForModel(
  client: Client,
  sessionId: string,
  message: FillMessage,
): Promise<string> {
  if (!message.suggestsTrim || turn?.settings.inside.model_may_trim !== true) return message.text;
  const isOffered = await attempt(client, async () => {
    if (!await isInTerminal(client)) return false;
    await offerTrim(client, sessionId);
    return true;
  });
  return isOffered === true ? `${message.text} ${TRIM_TOOL_HINT}` : message.text;
}

async function checkWindow(client: Client, turn: Turn): Promise<FillMessage | undefined> {
  const { sessionId, settings } = turn;
  const { context, inside } = settings;
  turn.checkedAtMs = Date.now();
  turn.isWatched = !isLeftToHooks(settings) && !await hasMessages(client);
  const isIdleSet = await setIdle(client, sessionId, idleHooks(turn));
  turn.isWatched &&= isIdleSet;
  if (!turn.isWatched) return undefined;
  turn.level = await levelNow(client, turn);
  return await watchFill(client, context, {
    measureFreed: (fill) => freedOf(client, context, fill),
    isTrimFirst: async (freed, { limit, limit_kind: limitKind }) =>
      isTrimFirst(inside, await isInTerminal(client)) &&
      isTrimCertain(freed, { limit, limitKind }, inside.compact_after_trim_percent),
    isOfferable: async () => inside.trim_at_percent === null && await isInTerminal(client),
  });
}

function idleHooks({ isWatched, isShaped }: Turn): IdleHook[] {
  return [
    ...(isWatched ? ["user-prompt-submit" as const, "post-tool-batch" as const] : []),
    ...(isShaped ? [] : ["post-tool-use" as const]),
  ];
}

let lastStop: { sessionId: string; atMs: number; isFull: boolean } | undefined;

/** Skips the Stop hook, which saves checkpoints and snapshots, if the module knows that no save is needed. */
export async function stopHook(
  client: Client,
  event: ClassicEvent,
  next: NextHandler<ClassicEvent, ClassicAnswer>,
): Promise<ClassicAnswer> {
  const finishedTurn = turn;
  if (
    event.agent_id === undefined && finishedTurn?.sessionId === event.session_id &&
    finishedTurn.isWatched
  ) {
    await attempt(client, async () => {
      const [isUsed, percent] = await Promise.all([
        isUsedProject(client),
        percentInUse(client, finishedTurn.sessionId),
      ]);
      const isFull = percent >= finishedTurn.settings.context.warn_threshold;
      const last = lastStop?.sessionId === event.session_id ? lastStop : undefined;
      const isDue = isFull || last?.isFull === true ||
        (isUsed && Date.now() - (last?.atMs ?? 0) >= STOP_EVERY_MS);
      if (isDue) lastStop = { sessionId: event.session_id, atMs: Date.now(), isFull };
      await setIdle(client, event.session_id, [
        ...idleHooks(finishedTurn),
        ...(isDue ? [] : ["stop" as const]),
        ...(isUsed ? [] : ["session-end" as const]),
      ]);
    });
  }
  return await next(event);
}

async function showFill(client: Client): Promise<void> {
  const settings = await settingsOf(client);
  if (isLeftToHooks(settings)) return client.ui.status(undefined);
  const { context } = settings;
  const fill = await readFill(client);
  const isRaised = fillText(fill, context) !== undefined;
  const freed = isRaised ? await freedOf(client, context, fill) : undefined;
  client.ui.status(fillText(fill, context, freed));
  await recordFill(client, fill);
}

let isShowScheduled = false;

/** Delay before the display is updated, because a turn can be measured many times a second. */
const SHOW_AFTER_MS = 250;

/** Updates the display once for all events within the delay, without blocking the caller. */
export async function showFillSoon(client: Client): Promise<void> {
  if (isShowScheduled) return;
  isShowScheduled = true;
  try {
    await client.clock.after(SHOW_AFTER_MS, async () => {
      isShowScheduled = false;
      await attempt(client, () => showFill(client));
    });
  } catch (error) {
    isShowScheduled = false;
    logFailure(client, error);
  }
}

/**
 * Whether the hooks watch the window instead of the module: if a window is configured, or if a settings file
 * is unreadable, is invalid, or has values whose trust only hooks can check.
 */
function isLeftToHooks({ isPartial, context }: InsideSettings): boolean {
  return isPartial || context.window_tokens !== null;
}

/**
 * Returns the tokens that trims and a rollover would free; estimates them again if usage has
 * changed much. Returns `undefined` if they are unknown, since a warning is useful without them.
 */
export function freedOf(
  client: Client,
  config: ContextConfig,
  fill: InsideFill,
  maxBytes = MAX_MEASURED_BYTES,
): Promise<FreedAmounts | undefined> {
  return attempt(client, () => findFreed(client, config, { fill, maxBytes }));
}

interface FreedQuestion {
  readonly fill: InsideFill;
  readonly maxBytes: number;
}

async function findFreed(
  client: Client,
  config: ContextConfig,
  question: FreedQuestion,
): Promise<FreedAmounts | undefined> {
  const tokens = question.fill.tokens ?? 0;
  const id = await client.session.id();
  const recorded = freed?.id === id && isFresh(freed, tokens) ? freed : await recordedFreed(client);
  if (isFresh(recorded, tokens)) return recorded;
  const running = estimating ??= estimateFreed(client, config, question);
  try {
    return await running;
  } finally {
    if (estimating === running) estimating = undefined;
  }
}

async function estimateFreed(
  client: Client,
  config: ContextConfig,
  { fill: { tokens, categories, model }, maxBytes }: FreedQuestion,
): Promise<FreedAmounts | undefined> {
  // Until the boundary is written, the old messages would be measured at the new size.
  if (isBoundaryPending()) return undefined;
  const { transcriptPath } = await client.session.info();
  if ((await client.fs.stat(transcriptPath)).size > maxBytes) return undefined;
  const session = await sessionOf(client, await currentRows(client));
  const { tokens: { before, after } } = planOf(session, {}, config);
  const { tokens: deep } = planOf(session, { depth: "deep" }, config);
  const atTokens = tokens ?? before;
  const amounts = {
    light: Math.max(0, before - after),
    deep: Math.max(0, before - deep.after),
    rollover: freedByRollover(categories, atTokens),
  };
  const cache = cacheOf(session);
  freed = {
    id: session.id,
    at_tokens: atTokens,
    ...amounts,
    paid_back_after: paybackOf(amounts, { tokens: atTokens, model, ttl: cache?.ttl, isWarm: true }),
    cache_ttl_seconds: cache?.ttl ?? null,
    newest_at: cache?.usedAt ?? null,
  };
  return freed;
}

/**
 * Returns the time at which the newest answer used the prompt cache, and the cache's lifetime in
 * seconds. Includes answers before a boundary, since a trim or an undo sends no request.
 */
export function cacheOf({ lines }: RunningSession): { usedAt: string; ttl: number } | undefined {
  const answers = [...lines.before, ...lines.active].filter(({ entry }) =>
    usageOfEntry(entry) !== undefined
  );
  const usedAt = answers.at(-1)?.entry.timestamp;
  if (usedAt === undefined || Number.isNaN(Date.parse(usedAt))) return undefined;
  // An answer that only read the cache does not report the lifetime.
  const ttl = answers.map(({ entry }) => cacheTtlSeconds(Object(entry.message?.usage)))
    .findLast((ttl) => ttl !== undefined);
  return { usedAt, ttl: ttl ?? SHORT_TTL_SECONDS };
}
