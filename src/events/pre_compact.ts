/** Handles the start of a compaction. A failure never blocks the compaction. */

import { hookConfig } from "../config/read_config.ts";
import { GUESSED_SOURCES } from "../gauge/limit.ts";
import type { SessionPressure } from "../gauge/judge.ts";
import { gaugeSession } from "../gauge/session_pressure.ts";
import { boundText } from "../inject/bound.ts";
import { cleanLine } from "../inject/clean.ts";
import {
  COMPACT_INSTRUCTIONS,
  MAX_SUMMARISER_CHARS,
  summariserText,
} from "../saved/views/summariser.ts";
import { checkpointSession, sessionWorkState } from "../saved/session.ts";
import { reasonOf } from "../store/atomic.ts";
import { updateSessionState } from "../store/state_update.ts";
import { STANDARD_WINDOW_TOKENS } from "../transcript/tokens/window.ts";
import { trimOptions } from "../transcript/in_place.ts";
import { MIN_INSIDE_CLIENT_VERSION } from "../version.ts";
import { isSubagentCompaction } from "./agent_compaction.ts";
import { type Call, textOf } from "./call.ts";

const MAX_PROBLEM_CHARS = 300;

/** A client without the module would summarize although the user asked for a trim. */
const NO_MODULE = `${
  JSON.stringify({
    decision: "block",
    reason: "trimtab: nothing was compacted. Trimming in place needs " +
      `Claude Code ${MIN_INSIDE_CLIENT_VERSION} or newer with ` +
      "trimtab's module loaded, and no managed settings; /trim writes a copy instead",
  })
}\n`;

/** Below this percentage, a single long prompt probably caused an automatic compaction. */
const MIN_FULL_PERCENT = 30;

/** The client may compact a session that was idle for this long, regardless of its usage. */
const IDLE_MS = 30 * 60_000;

/** After `/compact`, the instructions are one short line, because the client shows them to the user. */
export async function preCompactOutput(call: Call): Promise<string> {
  const { owner, transcript, configDir, payload } = call;
  if (transcript === undefined) return "";
  const instructions = textOf(payload, "custom_instructions");
  if (instructions !== undefined && trimOptions(instructions) !== undefined) return NO_MODULE;
  // A subagent's compaction concerns only its own task and its own window.
  if (payload["trigger"] === "auto" && isSubagentCompaction(call)) return "";
  // Used if the work state cannot be read, for example when `.claude` is a link.
  let text: string = COMPACT_INSTRUCTIONS;
  try {
    // Must come first, so that the summarizer gets its instructions even if saving fails.
    const state = sessionWorkState({ owner, transcript, configDir, activeOnly: true });
    text = summariserText(state, owner.projectDir);
    if (text !== "" && payload["trigger"] === "manual") text = COMPACT_INSTRUCTIONS;
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
    recordLimit({ ...call, transcript }, gauged);
    if (saved?.warning === undefined) return text;
    const { warningOnce } = await import("./notices.ts");
    const warning = warningOnce(owner, saved);
    if (warning === null) return text;
    return withMessage(text, `(trimtab: ${boundText(warning, MAX_PROBLEM_CHARS)})`);
  } catch (error) {
    return withMessage(text, problemOutput(error));
  }
}

/** Records the usage at an automatic compaction, because the client will compact there again. */
function recordLimit(
  { owner, payload, transcript, now }: Call & { readonly transcript: string },
  { tokens, limit, windowSource }: SessionPressure,
): void {
  if (payload["trigger"] !== "auto" || tokens === null) return;
  const assumedLimit = GUESSED_SOURCES.has(windowSource)
    ? Math.min(limit, STANDARD_WINDOW_TOKENS)
    : limit;
  const nowMs = now();
  const isIdle = nowMs - (Deno.statSync(transcript).mtime?.getTime() ?? nowMs) > IDLE_MS;
  if (100 * tokens < MIN_FULL_PERCENT * assumedLimit || isIdle) return;
  updateSessionState(owner, () => ({ auto_compacted_at: tokens }));
}

function withMessage(text: string, message: string): string {
  const room = MAX_SUMMARISER_CHARS - message.length - 2;
  return text === "" || text.length > room ? `${message}\n` : `${text}\n${message}\n`;
}

/** Reports the problem in the instructions, the only output of a PreCompact hook that the user can see. */
export function problemOutput(error: unknown): string {
  const reason = cleanLine(reasonOf(error));
  const text = `(trimtab could not save a checkpoint: ${boundText(reason, MAX_PROBLEM_CHARS)})`;
  return boundText(text, MAX_SUMMARISER_CHARS);
}
