/** Watches the window of the session that runs, and shows how full it is. */

import { type ContextConfig, DEFAULT_CONFIG } from "../src/config/schema.ts";
import { MAX_CONTEXT_CHARS } from "../src/inject/bound.ts";
import type { ClassicAnswer, ClassicEvent, Client, Next } from "../src/inside/client.ts";
import { canRunHooks, offerOf } from "../src/inside/copy.ts";
import { fillWords, notedFreed, readFill } from "../src/inside/fill.ts";
import { isTrimFirst } from "../src/inside/before_compaction.ts";
import { configDirOf, type InsideSettings } from "../src/inside/settings.ts";
import { isTarget } from "../src/live/target.ts";
import {
  areHooksIdle,
  type FillNews,
  recordFill,
  tellHooks,
  untellHooks,
  watchFill,
} from "../src/inside/watch.ts";
import { type FreedAmounts, isFresh } from "../src/gauge/advice.ts";
import type { InsideFill } from "../src/store/inside_record.ts";
import { CHARACTERS_PER_TOKEN } from "../src/transcript/tokens/tokens.ts";
import {
  argumentsOf,
  currentRows,
  planOf,
  reasonOf,
  sessionOf,
  settingsOf,
} from "./_inside_plan.ts";

/** Tokens that each way would free, as last worked out. */
let freed: FreedAmounts & { id: string } | undefined;

/** A longer transcript is not looked through while a person waits, in bytes. */
const MAX_MEASURED_BYTES = 16 * 1024 * 1024;

const { live: LIVE } = DEFAULT_CONFIG;

/** Has it worked out anew. */
export function forgetFreed(): void {
  freed = undefined;
}

/** Says how full the window is where that is due, as the hooks would that have nothing to do now. */
export async function watchEvent(
  client: Client,
  event: ClassicEvent,
  next: Next<ClassicEvent, ClassicAnswer>,
): Promise<ClassicAnswer> {
  // Asked at the same time: each question to the client takes a millisecond of every batch.
  const [news, isTold] = await Promise.all([watchedNews(client, event), tellHooks(client)]);
  if (news !== "left") offerShaping(client, event);
  if (!isTold) return await next(event);
  if (news === "left") {
    await untellHooks(client);
    return await next(event);
  }
  try {
    if (news?.isRise === true) {
      client.ui.log([news.text, ...(news.offer === undefined ? [] : [news.offer])].join(" "));
    }
    const answer = await next(event);
    if (news === undefined) return answer;
    return { ...answer, additionalContext: [...answer.additionalContext ?? [], news.text] };
  } finally {
    // The next event's hooks come later anyway, so this is not awaited.
    void untellHooks(client);
  }
}

/** Whether a flood of this session was looked at: what shapes it takes a process. */
let isOffered = false;

/** Has the hook that is silent here look at the first flood, and says what it says. */
function offerShaping(
  client: Client,
  { agent_id: agent, tool_calls: calls = [] }: ClassicEvent,
): void {
  const floods = calls.filter(({ tool_name: tool, tool_response: text }) =>
    typeof text === "string" && text.length > LIVE.max_chars && isTarget(tool, LIVE.tools)
  );
  if (isOffered || agent !== undefined || floods.length === 0) return;
  isOffered = true;
  client.clock.after(1, async () => {
    try {
      const { transcriptPath } = await client.session.info();
      const told = `${configDirOf(transcriptPath)}/trimtab/told/live`;
      if (await client.fs.exists(told) || !await canRunHooks(client)) return;
      const words = await offerOf(client, floods);
      if (words !== undefined) client.ui.log(words);
    } catch (error) {
      client.ui.log(`trimtab: ${reasonOf(error)}`, { to: "debug" });
    }
  });
}

/** Whether the hooks of the newest prompt had nothing to do; those of subagents go by it. */
let isIdleTurn = false;

