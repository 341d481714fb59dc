/** Drops turns, and undoes drops, trims and compactions. */

import { shortId } from "../src/core/marks.ts";
import type { Client, CompactAnswer, Row, Rows } from "../src/inside/client.ts";
import {
  conversationOf,
  findOriginals,
  listUndoable,
  promptRows,
  tipBefore,
  undoCompaction,
} from "../src/inside/undo.ts";
import { countLosses, readMedia } from "../src/inside/media.ts";
import { countMediaLines, hasCuts, readReferencedLines } from "../src/inside/recall.ts";
import { readRecord } from "../src/inside/record.ts";
import { readReminders } from "../src/inside/reminders.ts";
import { changeRows, layOutRows } from "../src/inside/rows.ts";
import type { Boundary, SessionLine } from "../src/inside/session_lines.ts";
import { limitOf, measure, type RunningSession, usedCategories } from "../src/inside/trim.ts";
import { dropTurns } from "../src/inside/turns.ts";
import {
  cacheText,
  describeDrop,
  describeUndo,
  describeUndoneCompaction,
  TRIM_MARK,
} from "../src/inside/words.ts";
import { contextPercent } from "../src/gauge/judge.ts";
import { droppedRange } from "../src/transcript/in_place.ts";
import { usageOfEntry } from "../src/transcript/tokens/usage.ts";
import { nonMessageTokens, trimsInEffect } from "../src/store/inside_record.ts";
import { settingsOf } from "../src/inside/settings.ts";
import { isInTerminal, planOf, refusalOf, sessionOf } from "./_inside_plan.ts";
import { replaceConversation } from "./_inside_replace.ts";

/** In a terminal, dropping more than this percentage of the conversation needs a confirmation. */
const MAX_UNCONFIRMED_PERCENT = 33;

const HINT = ". That is more than a third of the conversation: type the command again to confirm";

/** Session and ranges of the last drop that was described but not made. */
let awaitingConfirmation: string | undefined;

