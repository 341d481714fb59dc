/** Makes trimtab's files below `.claude` with the same text in every possible field. */

import {
  checkpointText,
  handoffNote,
  lineageRow,
  OUTSIDER,
  PARENT,
  snapshotText,
} from "./world.ts";

const CHECKPOINT = "2026-03-01-120000";

/** @param owner The session that the files claim to belong to, and their time in milliseconds since 1970. */
export function stateFiles(
  text: string,
  { session, nowMs }: { readonly session: string; readonly nowMs: number },
): Record<string, string> {
  const time = new Date(nowMs - 1_000).toISOString();
  const row = (id: number, fields: Record<string, unknown>): Record<string, unknown> =>
    lineageRow(id, { started_at: time, summary: text, worker_id: text, ...fields });
  const left = { session_id: PARENT, left_at: nowMs, prompt_id: "p1" };
  const request = { type: "checkpoint_trigger", timestamp: time, mark: "0".repeat(64) };
  const lines = [
    { ...request, id: text, reason: text, session_id: session, percent: text },
    { ...request, id: "m2", type: text, session_id: null, percent: 99 },
    { ...request, id: "m3", reason: "context_60_percent", session_id: session, percent: text },
  ];
  const names = { worker_id: text, issue: text, title: text, checkpoint: text };
  return {
    "trimtab/sessions.json": JSON.stringify({
      version: 1,
      sessions: [
        row(1, { session_id: text, transcript: text }),
        row(2, { session_id: OUTSIDER, parent_session_id: text, transcript: text }),
        row(3, { session_id: PARENT, parent_session_id: OUTSIDER, transcript: text }),
        row(4, { session_id: session, parent_session_id: PARENT, transcript: text }),
        row(5, { session_id: null, parent_session_id: PARENT, worker_id: "main" }),
        row(Number.MAX_SAFE_INTEGER, { worker_id: "main" }),
      ],
    }),
    "trimtab/left.json": JSON.stringify([
      { ...left, session_id: text },
      left,
      { ...left, prompt_id: "3a628e37" },
    ]),
    "trimtab/iteration": text,
    [`trimtab/state/${session}.json`]: JSON.stringify({
      level: text,
      warned_at: text,
      continues: PARENT,
      last_checkpoint: { id: text, created: time, transcript_bytes: 1 },
      auto_snapshot: { path: text, created: time },
      notices: [text],
      [text]: text,
    }),
    [`trimtab/state/${session}.inside.json`]: JSON.stringify({
      version: 1,
      trims: [{ kind: text, at_ms: nowMs, tokens_before: 1, tokens_after: text }],
    }),
    "trimtab/events.jsonl": `${JSON.stringify({ type: text, source: text, data: text })}\n`,
    "trimtab/live.jsonl": `${JSON.stringify({ tool: text, chars: 1, kept: 1 })}\n`,
    "trimtab/blackboard.jsonl": lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    [`trimtab/handoffs/${PARENT}.json`]: handoffNote(PARENT, names),
    [`trimtab/handoffs/${PARENT}.md`]: text,
    [`checkpoints/${CHECKPOINT}.md`]: checkpointText(CHECKPOINT, text.replaceAll("\n", " "), text),
    "checkpoints/2026-03-01-095900.md": checkpointText("2026-03-01-095900", session, text)
      .replace("iteration: 1", `iteration: ${Number.MAX_SAFE_INTEGER}`),
    "runtime/context-snapshots/20260301_120000.json": snapshotText(
      "20260301_120000",
      session,
      text,
    ),
    "runtime/context-snapshots/20260301_120001.json": snapshotText("20260301_120001", text, text),
  };
}