/** The news; `"left"` if it is left to the hooks. */
async function watchedNews(
  client: Client,
  event: ClassicEvent,
): Promise<FillNews | undefined | "left"> {
  if (event.agent_id !== undefined) return isIdleTurn ? undefined : "left";
  try {
    isIdleTurn = false;
    const [settings, isIdle] = await Promise.all([
      turnSettings(client, event.hook_event_name),
      areHooksIdle(client),
    ]);
    if (isLeftToHooks(settings) || !isIdle) return "left";
    isIdleTurn = true;
    const { context, inside } = settings;
    const isShown = async (): Promise<boolean> => (await client.session.surfaces()).length > 0;
    return await watchFill(client, context, {
      measureFreed: (fill) => freedOf(client, context, fill),
      isTrimFirst: async () => isTrimFirst(inside, await isShown()),
      isOfferable: async () => inside.trim_at_percent === null && await isShown(),
    });
  } catch (error) {
    client.ui.log(`trimtab: ${reasonOf(error)}`, { to: "debug" });
    isIdleTurn = false;
    return "left";
  }
}

/** The configuration as it was when the turn began: a turn can have hundreds of batches. */
let settingsOfTurn: { id: string; settings: InsideSettings } | undefined;

async function turnSettings(client: Client, event: string): Promise<InsideSettings> {
  const id = await client.session.id();
  if (event === "UserPromptSubmit" || settingsOfTurn?.id !== id) {
    settingsOfTurn = { id, settings: await settingsOf(client) };
  }
  return settingsOfTurn.settings;
}

/** Shows how full the window is, and writes it down. */
export async function showFill(client: Client): Promise<void> {
  const settings = await settingsOf(client);
  if (isLeftToHooks(settings)) return client.ui.status(undefined);
  const { context } = settings;
  const fill = await readFill(client);
  const { tokens, limit } = fill;
  const isRaised = fillWords(tokens ?? undefined, limit, context) !== undefined;
  const freed = isRaised ? await freedOf(client, context, fill) : undefined;
  client.ui.status(fillWords(tokens ?? undefined, limit, context, freed));
  await recordFill(client, fill);
}

/** Whether the window is about to be shown. */
let isShowing = false;

/** Delay before the figures are shown, in milliseconds. A turn can measure many times a second. */
const SHOW_AFTER_MS = 250;

/** Shows how full the window is a little later, once for all that happened until then: nobody waits for it. */
export async function showFillSoon(client: Client): Promise<void> {
  if (isShowing) return;
  isShowing = true;
  try {
    await client.clock.after(SHOW_AFTER_MS, async () => {
      isShowing = false;
      await showFill(client).catch((error) => noteFailure(client, error));
    });
  } catch (error) {
    isShowing = false;
    noteFailure(client, error);
  }
}

function noteFailure(client: Client, error: unknown): void {
  client.ui.log(reasonOf(error), { to: "debug" });
}

/** Whether a project is trusted, and what a window is that somebody has named, only hooks can tell. */
function isLeftToHooks({ isPartial, context }: InsideSettings): boolean {
  return isPartial || context.window_tokens !== null;
}

async function freedOf(
  client: Client,
  config: ContextConfig,
  { tokens, categories }: InsideFill,
): Promise<FreedAmounts | undefined> {
  const [id, { transcriptPath }] = await Promise.all([client.session.id(), client.session.info()]);
  const noted = freed?.id === id && isFresh(freed, tokens ?? 0) ? freed : await notedFreed(client);
  if (isFresh(noted, tokens ?? 0)) return noted;
  if ((await client.fs.stat(transcriptPath)).size > MAX_MEASURED_BYTES) return undefined;
  const session = await sessionOf(client, await currentRows(client));
  const [light, deep] = ["", "--depth deep"].map((typed) => {
    const { before, after } = planOf(session, argumentsOf(typed), config).tokens;
    return { before, freed: Math.max(0, before - after) };
  });
  if (light === undefined || deep === undefined) return undefined;
  // The tokens of a handoff stay, and so do those outside of messages.
  const said = categories["Messages"] ?? light.before;
  const rollover = Math.max(0, Math.round(said - MAX_CONTEXT_CHARS / CHARACTERS_PER_TOKEN));
  freed = { id, at_tokens: tokens ?? light.before, light: light.freed, deep: deep.freed, rollover };
  return freed;
}