export async function dropRows(
  client: Client,
  session: RunningSession,
  ranges: readonly string[],
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<CompactAnswer> {
  const { id, lines, fill, model, messages, media } = session;
  const refusal = refusalOf(messages, media.inUse);
  if (refusal !== undefined) return refusal;
  const { rows, turns } = dropTurns(session, ranges, shortId(id));
  const dropped = turns.reduce((sum, turn) => sum + turn.tokens, 0);
  const { scale, tokens: before } = measure(lines, fill, model);
  const losses = countLosses(messages);
  const freed = (dropped + losses.thinkingTokens) * scale + media.tokens;
  const tokens = { before, after: Math.max(0, Math.round(before - freed)) };
  const text = describeDrop(turns, { tokens, limit: limitOf(fill), losses, media });
  const key = `${id} ${ranges.join()}`;
  const isLarge = dropped * scale * 100 > MAX_UNCONFIRMED_PERCENT * before;
  // A headless session is not asked to confirm, because it ends after this request.
  const needsConfirmation = isLarge && awaitingConfirmation !== key &&
    await isInTerminal(client);
  if (isDryRun || needsConfirmation) {
    awaitingConfirmation = key;
    return {
      skip: isDryRun ? `trimtab: dry run: ${text}` : `trimtab: not done yet: ${text}${HINT}`,
    };
  }
  awaitingConfirmation = undefined;
  return await replaceConversation(client, session, {
    kind: "trim",
    rows: changeRows(rows),
    dropped: turns.flatMap((turn) => turn.rows),
    message: `${TRIM_MARK} ${text}. ${cacheText(tokens)}. Undo: /trim --undo`,
    tokens,
  });
}

export async function undoRows(client: Client, rows: Rows): Promise<CompactAnswer> {
  const session = await sessionOf(client, rows);
  const undoable = listUndoable(session.lines);
  if (undoable.length === 0 && !hasCuts(session.rows, { isTextOnly: true })) {
    return { skip: NOTHING_TO_UNDO };
  }
  for (const last of [...undoable, undefined]) {
    const answer = last?.kind === "compaction"
      ? await restoreSummarized(client, { session, rows, last })
      : await undoTrim(client, session, last);
    // If there is nothing to restore, as after a trim of only images, tries the boundary before.
    if (answer !== undefined) return answer;
  }
  return {
    skip: hasCuts(session.rows, { isTextOnly: true }) ? ORIGINAL_IS_MISSING : ONLY_PICTURES,
  };
}

/** Reads the originals from the parent's transcript if this one, as in a copy, has no earlier lines. */
async function undoTrim(
  client: Client,
  session: RunningSession,
  last: Boundary | undefined,
): Promise<CompactAnswer | undefined> {
  const { before, boundaries } = session.lines;
  const end = last?.line.number ?? 0;
  const start = boundaries.findLast(({ line }) => line.number < end)?.line.number ?? 0;
  const linesBefore = before.filter(({ number }) => number < end);
  const oldLines = linesBefore.filter(({ number }) => number > start);
  const withDropped = restoreDroppedTurns(
    session,
    oldLines,
    last && tipBefore(last.line, session.lines.parents),
  );
  const old = linesBefore.length > 0 ? linesBefore : await readReferencedLines(client, withDropped);
  const changes = findOriginals(withDropped, old);
  const [results, inputs] = [changes.results.size, changes.inputs.size];
  const isDropped = withDropped.some((row) => !session.rows.includes(row));
  if (results + inputs === 0 && !isDropped) return undefined;
  const refusal = refusalOf(session.messages, session.media.inUse);
  if (refusal !== undefined) return refusal;
  const now = session.fill.tokens;
  // An unreadable record does not prevent the undo. Only the figures are missing.
  const { trims } = await readRecord(client).catch(() => ({ trims: [] }));
  const skipped = listUndoable(session.lines)
    .filter(({ kind, line }) => kind === "trim" && line.number > end).length;
  const { tokens_before: size, tokens_after: left } = trimsInEffect(trims).at(-1 - skipped) ?? {};
  const after = size && left ? (now ?? left) + size - left : size ?? undefined;
  return await replaceConversation(client, session, {
    kind: "undo",
    rows: changeRows(withDropped, changes),
    message: describeUndo({
      results,
      inputs,
      isDropped,
      // Images cannot be restored, because the client's rows contain only text.
      media: countMediaLines(session.rows),
      isFull: (after ?? 0) >= limitOf(session.fill),
    }),
    tokens: after === undefined ? undefined : { before: now ?? 0, after },
  });
}

/** Replaces each note about dropped turns with the turns themselves, taken from `oldLines`. */
function restoreDroppedTurns(
  { id, rows, lines, media }: RunningSession,
  oldLines: readonly SessionLine[],
  tip: string | undefined,
): Rows {
  const reminders = readReminders([...lines.before, ...lines.active], lines);
  const start = oldLines[0]?.number ?? Infinity;
  const restored: Readonly<Row>[] = [];
  let question: string | undefined;
  for (const row of rows) {
    const range = droppedRange(row.text);
    // Turns dropped before an earlier boundary are not restored.
    if (range !== undefined && range.to >= start && id.startsWith(range.session)) {
      const messages = conversationOf(oldLines, lines.parents, {
        isWanted: ({ number }) => number >= range.from && number <= range.to,
        tip,
      });
      const turns = layOutRows({ rows: promptRows(messages), messages }, reminders, media);
      restored.push(...turns);
      question = turns.findLast(({ role, text }) => role === "assistant" && text !== "")?.text;
      continue;
    }
    // A question that the note kept is also in the restored turns, so the note's copy is omitted.
    const isRepeated = row.role === "assistant" && row.text !== "" &&
      row.toolUses.length === 0 && row.text === question;
    question = undefined;
    if (!isRepeated) restored.push(row);
  }
  return restored;
}

const ORIGINAL_IS_MISSING = "trimtab: cannot undo this trim: the original text is in the session " +
  "named in its notices";

const NOTHING_TO_UNDO = "trimtab: there is no trim in place or compaction to undo";

const ONLY_PICTURES =
  "trimtab: nothing was undone: replaced pictures and documents cannot be restored";

/** Restores the messages that a compaction summarized, and trims them if they would fill the window again. */
async function restoreSummarized(
  client: Client,
  { session, rows, last }: {
    readonly session: RunningSession;
    readonly rows: Rows;
    readonly last: Boundary;
  },
): Promise<CompactAnswer | undefined> {
  const { lines, fill } = session;
  const undone = undoCompaction({ rows, messages: session.messages }, lines, last);
  if (undone === undefined) return undefined;
  const refusal = refusalOf(undone.messages);
  if (refusal !== undefined) return refusal;
  const { context, inside } = await settingsOf(client);
  const reminders = readReminders([...undone.lines, ...lines.active], lines);
  const media = readMedia(undone.messages, lines, session);
  const whole = layOutRows(undone, reminders, media);
  const restored = { count: undone.count, media: media.count };
  const { preTokens, postTokens } = Object(last.line.entry.raw.compactMetadata);
  const nonMessage = nonMessageTokens(usedCategories(fill.breakdown));
  // If no answer came between a trim and the compaction, `preTokens` counts only the messages.
  const isBilled = undone.lines.some(({ entry }) => usageOfEntry(entry) !== undefined);
  // Both sizes include the summary and the kept messages, so their difference was added later.
  const addedTokens = (fill.tokens ?? 0) - nonMessage - (Number(postTokens) || 0);
  const tokens = (Number(preTokens) || 0) + (isBilled ? 0 : nonMessage) + Math.max(0, addedTokens);
  const limit = limitOf(fill);
  if (contextPercent(tokens, limit) < context.urgent_threshold) {
    return await replaceConversation(client, session, {
      kind: "restore",
      rows: changeRows(whole),
      message: describeUndoneCompaction(restored),
      tokens: { before: fill.tokens ?? 0, after: tokens },
    });
  }
  const { messages } = undone;
  const plan = planOf(
    { ...session, rows: whole, messages, media, fill: { ...fill, tokens } },
    { targetPercent: inside.compact_after_trim_percent },
    context,
  );
  if (plan.tokens.after > limit) {
    return {
      skip: "trimtab: the compaction cannot be undone: the messages that it summarized do not fit",
    };
  }
  const message = describeUndoneCompaction(restored, plan);
  return await replaceConversation(client, session, { ...plan, kind: "trim", message });
}
