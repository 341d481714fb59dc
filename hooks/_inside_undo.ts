/** Takes back what made the conversation smaller last: a trim in place, or a compaction of the client's own. */

import { isRecord } from "../src/core/record.ts";
import type { Client, CompactAnswer, ContextFill, Row } from "../src/inside/client.ts";
import { findUndoable, undoCompaction } from "../src/inside/compaction_undo.ts";
import { referenceTexts } from "../src/inside/losses.ts";
import { readMedia } from "../src/inside/media.ts";
import { readReminders } from "../src/inside/reminders.ts";
import { changeRows, layOutRows } from "../src/inside/rows.ts";
import type { Boundary } from "../src/inside/session_lines.ts";
import { limitOf, type RunningSession } from "../src/inside/trim.ts";
import { findCutAway } from "../src/inside/undo.ts";
import { describeUndo, describeUndoneCompaction } from "../src/inside/words.ts";
import { contextPercent } from "../src/gauge/judge.ts";
import { argumentsOf, planOf, sessionOf, settingsOf } from "./_inside_plan.ts";
import { replaceBy } from "./_inside_replace.ts";

/** Answers a compaction by which an undo was asked for. */
export async function undoRows(
  client: Client,
  rows: readonly Readonly<Row>[],
): Promise<CompactAnswer> {
  const session = await sessionOf(client, rows);
  const { lines } = session;
  const last = findUndoable(lines);
  if (last === undefined) return { skip: NOTHING_TO_UNDO };
  if (last.kind === "compaction") return await undoSummary(client, { session, rows, last });
  const old = lines.before.filter(({ number }) => number < last.line.number);
  const changes = findCutAway(session.rows, old);
  const count = changes.results.size + changes.inputs.size;
  if (count === 0) return { skip: NOTHING_TO_UNDO };
  const whole = changeRows(session.rows, changes);
  await replaceBy(client, session, { kind: "undo", words: describeUndo(count) });
  return { messages: whole };
}

/** Said where the conversation is whole. */
const NOTHING_TO_UNDO = "trimtab: no trim in place to undo, and no compaction";

/** Puts back what the client summed up, cut by plan where it would fill the window again. */
async function undoSummary(
  client: Client,
  { session, rows, last }: {
    readonly session: RunningSession;
    readonly rows: readonly Readonly<Row>[];
    readonly last: Boundary;
  },
): Promise<CompactAnswer> {
  const { lines, messages, fill } = session;
  const undone = undoCompaction({ rows, messages }, lines, last);
  if (undone === undefined) return { skip: NOTHING_TO_UNDO };
  const { context, inside } = await settingsOf(client);
  const reminders = readReminders([...undone.lines, ...lines.active], { isMidTurn: false });
  const media = readMedia(undone.messages, lines, session);
  const whole = layOutRows(undone, reminders, media);
  const tokens = tokensBefore(last) + saidTokens(fill);
  const limit = limitOf(fill);
  if (contextPercent(tokens, limit) < context.urgent_threshold) {
    await replaceBy(client, session, {
      kind: "undo",
      words: describeUndoneCompaction({ count: undone.count, media: media.count }),
      tokens: { before: fill.tokens ?? 0, after: tokens },
    });
    const results = referenceTexts(undone.messages);
    return { messages: changeRows(whole, { results, inputs: new Map() }) };
  }
  const target = `--target-percent ${inside.compact_after_trim_percent}`;
  const restored = {
    ...session,
    rows: whole,
    messages: undone.messages,
    media,
    fill: { ...fill, tokens },
  };
  const plan = planOf(restored, argumentsOf(target), context);
  if (plan.tokens.after > limit) {
    return { skip: "trimtab: the compaction cannot be undone: what it summed up does not fit" };
  }
  const words = describeUndoneCompaction({ count: undone.count, media: media.count }, plan);
  await replaceBy(client, session, { kind: "undo", words, tokens: plan.tokens });
  return { messages: plan.rows };
}

/** Tokens of the messages alone, without the client's own part of each request. */
function saidTokens({ tokens, breakdown }: ContextFill): number {
  const said = breakdown?.categories.find(({ name }) => name === "Messages");
  return said?.tokens ?? tokens ?? 0;
}

/** Tokens of the context before its compaction, as the client counted them. */
function tokensBefore({ line: { entry } }: Boundary): number {
  const { compactMetadata: metadata } = entry.raw;
  return isRecord(metadata) && typeof metadata.preTokens === "number" ? metadata.preTokens : 0;
}
