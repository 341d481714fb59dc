/**
 * A compaction begins: saves a checkpoint, and asks the summariser to keep what matters. Whatever
 * goes wrong, the compaction goes on.
 */

import { hookConfig } from "../config/read_config.ts";
import { GUESSED_SOURCES } from "../gauge/limit.ts";
import { gaugeSession, type SessionPressure } from "../gauge/session_pressure.ts";
import { boundText } from "../inject/bound.ts";
import { cleanLine } from "../inject/clean.ts";
import { MAX_SUMMARISER_CHARS, SHOWN_WORDS, summariserWords } from "../saved/layout/summariser.ts";
import { checkpointSession, sessionWorkState } from "../saved/session.ts";
import { reasonOf } from "../store/atomic.ts";
import { updateSessionState } from "../store/state_update.ts";
import { STANDARD_WINDOW_TOKENS } from "../transcript/tokens/window.ts";
import { trimOptions } from "../transcript/in_place.ts";
import { type Call, textOf } from "./call.ts";

/** Most UTF-16 code units of the reason of a failure. */
const MAX_TROUBLE_CHARS = 300;

/**
 * Answers `/compact trimtab`, which a client with the module answers before any hook runs: others would sum up,
 * and whoever asks for a trim did not ask for that.
 */
const NO_MODULE = `${
  JSON.stringify({
    decision: "block",
    reason:
      "trimtab: nothing was compacted. Only a client that loads trimtab's module, 2.1.287 or " +
      "newer, can trim in place: /trim writes a copy instead",
  })
}\n`;

/** Below this share of the limit it was one prompt that was too long, in percent. */
const MIN_FULL_PERCENT = 30;

/** The client compacts a session that rested for about an hour, in milliseconds. */
const IDLE_MS = 30 * 60_000;

/**
 * Words for the summariser's prompt. After `/compact` the client shows them to the user as well, so
 * that is one short line.
 */
export async function preCompactWords(call: Call): Promise<string> {
  const { owner, transcript, configDir, payload } = call;
  if (transcript === undefined) return "";
  const asked = textOf(payload, "custom_instructions");
  if (asked !== undefined && trimOptions(asked) !== undefined) return NO_MODULE;
  // Said where the work cannot be read, as behind a .claude that is a link.
  let words: string = SHOWN_WORDS;
  try {
    // First, so that the summariser hears it even where nothing can be saved.
    const state = sessionWorkState({ owner, transcript, configDir, activeOnly: true });
    words = summariserWords(state, owner.projectDir);
    if (words !== "" && payload["trigger"] === "manual") words = SHOWN_WORDS;
    const { config: { context: config } } = await hookConfig({ ...owner, configDir });
    const gauged = gaugeSession({ transcript, owner, config, env: call.env });
    const { saved } = checkpointSession({
      ...call,
      transcript,
      trigger: "auto",
      usagePercent: gauged.percent,
      retentionDays: config.retention_days,
      activeOnly: true,
      state,
    });
    noteLimit({ ...call, transcript }, gauged);
    if (saved === null || (saved.warning === undefined && configDir !== undefined)) return words;
    const { unmarkedWords } = await import("./notices.ts");
    const unmarked = unmarkedWords(owner, saved, call);
    return unmarked === null ? words : withRoom(words, `(trimtab: ${unmarked})`);
  } catch (error) {
    return withRoom(words, troubleWords(error));
  }
}

/** Stores the usage at an automatic compaction: the client will compact there again. */
function noteLimit(
  { owner, payload, transcript, now }: Call & { readonly transcript: string },
  { tokens, limit, windowSource }: SessionPressure,
): void {
  if (payload["trigger"] !== "auto" || tokens === null) return;
  const most = GUESSED_SOURCES.has(windowSource) ? Math.min(limit, STANDARD_WINDOW_TOKENS) : limit;
  if (100 * tokens < MIN_FULL_PERCENT * most || isIdle(transcript, now())) return;
  updateSessionState(owner, () => ({ auto_compacted_at: tokens }));
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

/** Renders a failure; there is no other channel to the user before a compaction. */
export function troubleWords(error: unknown): string {
  const reason = cleanLine(reasonOf(error));
  const words = `(trimtab could not save a checkpoint: ${boundText(reason, MAX_TROUBLE_CHARS)})`;
  return boundText(words, MAX_SUMMARISER_CHARS);
}
