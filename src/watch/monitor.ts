/** Looks at the sessions that run in a project. */

import type { ContextConfig } from "../config/schema.ts";
import { estimateContextUsage } from "../pressure/heuristics.ts";
import { adviceWords, recommend } from "../pressure/advice.ts";
import type { UsageSource } from "../pressure/judge.ts";
import { type CountedMetrics, gatherMetrics } from "../pressure/metrics.ts";
import { gaugeSession } from "../pressure/session_pressure.ts";
import type { EnvReader } from "../store/paths.ts";
import { freshFreed } from "../trim/freed.ts";
import { readSessionState } from "../store/state.ts";
import { checkpointedAt, workingSince } from "./activity.ts";
import { judgeSession, type SessionThresholds, type SessionVerdict } from "./judge_session.ts";
import type { LiveSession } from "./live_sessions.ts";
import { unsavedMinutes } from "./needs_checkpoint.ts";

export { findLiveSessions, type LiveOptions, type LiveSession } from "./live_sessions.ts";

/** Nothing is counted in a larger transcript, in bytes: it would take longer than a look may. */
export const MAX_COUNTED_BYTES = 256 * 1024 * 1024;

const MINUTE_MS = 60_000;

export interface SessionReport extends SessionVerdict {
  readonly session_id: string;
  readonly transcript: string;
  /** Tokens in context; null if not known. */
  readonly tokens: number | null;
  /** The size of the window, in tokens. */
  readonly window: number;
  /** What the client counts against, in tokens. */
  readonly limit: number;
  /** How full it is, whole, 0 to 100; null if not known. */
  readonly percent: number | null;
  readonly source: UsageSource | "estimate";
  /** Messages since the newest compaction; null where they were not counted. */
  readonly messages: number | null;
  /** Calls of any tool since then. */
  readonly tool_calls: number | null;
  /** Subagents started since then. */
  readonly subagents: number | null;
  /** Whole minutes since the newest checkpoint; null where there is none. */
  readonly minutes_since_checkpoint: number | null;
  /** Whole minutes of work since then, or since the session's start; null if not known. */
  readonly active_minutes: number | null;
  /** Whether a checkpoint was saved because the window filled up, and it has been full since. */
  readonly is_saved: boolean;
  /** What to type, and what that frees, where that is recommended. */
  readonly advice: string | null;
}

/** What was counted in transcripts that have not changed since. */
export type MetricsCache = Map<
  string,
  { readonly version: string; readonly counts: CountedMetrics }
>;

export interface InspectOptions {
  readonly projectDir: string;
  readonly config: ContextConfig;
  /** The client's configuration folder, whose settings move the limit. @default {undefined} */
  readonly configDir?: string | undefined;
  readonly env: EnvReader;
  readonly nowMs: number;
  /** What was counted before; it is added to. @default nothing */
  readonly cache?: MetricsCache;
}

export function inspectSession(session: LiveSession, options: InspectOptions): SessionReport {
  const { projectDir, config, env, nowMs } = options;
  const owner = { projectDir, configDir: options.configDir, sessionId: session.id };
  const state = readSessionState(owner);
  const measured = gaugeSession({ transcript: session.path, owner, config, env });
  const counts = countsOf(session, options.cache);
  const usage = measured.tokens !== null || measured.isCompacted || counts === null
    ? measured
    : estimated(measured.limit, counts);
  const savedMs = checkpointedAt(state, nowMs);
  const activeSinceMs = workingSince(state, nowMs) ?? startOf(session, counts);
  const activeMinutes = unsavedMinutes({ activeSinceMs, savedMs, nowMs });
  const isSaved = state.checkpoint_armed === false;
  const isFull = (usage.percent ?? 0) >= config.recommend_threshold && usage.tokens !== null;
  const filled = { owner, transcript: session.path, tokens: usage.tokens ?? 0, config, state };
  const freed = isFull ? freshFreed(filled) : undefined;
  const facts = { percent: usage.percent, activeMinutes, isSaved, remedy: recommend(freed).remedy };
  const verdict = judgeSession(facts, thresholdsOf(config));
  return {
    session_id: session.id,
    transcript: session.path,
    tokens: usage.tokens,
    window: measured.window,
    limit: measured.limit,
    percent: usage.percent,
    source: usage.source,
    messages: counts?.message_count ?? null,
    tool_calls: counts === null ? null : allCalls(counts),
    subagents: counts?.subagent_spawns ?? null,
    minutes_since_checkpoint: savedMs === null ? null : Math.floor((nowMs - savedMs) / MINUTE_MS),
    active_minutes: activeMinutes === null ? null : Math.floor(activeMinutes),
    is_saved: isSaved,
    ...verdict,
    advice: ["trim", "rollover"].includes(verdict.recommended_action) ? adviceWords(freed) : null,
  };
}

function thresholdsOf(config: ContextConfig): SessionThresholds {
  return {
    checkpointPercent: config.checkpoint_threshold,
    trimPercent: config.recommend_threshold,
  };
}

function countsOf(session: LiveSession, cache: MetricsCache | undefined): CountedMetrics | null {
  if (session.bytes > MAX_COUNTED_BYTES) return null;
  const version = `${session.bytes} ${session.modifiedMs}`;
  const known = cache?.get(session.path);
  if (known?.version === version) return known.counts;
  const counts = gatherMetrics(session.path);
  cache?.set(session.path, { version, counts });
  return counts;
}

/** Where the client has told no tokens yet. It errs on the side of too much. */
function estimated(
  limit: number,
  counts: CountedMetrics,
): Pick<SessionReport, "tokens" | "percent" | "source"> {
  const usage = estimateContextUsage(counts);
  return {
    tokens: Math.round(usage * limit),
    percent: Math.round(usage * 100),
    source: "estimate",
  };
}

/** The session's first line, by the time of its newest. */
function startOf(session: LiveSession, counts: CountedMetrics | null): number | null {
  return counts === null ? null : session.modifiedMs - counts.elapsed_seconds * 1000;
}

function allCalls(counts: CountedMetrics): number {
  return counts.tool_calls + counts.file_reads + counts.file_edits + counts.subagent_spawns;
}
