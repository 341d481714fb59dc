/** What a session was doing is kept and told here where the hooks cannot, since there is no Deno. */

import type {
  ClassicAnswer,
  ClassicEvent,
  Client,
  CompactAnswer,
  CompactEvent,
  Next,
} from "../src/inside/client.ts";
import { runHook } from "../src/inside/copy.ts";
import {
  areHooksAble,
  keepWhenFull,
  keepWork,
  restoreKept,
  tellSummariser,
} from "../src/inside/memory.ts";
import { readSessionLines, type SessionLines } from "../src/inside/session_lines.ts";
import { tellHooks, untellHooks } from "../src/inside/watch.ts";
import { reasonOf, settingsOf } from "./_inside_plan.ts";

/** Has the client compact, with the work state told to the summariser. */
export async function compactWithMemory(
  client: Client,
  event: CompactEvent,
  next: Next<CompactEvent, CompactAnswer>,
  lines?: SessionLines,
): Promise<CompactAnswer> {
  return await next(await withWords(client, event, lines));
}

async function withWords(
  client: Client,
  event: CompactEvent,
  lines: SessionLines | undefined,
): Promise<CompactEvent> {
  try {
    // What is only prepared may never be used; the same words are told once it is.
    if (event.agentId !== undefined || await areHooksAble(client)) return event;
    const read = lines ?? await readSessionLines(client, await transcriptOf(client));
    return await tellSummariser(client, event, read);
  } catch (error) {
    client.ui.log(`trimtab: ${reasonOf(error)}`, { to: "debug" });
    return event;
  }
}

/** Saves a checkpoint of a session that is about to be trimmed: no hook hears of that. */
export async function saveBeside(client: Client, lines: SessionLines): Promise<void> {
  try {
    if (await areHooksAble(client)) await runSaveHook(client);
    else await keepWork(client, lines);
  } catch (error) {
    client.ui.log(`trimtab: ${reasonOf(error)}`, { to: "debug" });
  }
}

async function runSaveHook(client: Client): Promise<void> {
  await runHook(client, "pre-compact", {
    hook_event_name: "PreCompact",
    trigger: "auto",
    custom_instructions: null,
    transcript_path: await transcriptOf(client),
  });
}

/** Saves a checkpoint where a turn has filled the window. */
export async function stopHook(
  client: Client,
  event: ClassicEvent,
  next: Next<ClassicEvent, ClassicAnswer>,
): Promise<ClassicAnswer> {
  const answer = await next(event);
  try {
    const { context } = await settingsOf(client);
    const readLines = async () => await readSessionLines(client, await transcriptOf(client));
    await keepWhenFull(client, context, { readLines, answer: event.last_assistant_message });
  } catch (error) {
    client.ui.log(`trimtab: ${reasonOf(error)}`, { to: "debug" });
  }
  return answer;
}

async function transcriptOf(client: Client): Promise<string> {
  return (await client.session.info()).transcriptPath;
}

/** The session whose conversation was just replaced by a trim in place, which loses nothing. */
let replaced: string | undefined;

/** Takes note of such a trim; `undefined` where another compaction begins. */
export function noteReplaced(session: string | undefined): void {
  replaced = session;
}

/** Adds what was kept to a conversation that starts anew. */
export async function startHook(
  client: Client,
  event: ClassicEvent,
  next: Next<ClassicEvent, ClassicAnswer>,
): Promise<ClassicAnswer> {
  if (event.source === "compact" && replaced !== undefined) {
    return await startTrimmed(client, event, next);
  }
  // Where there is no Deno, what is said at the start depends on whether a module does the work.
  const isTold = await tellHooks(client);
  const answer = await next(event).finally(() => isTold && untellHooks(client));
  try {
    const { context } = await settingsOf(client);
    const restored = await restoreKept(client, event.source ?? "", context);
    if (restored === undefined) return answer;
    if (restored.message !== undefined) client.ui.log(restored.message);
    return { ...answer, additionalContext: [...answer.additionalContext ?? [], restored.text] };
  } catch (error) {
    client.ui.log(`trimtab: ${reasonOf(error)}`, { to: "debug" });
    return answer;
  }
}

/** A trim comes to hooks as a compaction: our own are told, which would restore what is there. */
async function startTrimmed(
  client: Client,
  event: ClassicEvent,
  next: Next<ClassicEvent, ClassicAnswer>,
): Promise<ClassicAnswer> {
  const session = replaced;
  replaced = undefined;
  await client.env.set("TRIMTAB_TRIMMED", session).catch(() => {});
  try {
    return await next(event);
  } finally {
    await client.env.set("TRIMTAB_TRIMMED", undefined).catch(() => {});
  }
}
