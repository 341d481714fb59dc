/** What a look found, for people. */

import { cleanLine } from "../inject/clean.ts";
import type { FleetLook } from "./look.ts";
import type { SessionReport } from "./monitor.ts";

const HEADINGS = ["session", "context", "messages", "tools", "agents", "saved", "status", "do"];

/** So much of an id tells sessions apart. */
const SHORT_ID_CHARS = 8;

/** Draws a table of the sessions, with what was done and what went wrong under it. */
export function describeLook(look: FleetLook, time: Date): string {
  const { sessions, triggers, problems } = look;
  const count = sessions.length === 0
    ? "no session is running"
    : sessions.length === 1
    ? "1 session is running"
    : `${sessions.length} sessions are running`;
  const first = `${time.toISOString().slice(0, 19)}Z ${count}`;
  const asked = triggers.map(({ session_id, reason }) =>
    `asked ${short(session_id)} for a checkpoint: ${reason}`
  );
  const wrong = problems.map(({ session_id, problem }) =>
    cleanLine(`trouble${session_id === null ? "" : ` with ${short(session_id)}`}: ${problem}`)
  );
  return [first, ...tableOf(sessions), ...asked, ...wrong].join("\n");
}

function tableOf(sessions: readonly SessionReport[]): string[] {
  if (sessions.length === 0) return [];
  const rows = [HEADINGS, ...sessions.map(cellsOf)];
  const widths = HEADINGS.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ").trimEnd());
}

function cellsOf(report: SessionReport): string[] {
  const { percent, tokens, minutes_since_checkpoint: minutes } = report;
  const about = report.source === "estimate" ? "~" : "";
  const usage = percent === null || tokens === null
    ? "not known yet"
    : `${about}${percent}% ${thousands(tokens)}/${thousands(report.limit)}`;
  return [
    short(report.session_id),
    usage,
    String(report.messages ?? "-"),
    String(report.tool_calls ?? "-"),
    String(report.subagents ?? "-"),
    minutes === null ? "never" : `${minutes}m ago`,
    report.status,
    report.advice ?? (report.recommended_action === "none" ? "-" : "/save-checkpoint"),
  ];
}

function thousands(tokens: number): string {
  return `${Math.round(tokens / 1000)}k`;
}

function short(id: string): string {
  return id.slice(0, SHORT_ID_CHARS);
}
