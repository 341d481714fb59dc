/** Which session a watcher asks for a checkpoint. */

import type { SessionReport } from "./monitor.ts";
import { type CheckpointReason, STALE_MINUTES } from "./needs_checkpoint.ts";

/** When a session was asked, ISO 8601; null while it was not. */
export interface AskedSession {
  /** Because its window is full; forgotten once there is room again. */
  readonly high_at: string | null;
  /** Because it had worked for long. */
  readonly stale_at: string | null;
}

export interface WatchMemory {
  readonly asked: ReadonlyMap<string, AskedSession>;
  /** When any was asked last, ISO 8601; null while none was. */
  readonly last_asked_at: string | null;
}

export interface ChosenTrigger {
  readonly sessionId: string;
  readonly reason: CheckpointReason;
  /** How full its window is, 0 to 100; null if not known. */
  readonly percent: number | null;
}

interface TriggerChoice {
  /** Whom; null when nobody. */
  readonly ask: ChosenTrigger | null;
  /** What to remember when nobody is asked, or it fails. */
  readonly memory: WatchMemory;
  /** What to remember once the session is asked. */
  readonly memoryThen: WatchMemory;
}

/** The time, and how far apart two requests are. */
interface TriggerPace {
  readonly nowMs: number;
  /** No two sessions are asked within this time, in milliseconds. */
  readonly intervalMs: number;
}

/** What there is to remember at first. */
export const NOTHING_ASKED: WatchMemory = { asked: new Map(), last_asked_at: null };

/** Sessions that were asked longer ago are forgotten, in milliseconds. */
const FORGET_MS = 7 * 24 * 60 * 60 * 1000;

const STALE_MS = STALE_MINUTES * 60_000;

/** Chooses at most one session per interval to save a checkpoint, so that agents do not all stop. */
export function chooseTrigger(
  reports: readonly SessionReport[],
  memory: WatchMemory,
  pace: TriggerPace,
): TriggerChoice {
  const { nowMs, intervalMs } = pace;
  const asked = rearmed(reports, memory.asked, nowMs);
  const kept = { asked, last_asked_at: memory.last_asked_at };
  const sinceLast = nowMs - Date.parse(memory.last_asked_at ?? "");
  const isTooSoon = sinceLast >= 0 && sinceLast < intervalMs;
  const [first] = isTooSoon ? [] : reports.map((report) => wantOf(report, asked, nowMs))
    .filter((want) => want !== null)
    .sort((a, b) => (b.percent ?? -1) - (a.percent ?? -1) || (a.sessionId < b.sessionId ? -1 : 1));
  if (first === undefined) return { ask: null, memory: kept, memoryThen: kept };
  const at = new Date(nowMs).toISOString();
  const field = first.reason === "checkpoint_stale" ? "stale_at" : "high_at";
  const before = asked.get(first.sessionId) ?? { high_at: null, stale_at: null };
  const then = new Map([...asked, [first.sessionId, { ...before, [field]: at }]]);
  return { ask: first, memory: kept, memoryThen: { asked: then, last_asked_at: at } };
}

function wantOf(
  report: SessionReport,
  asked: ReadonlyMap<string, AskedSession>,
  nowMs: number,
): ChosenTrigger | null {
  const { session_id: sessionId, percent, status, active_minutes: minutes } = report;
  const before = asked.get(sessionId);
  const isHigh = status === "context_high" && !report.is_saved;
  if (isHigh && (before?.high_at ?? null) === null) {
    return { sessionId, reason: "context_60_percent", percent };
  }
  const sinceAsked = nowMs - lastOf(before);
  const isWaiting = sinceAsked >= 0 && sinceAsked < STALE_MS;
  if (minutes === null || minutes < STALE_MINUTES || isWaiting) return null;
  return { sessionId, reason: "checkpoint_stale", percent };
}

/** A session is asked again for a crossing only after there was room in its window. */
function rearmed(
  reports: readonly SessionReport[],
  asked: ReadonlyMap<string, AskedSession>,
  nowMs: number,
): Map<string, AskedSession> {
  const roomy = new Set(
    reports.filter(({ percent, status }) => percent !== null && status !== "context_high")
      .map(({ session_id }) => session_id),
  );
  const kept = [...asked].filter(([, one]) => Math.abs(nowMs - lastOf(one)) < FORGET_MS)
    .map(([id, one]) => [id, roomy.has(id) ? { ...one, high_at: null } : one] as const)
    .filter(([, { high_at, stale_at }]) => high_at !== null || stale_at !== null);
  return new Map(kept);
}

/** When a session was asked last, in milliseconds since 1970; NaN when it never was. */
function lastOf(asked: AskedSession | undefined): number {
  const times = [asked?.high_at, asked?.stale_at].map((time) => Date.parse(time ?? ""))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? NaN : Math.max(...times);
}
