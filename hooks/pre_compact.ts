/**
 * PreCompact: saves a checkpoint before the client compacts the session, and asks the summariser to
 * keep what matters. Whatever goes wrong, the compaction goes on.
 *
 * What it prints reaches the summariser's prompt; after `/compact` the client shows it to the user
 * as well, so that is one short line. Nothing in it is read as JSON.
 */

import { reasonOf } from "../src/store/atomic.ts";
import { hookConfig } from "../src/config/read_config.ts";
import { checkpointSession, sessionWorkState } from "../src/saved/checkpoint/session.ts";
import {
  MAX_SUMMARISER_CHARS,
  SHOWN_WORDS,
  summariserWords,
} from "../src/saved/summariser_words.ts";
import { GUESSED_SOURCES } from "../src/gauge/limit.ts";
import { gaugeSession } from "../src/gauge/session_pressure.ts";
import { boundText } from "../src/inject/bound.ts";
import { cleanLine } from "../src/inject/clean.ts";
import { findConfigDir } from "../src/store/paths.ts";
import { updateSessionState } from "../src/store/state_update.ts";
import { STANDARD_WINDOW_TOKENS } from "../src/transcript/tokens/window.ts";
import { ownerOf } from "./_owner.ts";
import { type HookDeps, parsePayload, runHook, textOf } from "./_payload.ts";

/** The most UTF-16 code units of what went wrong. */
const MAX_TROUBLE_CHARS = 300;

/** Below this share of the limit it was one prompt that was too long, in percent. */
const MIN_FULL_PERCENT = 30;

/** The client compacts what was left for about an hour, in milliseconds. */
const IDLE_MS = 30 * 60_000;

/** What a payload lacks that nothing can be saved for; its own words are no part of the answer. */
const NO_OWNER = "the client sent no project or no valid session id";

/** Answers the event. */
export function main(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  return answer(bytes, deps);
}

async function answer(bytes: Uint8Array, deps: HookDeps): Promise<string> {
  const payload = parsePayload(bytes);
  const owner = payload === null ? null : ownerOf(payload, deps);
  const transcript = payload === null ? undefined : textOf(payload, "transcript_path");
  if (transcript === undefined) return "";
  // A client that changes how it names sessions must not make this fail silently.
  if (owner === null) return `${trouble(new Error(NO_OWNER))}\n`;
  let words = "";
  try {
    // First, so that the summariser hears it even where nothing can be saved.
    const configDir = findConfigDir(deps.env);
    const state = sessionWorkState({ owner, transcript, configDir, activeOnly: true });
    words = summariserWords(state, owner.projectDir);
    if (words !== "" && payload?.["trigger"] === "manual") words = SHOWN_WORDS;
    const place = { projectDir: owner.projectDir, configDir };
    const { config } = await hookConfig(place);
    const gauged = { transcript, owner, config: config.context, env: deps.env };
    const { percent, tokens, limit, windowSource } = gaugeSession(gauged);
    const { saved } = checkpointSession({
      owner,
      transcript,
      configDir,
      trigger: "auto",
      usagePercent: percent,
      retentionDays: config.context.retention_days,
      now: deps.now,
      activeOnly: true,
      state,
    });
    // A client that has compacted automatically once will do so again.
    const most = GUESSED_SOURCES.has(windowSource)
      ? Math.min(limit, STANDARD_WINDOW_TOKENS)
      : limit;
    const isFull = tokens !== null && 100 * tokens >= MIN_FULL_PERCENT * most;
    if (payload?.["trigger"] === "auto" && isFull && !isIdle(transcript, deps.now())) {
      updateSessionState(owner, () => ({ auto_compacted_at: tokens }));
    }
    if (saved?.warning === undefined && configDir !== undefined) return words;
    const { unmarkedWords } = await import("../src/events/unmarked.ts");
    const unmarked = saved === null ? null : unmarkedWords(owner, saved, configDir);
    return unmarked === null ? words : withRoom(words, `(trimtab: ${unmarked})`);
  } catch (error) {
    return withRoom(words, trouble(error));
  }
}

/** Whether nothing has been written for long: such sessions the client compacts wherever they stand. */
function isIdle(transcript: string, nowMs: number): boolean {
  return nowMs - (Deno.statSync(transcript).mtime?.getTime() ?? nowMs) > IDLE_MS;
}

/** Errors follow the instructions, where both fit. */
function withRoom(words: string, said: string): string {
  const room = MAX_SUMMARISER_CHARS - said.length - 2;
  return words === "" || words.length > room ? `${said}\n` : `${words}\n${said}\n`;
}

/** The one way to say so: there is no other channel to the user before a compaction. */
function trouble(error: unknown): string {
  const reason = cleanLine(reasonOf(error));
  const words = `(trimtab could not save a checkpoint: ${boundText(reason, MAX_TROUBLE_CHARS)})`;
  return boundText(words, MAX_SUMMARISER_CHARS);
}

if (import.meta.main) await runHook(main);
