import type { ContextConfig } from "../config/schema.ts";
import {
  checkpointedAt,
  type CheckpointReason,
  needsCheckpoint,
  STALE_MINUTES,
  unsavedMinutes,
} from "../store/needs_checkpoint.ts";
import { recommend, shortAdvice } from "../gauge/advice.ts";
import { type KnownPressure, pressureOrEstimate } from "../trim/known_pressure.ts";
import { gatherMetrics } from "../gauge/metrics.ts";
import { reasonOf } from "../store/atomic.ts";
import { type EnvReader, joinPath, realFolder } from "../store/paths.ts";
import { readSessionState } from "../store/state.ts";
import { freshFreed } from "../trim/freed.ts";
import { type CheckpointRequest, readTriggers } from "./blackboard.ts";
import {
  type ProjectSession,
  projectSessions,
  readStartFolder,
  type SessionsPlace,
} from "../transcript/find.ts";
import { triggerCheckpoint } from "./trigger.ts";
import { isObject } from "../core/record.ts";
import { exists, listFolder } from "../store/exists.ts";
import { readOwnJson } from "../store/own_file.ts";
import { shortId } from "../core/marks.ts";
import { ageText, thousands } from "../inject/bound.ts";
import { cleanLine } from "../inject/clean.ts";

/** In a larger transcript, messages and calls are not counted, because counting reads the whole file. */
export const MAX_COUNTED_BYTES = 32 * 1024 * 1024;

export interface WatchedSession
  extends Pick<KnownPressure, "tokens" | "window" | "limit" | "percent" | "source"> {
  readonly session_id: string;
  readonly transcript: string;
  /** Since the newest compaction; null if not counted. */
  readonly messages: number | null;
  /** Since the newest compaction; null if not counted. */
  readonly tool_calls: number | null;
  /** Since the newest compaction; null if not counted. */
  readonly subagents: number | null;
  /** Whole minutes; null if there is no checkpoint. */
  readonly minutes_since_checkpoint: number | null;
  /** Whole minutes of work since the newest checkpoint; null if unknown. */
  readonly active_minutes: number | null;
  /** True once the checkpoint at the warning threshold was saved; false again below the threshold. */
  readonly is_saved: boolean;
  readonly reason: CheckpointReason | null;
  readonly status: "ok" | "context_high" | "stale_checkpoint";
  readonly recommended_action: "none" | "trigger_checkpoint" | "trim" | "rollover";
  /** A short recommendation; null unless a trim or a rollover is recommended. */
  readonly advice: string | null;
}

export interface FleetStatus {
  readonly sessions: readonly WatchedSession[];
  /** At most one request. */
  readonly triggers: readonly CheckpointRequest[];
  readonly problems: readonly { readonly session_id: string | null; readonly problem: string }[];
}

interface InspectOptions extends SessionsPlace {
  readonly config: ContextConfig;
  readonly env: EnvReader;
  readonly nowMs: number;
  /** Minimum time between two requests, so that agents do not all stop at the same time. */
  readonly intervalMs: number;
}

/** Checks the running sessions. Asks the fullest session that needs a checkpoint to save one. */
export async function inspectSessions(options: InspectOptions): Promise<FleetStatus> {
  const sessions: WatchedSession[] = [];
  const triggers: CheckpointRequest[] = [];
  const problems: { session_id: string | null; problem: string }[] = [];
  const attempt = async (id: string | null, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) throw error;
      problems.push({ session_id: id, problem: reasonOf(error) });
    }
  };
  await attempt(null, async () => {
    for (const session of findLiveSessions(options, options.nowMs)) {
      await attempt(session.id, async () => sessions.push(await inspectSession(session, options)));
    }
    triggers.push(...requestCheckpoint(sessions, options));
  });
  return { sessions, triggers, problems };
}

async function inspectSession(
  session: ProjectSession,
  options: InspectOptions,
): Promise<WatchedSession> {
  const { projectDir, configDir, config, env, nowMs } = options;
  const { id, path: transcript } = session;
  const owner = { projectDir, configDir, sessionId: id };
  const state = readSessionState(owner);
  const pressure = await pressureOrEstimate({ transcript, owner, config, env });
  const { tokens, window, limit, percent, level, source } = pressure;
  const counts = session.bytes > MAX_COUNTED_BYTES ? null : gatherMetrics(transcript);
  const savedMs = checkpointedAt(state, nowMs);
  const workedMinutes = unsavedMinutes(state, nowMs);
  const isSaved = state.checkpoint_armed === false;
  const isHigh = percent >= config.warn_threshold;
  const isFull = percent >= config.recommend_threshold;
  const isEstimate = source === "estimate";
  const filled = { owner, transcript, tokens, isEstimate, config, state };
  const freed = isFull ? freshFreed(filled) : undefined;
  const moment = { level, tokens, nowMs };
  const remedy = isFull ? recommend(freed, moment).remedy : "none";
  const { reason } = needsCheckpoint({ state, percent, nowMs, threshold: config.warn_threshold });
  return {
    session_id: id,
    transcript,
    tokens,
    window,
    limit,
    percent,
    source,
    messages: counts?.message_count ?? null,
    tool_calls: counts &&
      counts.tool_calls + counts.file_reads + counts.file_edits + counts.subagent_spawns,
    subagents: counts?.subagent_spawns ?? null,
    minutes_since_checkpoint: savedMs === null ? null : Math.floor((nowMs - savedMs) / 60_000),
    active_minutes: workedMinutes === null ? null : Math.floor(workedMinutes),
    is_saved: isSaved,
    reason,
    status: isHigh ? "context_high" : reason === null ? "ok" : "stale_checkpoint",
    recommended_action: remedy !== "none"
      ? remedy === "rollover" ? "rollover" : "trim"
      : reason === null
      ? "none"
      : "trigger_checkpoint",
    advice: remedy === "none" ? null : shortAdvice(freed, moment),
  };
}

