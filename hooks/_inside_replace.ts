/** Replaces the conversation, and informs the user, the model and the hooks. */

import type {
  Client,
  CompactAnswer,
  CompactEvent,
  NextHandler,
  Rows,
} from "../src/inside/client.ts";
import { logAfterBoundary } from "../src/inside/after_boundary.ts";
import { setForgottenFiles } from "../src/inside/file_state.ts";
import { countLosses } from "../src/inside/media.ts";
import { appendPendingNote, hasCuts, offerRecall, setNotePending } from "../src/inside/recall.ts";
import { changeRecord, recordTrim } from "../src/inside/record.ts";
import { callsById } from "../src/inside/rows.ts";
import type { InsideTrim, RunningSession } from "../src/inside/trim.ts";
import type { InsideTrimRecord } from "../src/store/inside_record.ts";
import { contextFill, forgetLevel, insideFill, setFillAfterTrim } from "../src/inside/fill.ts";
import { lossReason } from "../src/inside/words.ts";
import { setReplaced } from "./_inside_scripts.ts";
import { attempt } from "../src/inside/attempt.ts";
import { forgetFreed } from "./_inside_status.ts";

interface Replacement {
  readonly kind: InsideTrimRecord["kind"];
  readonly rows: Rows;
  readonly dropped?: Rows;
  readonly message: string;
  readonly tokens?: InsideTrim["tokens"] | undefined;
  readonly isMidTurn?: boolean;
}

/** Returns the client's answer. Throws if the new rows lack a call that the user did not drop. */
export async function replaceConversation(
  client: Client,
  session: RunningSession,
  { kind, rows, dropped = [], message, tokens, isMidTurn = false }: Replacement,
): Promise<CompactAnswer> {
  const { id, lines, messages } = session;
  const known = callsById([...rows, ...dropped]);
  const lost = messages.flatMap(({ content }) => content)
    .find((block) => block.type === "tool_use" && !known.has(`${block.id}`));
  if (lost !== undefined) throw new Error(`call ${lost.id} would be lost`);
  setForgottenFiles(id, [...lines.before, ...lines.active], rows);
  const [end, undoRecord] = await Promise.all([
    endOfTranscript(client),
    // If the project is read-only, the trim continues, but hooks mistake it for a compaction.
    attempt(client, () => recordReplacement(client, session, { kind, tokens })),
    // Fails in a client without plugin tools. The model then has only the notices.
    attempt(client, async () => {
      const isCut = hasCuts(rows);
      setNotePending(isCut);
      if (isCut) await offerRecall(client, id);
      // The next request of a continuing turn follows immediately, without a prompt.
      if (isMidTurn) await appendPendingNote(client);
    }),
  ]);
  setReplaced(id);
  // At a session's first trim, the user learns how long the original text remains available.
  const isFirst = lines.boundaries.every((boundary) => boundary.kind === "compaction");
  const notice = isFirst && kind === "trim" ? `. ${KEEP_HINT}` : "";
  logAfterBoundary(client, {
    ...end,
    text: message + notice,
    onDropped: () => {
      setReplaced(undefined);
      return undoRecord && attempt(client, undoRecord);
    },
  });
  // The estimates are outdated. New estimates start only after the boundary is written.
  forgetFreed();
  return { messages: rows };
}

const KEEP_HINT = "Claude Code deletes a transcript 30 days after its last use, unless " +
  "cleanupPeriodDays sets another period; trimtab keep preserves it";

/** Returns a function that reverts the record if the client keeps the old conversation. */
async function recordReplacement(
  client: Client,
  { id, fill, model }: RunningSession,
  { kind, tokens }: Pick<Replacement, "kind" | "tokens">,
): Promise<() => Promise<void>> {
  const { before = null, after = null } = tokens ?? {};
  const resetFill = after === null
    ? undefined
    : setFillAfterTrim(id, { reported: fill.tokens, after });
  const now = await client.clock.now();
  await recordTrim(
    client,
    { kind, at_ms: now, tokens_before: before, tokens_after: after },
    after === null ? undefined : insideFill({ ...fill, tokens: after }, model, now),
  );
  forgetLevel();
  return () => {
    resetFill?.();
    return changeRecord(client, (record) => ({
      ...record,
      trims: record.trims.filter((trim) => trim.at_ms !== now),
    }));
  };
}

let undoHintedSession: string | undefined;

/** Lets the client compact. If a session's first compaction can be undone, tells the user so. */
export async function compactWithUndoHint(
  client: Client,
  event: CompactEvent,
  next: NextHandler<CompactEvent, CompactAnswer>,
): Promise<CompactAnswer> {
  const before = await endOfTranscript(client).catch(() => undefined);
  const fill = await contextFill(client).catch(() => undefined);
  const isHintDue = before?.id !== undoHintedSession &&
    lossReason(countLosses(await client.session.messages({ as: "api" }).catch(() => []))) ===
      undefined;
  const answer = await next(event);
  if (answer.skip !== undefined) return answer;
  setNotePending(false);
  client.ui.status(undefined);
  if (before === undefined) return answer;
  // The client reports the old size until the next answer.
  setFillAfterTrim(before.id, { reported: fill?.tokens, after: undefined });
  if (isHintDue) logAfterBoundary(client, { ...before, text: CAN_UNDO });
  undoHintedSession = before.id;
  return answer;
}

async function endOfTranscript(
  client: Client,
): Promise<{ id: string; path: string; from: number }> {
  const { transcriptPath: path } = await client.session.info();
  return { id: await client.session.id(), path, from: (await client.fs.stat(path)).size };
}

const CAN_UNDO = "/trim --undo undoes this compaction";
