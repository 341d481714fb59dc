/** Replaces the conversation, and informs the user, the model and the hooks. */

import type { Client, CompactAnswer, CompactEvent, Next, Row } from "../src/inside/client.ts";
import { logAfterBoundary } from "../src/inside/behind_boundary.ts";
import { setFillAfterTrim } from "../src/inside/fill.ts";
import { readText } from "../src/inside/files.ts";
import { configDirOf } from "../src/inside/settings.ts";
import { setForgotten } from "../src/inside/file_state.ts";
import { appendPendingNote, hasCuts, offerRecall, setNotePending } from "../src/inside/recall.ts";
import { readRecord, recordTrim } from "../src/inside/record.ts";
import type { InsideTrim, RunningSession } from "../src/inside/trim.ts";
import { type InsideTrimRecord, lastTrim } from "../src/store/inside_record.ts";
import { forgetLevel } from "../src/inside/watch.ts";
import { setReplaced } from "./_inside_hooks.ts";
import { logFailure } from "./_inside_plan.ts";
import { forgetFreed } from "./_inside_watch.ts";

interface Replacement {
  readonly kind: "trim" | "undo";
  readonly rows: readonly Readonly<Row>[];
  readonly words: string;
  readonly tokens?: InsideTrim["tokens"];
  /** Whether a turn continues with the new conversation. */
  readonly isMidTurn?: boolean;
}

export async function replaceBy(
  client: Client,
  { id, lines, fill }: RunningSession,
  { kind, rows, words, tokens, isMidTurn = false }: Replacement,
): Promise<void> {
  setForgotten(id, [...lines.before, ...lines.active]);
  const { transcriptPath: path } = await client.session.info();
  const [{ size: from }, end] = await Promise.all([
    client.fs.stat(path),
    kind === "trim" ? cleanupNotice(client, path) : "",
  ]);
  await Promise.all([
    recordReplacement(client, { id, was: fill.tokens }, { kind, tokens }),
    offer(client, rows, isMidTurn),
  ]);
  setReplaced(id);
  logAfterBoundary(client, words + end, { path, from });
}

const DEFAULT_CLEANUP_DAYS = 30;

const MAX_SETTINGS_BYTES = 1024 * 1024;

/** At a session's first trim, tells the user how long the original text remains available. */
async function cleanupNotice(client: Client, transcriptPath: string): Promise<string> {
  try {
    if ((await readRecord(client)).trims.length > 0) return "";
    const path = `${configDirOf(transcriptPath)}/settings.json`;
    const text = await readText(client, path, MAX_SETTINGS_BYTES).catch(() => undefined);
    const days = /"cleanupPeriodDays"\s*:\s*(\d{1,6})/.exec(text ?? "")?.[1];
    return `. Claude Code deletes the transcript ${days ?? DEFAULT_CLEANUP_DAYS} days after its ` +
      "last use; trimtab keep holds on to it";
  } catch (error) {
    logFailure(client, error);
    return "";
  }
}

/** If the project cannot be written to, the trim continues, but the hooks see a compaction. */
async function recordReplacement(
  client: Client,
  { id, was }: { readonly id: string; readonly was: number | undefined },
  { kind, tokens }: {
    readonly kind: Replacement["kind"];
    readonly tokens: InsideTrim["tokens"] | undefined;
  },
): Promise<void> {
  const [before, after] = [tokens?.before ?? null, tokens?.after ?? null];
  try {
    const last = kind === "undo" ? lastTrim((await readRecord(client)).trims) : undefined;
    const left = after ?? (last === undefined ? undefined : tokensAfterUndo(last, was));
    if (left !== undefined) setFillAfterTrim(id, { was, after: left });
    forgetFreed();
    await recordTrim(client, { kind, tokens_before: before, tokens_after: left ?? null });
    forgetLevel();
  } catch (error) {
    logFailure(client, error);
  }
}

function tokensAfterUndo(
  { tokens_before: before, tokens_after: after }: InsideTrimRecord,
  now: number | undefined,
): number | undefined {
  if (before === null || after === null) return before ?? undefined;
  return (now ?? after) + before - after;
}

/** Offers the recall tool. In a client without plugin tools, the notices must suffice. */
async function offer(
  client: Client,
  rows: readonly Readonly<Row>[],
  isMidTurn: boolean,
): Promise<void> {
  const isCut = hasCuts(rows);
  setNotePending(isCut);
  try {
    if (isCut) await offerRecall(client);
    // The next request of a continuing turn follows immediately, without a prompt.
    if (isMidTurn) await appendPendingNote(client);
  } catch (error) {
    logFailure(client, error);
  }
}

let undoHintedSession: string | undefined;

/** Lets the client compact, and tells the user once per session that the compaction can be undone. */
export async function compactAndTell(
  client: Client,
  event: CompactEvent,
  next: Next<CompactEvent, CompactAnswer>,
): Promise<CompactAnswer> {
  const before = await endOfTranscript(client).catch(() => undefined);
  const answer = await next(event);
  if (answer.skip === undefined) setNotePending(false);
  if (before !== undefined && before.id !== undoHintedSession && answer.skip === undefined) {
    undoHintedSession = before.id;
    logAfterBoundary(client, CAN_UNDO, before);
  }
  return answer;
}

async function endOfTranscript(
  client: Client,
): Promise<{ id: string; path: string; from: number }> {
  const [id, { transcriptPath: path }] = await Promise.all([
    client.session.id(),
    client.session.info(),
  ]);
  return { id, path, from: (await client.fs.stat(path)).size };
}

const CAN_UNDO = "/trim --undo takes this compaction back";