/** Posts at most one request in each interval, and asks a session at most once every half hour. */
function requestCheckpoint(
  sessions: readonly WatchedSession[],
  options: InspectOptions,
): CheckpointRequest[] {
  const { projectDir, configDir, nowMs, intervalMs } = options;
  const posted = readTriggers({ projectDir, configDir });
  const within = (ms: number): (string | null)[] =>
    posted.filter(({ timestamp }) => Math.abs(nowMs - Date.parse(timestamp)) < ms)
      .map(({ session_id: id }) => id);
  if (within(intervalMs).length > 0) return [];
  const recentlyAsked = within(STALE_MINUTES * 60_000);
  const [fullest] = sessions
    .filter(({ session_id: id, reason }) => reason !== null && !recentlyAsked.includes(id))
    .sort((a, b) => b.percent - a.percent);
  if (fullest === undefined || fullest.reason === null) return [];
  const { session_id: sessionId, reason, percent } = fullest;
  const now = new Date(nowMs);
  return [triggerCheckpoint(reason, { projectDir, configDir, sessionId, percent, now })];
}

/** A session that has written nothing for longer than this does not count as running. */
export const MAX_SILENCE_MS = 10 * 60_000;

export const MAX_LIVE_SESSIONS = 100;

const MAX_RECORD_BYTES = 100_000;

/** Lists sessions that wrote recently and, if clients record open sessions, are open. */
export function findLiveSessions(place: SessionsPlace, nowMs: number): ProjectSession[] {
  const { projectDir, configDir } = place;
  if (configDir === undefined) return [];
  const open = openSessions(joinPath(configDir, "sessions"));
  const folders = [projectDir, realFolder(projectDir)];
  return projectSessions(place)
    .filter(({ id }) => open === null || open.has(id))
    .filter(({ modifiedMs }) => modifiedMs >= nowMs - MAX_SILENCE_MS)
    // Two projects can share a folder of sessions. The transcript of a new session may not contain its
    // project yet.
    .filter(({ path }) => folders.includes(readStartFolder(path) ?? projectDir))
    .slice(0, MAX_LIVE_SESSIONS)
    .sort((a, b) => a.id < b.id ? -1 : 1);
}

/** Returns null if clients do not record open sessions. */
function openSessions(folder: string): ReadonlySet<unknown> | null {
  if (!exists(folder)) return null;
  const names = listFolder(folder).map(({ name }) => name);
  const records = names.filter((name) => /^\d+\.json$/.test(name));
  return new Set(records.map((name) => {
    const record = readOwnJson(joinPath(folder, name), MAX_RECORD_BYTES, true);
    return isObject(record) ? record["sessionId"] : undefined;
  }));
}

const HEADINGS = ["session", "context", "messages", "tools", "agents", "saved", "status", "action"];

export function describeFleet(status: FleetStatus, time: Date): string {
  const { sessions, triggers, problems } = status;
  const count = sessions.length > 1
    ? `${sessions.length} sessions are running`
    : `${sessions.length === 0 ? "no" : 1} session is running`;
  const rows = sessions.length === 0 ? [] : [HEADINGS, ...sessions.map(cellsOf)];
  const widths = HEADINGS.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0))
  );
  return [
    `${time.toISOString().slice(0, 19)}Z ${count}`,
    ...rows.map((row) =>
      row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()
    ),
    ...triggers.map(({ session_id, reason }) =>
      `asked ${shortId(session_id ?? "")} for a checkpoint: ${reason}`
    ),
    ...problems.map(({ session_id, problem }) =>
      cleanLine(`problem${session_id === null ? "" : ` with ${shortId(session_id)}`}: ${problem}`)
    ),
  ].join("\n");
}

function cellsOf(session: WatchedSession): string[] {
  const { percent, tokens, limit, source, minutes_since_checkpoint: minutes } = session;
  return [
    shortId(session.session_id),
    `${source === "estimate" ? "~" : ""}${percent}% ${thousands(tokens)}/${thousands(limit)}`,
    String(session.messages ?? "-"),
    String(session.tool_calls ?? "-"),
    String(session.subagents ?? "-"),
    minutes === null ? "never" : ageText(minutes * 60_000),
    session.status,
    session.advice ?? (session.recommended_action === "none" ? "-" : "/save-checkpoint"),
  ];
}
