/** Has another conversation take the place of the one before, and says so to the person, the model and hooks. */

import type { Client, CompactAnswer, CompactEvent, Next, Row } from "../src/inside/client.ts";
import { sayBehindBoundary } from "../src/inside/behind_boundary.ts";
import { claimFill } from "../src/inside/fill.ts";
import { readText } from "../src/inside/files.ts";
import { configDirOf } from "../src/inside/settings.ts";
import { setForgotten } from "../src/inside/file_state.ts";
import { appendPendingNote, hasCuts, offerRecall, setNotePending } from "../src/inside/recall.ts";
import { readRecord, recordTrim } from "../src/inside/record.ts";
import type { InsideTrim, RunningSession } from "../src/inside/trim.ts";
import { type InsideTrimRecord, lastTrim } from "../src/store/inside_record.ts";
import { forgetLevel } from "../src/inside/watch.ts";
import { noteReplaced } from "./_inside_hooks.ts";
import { logFailure } from "./_inside_plan.ts";
import { forgetFreed } from "./_inside_watch.ts";

/** A conversation that is about to take the place of the one before. */
interface Replacement {
  readonly kind: "trim" | "undo";
  readonly rows: readonly Readonly<Row>[];
  /** The line that the person reads. */
  readonly words: string;
  readonly tokens?: InsideTrim["tokens"];
  /** Whether a turn goes on with it. */
  readonly isMidTurn?: boolean;
}

/** Writes down that the conversation is replaced, and tells the person and the model. */
export async function replaceBy(
  client: Client,
  { id, lines, fill }: RunningSession,
  { kind, rows, words, tokens, isMidTurn = false }: Replacement,
): Promise<void> {
  setForgotten(id, [...lines.before, ...lines.active]);
  const { transcriptPath: path } = await client.session.info();
  const [{ size: from }, end] = await Promise.all([
    client.fs.stat(path),
    kind === "trim" ? endWords(client, path) : "",
  ]);
  await Promise.all([
    noteTrim(client, { id, was: fill.tokens }, { kind, tokens }),
    offer(client, rows, isMidTurn),
  ]);
  noteReplaced(id);
  sayBehindBoundary(client, words + end, { path, from });
}

/** The client's default of `cleanupPeriodDays`. */
const DEFAULT_CLEANUP_DAYS = 30;

const MAX_SETTINGS_BYTES = 1024 * 1024;

/** With the first trim of a session: how long the whole texts of cut results stay available. */
async function endWords(client: Client, transcriptPath: string): Promise<string> {
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

/** A project that cannot be written to is trimmed as well: hooks then take it for a compaction. */
async function noteTrim(
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
    const left = after ?? (last === undefined ? undefined : tokensWithout(last, was));
    if (left !== undefined) claimFill(id, { was, after: left });
    forgetFreed();
    await recordTrim(client, { kind, tokens_before: before, tokens_after: left ?? null });
    forgetLevel();
  } catch (error) {
    logFailure(client, error);
  }
}

/** Tokens of the context without a trim: what it took out comes back to what there is now. */
function tokensWithout(
  { tokens_before: before, tokens_after: after }: InsideTrimRecord,
  now: number | undefined,
): number | undefined {
  if (before === null || after === null) return before ?? undefined;
  return (now ?? after) + before - after;
}

/** A client that has no tools of plugins has the notices alone. */
async function offer(
  client: Client,
  rows: readonly Readonly<Row>[],
  isMidTurn: boolean,
): Promise<void> {
  setNotePending(hasCuts(rows));
  try {
    if (hasCuts(rows)) await offerRecall(client);
    // A turn that goes on makes its next request at once.
    if (isMidTurn) await appendPendingNote(client);
  } catch (error) {
    logFailure(client, error);
  }
}

/** The session that was told how to take a compaction back. */
let toldOfUndo: string | undefined;

/** Has the client sum up, and says once in a session that this can be taken back. */
export async function compactAndTell(
  client: Client,
  event: CompactEvent,
  next: Next<CompactEvent, CompactAnswer>,
): Promise<CompactAnswer> {
  const before = await endOfTranscript(client).catch(() => undefined);
  const answer = await next(event);
  if (answer.skip === undefined) setNotePending(false);
  if (before !== undefined && before.id !== toldOfUndo && answer.skip === undefined) {
    toldOfUndo = before.id;
    sayBehindBoundary(client, CAN_UNDO, before);
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

/** Said behind a compaction of the client's own. */
const CAN_UNDO = "/trim --undo takes this compaction back";
