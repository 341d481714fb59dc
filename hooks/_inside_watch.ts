/** Warns as the window fills up, shows its usage, and lists the hooks that have nothing to do. */

import type { ClassicAnswer, ClassicEvent, Client, NextHandler } from "../src/inside/client.ts";
import { appendNoteAtPrompt, canReadStored } from "../src/inside/recall.ts";
import { isUsedProject } from "../src/inside/record.ts";
import { type InsideSettings, settingsOf } from "../src/inside/settings.ts";
import {
  type FillMessage,
  fillText,
  hasMessages,
  percentInUse,
  readFill,
  recordFill,
  watchFill,
} from "../src/inside/fill.ts";
import { isTrimCertain } from "../src/gauge/advice.ts";
import { type WarningLevel, warningLevel } from "../src/gauge/ladder.ts";
import { forgetOffer, isTrimFirst, offerTrim, TRIM_TOOL_HINT } from "./_inside_auto.ts";
import { attempt, logFailure } from "../src/inside/attempt.ts";
import { isInTerminal } from "./_inside_plan.ts";
import { type IdleHook, setIdle } from "./_inside_scripts.ts";
import { forgetFreed, freedOf } from "./_inside_status.ts";

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
  isWatched: boolean;
  checkedAtMs: number;
  level?: WarningLevel | undefined;
}

let turn: Turn | undefined;

/** Whether the user has sent a prompt since the session started or was resumed. */
export function hasTurn(sessionId: string): boolean {
  return turn?.sessionId === sessionId;
}

/** Clears the data of the session that ends: it must not be used for another one, or after a resume. */
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
  const hint = await attempt(client, async () => {
    const mayTrim = message.suggestsTrim && turn?.settings.inside.model_may_trim === true &&
      await isInTerminal(client);
    if (!mayTrim) return "";
    await offerTrim(client, event.session_id);
    return ` ${TRIM_TOOL_HINT}`;
  });
  const text = message.text + (hint ?? "");
  return { ...result, additionalContext: [...result.additionalContext ?? [], text] };
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
  const finished = turn;
  const { agent_id: agentId, session_id: sessionId } = event;
  if (agentId !== undefined || finished?.sessionId !== sessionId || !finished.isWatched) {
    return await next(event);
  }
  await attempt(client, async () => {
    const [isUsed, percent] = await Promise.all([
      isUsedProject(client),
      percentInUse(client, sessionId),
    ]);
    const isFull = percent >= finished.settings.context.warn_threshold;
    const last = lastStop?.sessionId === sessionId ? lastStop : undefined;
    const isDue = isFull || last?.isFull === true ||
      (isUsed && Date.now() - (last?.atMs ?? 0) >= STOP_EVERY_MS);
    if (isDue) lastStop = { sessionId, atMs: Date.now(), isFull };
    await setIdle(client, sessionId, [
      ...idleHooks(finished),
      ...(isDue ? [] : ["stop" as const]),
      ...(isUsed ? [] : ["session-end" as const]),
    ]);
  });
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

/** If a window is configured, or the settings are incomplete, hooks watch the window, not the module. */
function isLeftToHooks({ isPartial, context }: InsideSettings): boolean {
  return isPartial || context.window_tokens !== null;
}
