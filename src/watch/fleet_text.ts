import { shortId } from "../core/marks.ts";
import { ageText, thousands } from "../inject/bound.ts";
import { cleanLine } from "../inject/clean.ts";
import type { FleetStatus, WatchedSession } from "./inspect.ts";

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
