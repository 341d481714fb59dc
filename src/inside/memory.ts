/**
 * Keeps what the session was doing where no hook can, since there is no Deno: the same work state, the
 * same checkpoint and the same words.
 */

import type { ContextConfig } from "../config/schema.ts";
import { extractFromEntries } from "../extract/extract_state.ts";
import type { WorkState } from "../extract/work_state.ts";
import { contextPercent } from "../pressure/judge.ts";
import { carryOver } from "../saved/checkpoint/carry_over.ts";
import { renderCheckpoint } from "../saved/checkpoint/checkpoint.ts";
import { type CheckpointMeta, idOfTime, parseCheckpoint } from "../saved/checkpoint/parse.ts";
import { resumeContext } from "../saved/checkpoint/resume_context.ts";
import { loadedWords } from "../saved/loaded_words.ts";
import { SHOWN_WORDS, summariserWords } from "../saved/summariser_words.ts";
import { isObject } from "../transcript/entry.ts";
import { BoundaryWatch } from "../transcript/in_place.ts";
import type { Client, CompactEvent } from "./client.ts";
import { readFill } from "./fill.ts";
import { markOwn } from "./marks.ts";
import { writeOwn } from "./files.ts";
import type { SessionLines } from "./session_lines.ts";
import { shellOf } from "./copy.ts";

/** Where checkpoints are, in a project. */
const FOLDER = ".claude/checkpoints";

/** No more are saved in a second. */
const MAX_IN_A_SECOND = 99;

/** How long the launcher may take to find Deno, in milliseconds. */
const FIND_TIMEOUT_MS = 20_000;

/** How often a transcript that is behind is read again, and how long after, in milliseconds. */
const MAX_LOOKS = 5;
const BEHIND_STEP_MS = 30;

/** What was kept last. */
interface Kept {
  readonly session: string;
  readonly text: string;
  readonly meta: CheckpointMeta;
}

let kept: Kept | undefined;

/** The session whose compaction has not told yet what was restored. */
let compacting: string | undefined;

/** The session that a `/clear` has left. */
let left: string | undefined;

let found: Promise<boolean> | undefined;

/** Whether the hooks keep what the session does: then nothing is kept or said here. */
export function areHooksAble(client: Client): Promise<boolean> {
  // A machine that was too busy to answer once may answer the next time.
  found ??= findDeno(client).catch(() => {
    found = undefined;
    return false;
  });
  return found;
}

async function findDeno(client: Client): Promise<boolean> {
  const env = await client.process.hookEnv();
  const argv = [shellOf(env), `${env.CLAUDE_PLUGIN_ROOT}/bin/trimtab`, "--version"];
  const { exitCode } = await client.process.run(argv, {
    env,
    stdin: "",
    timeoutMs: FIND_TIMEOUT_MS,
  });
  return exitCode === 0;
}

/** Saves a checkpoint, and adds to a compaction what the summariser should keep. */
export async function tellSummariser(
  client: Client,
  event: CompactEvent,
  lines: SessionLines,
): Promise<CompactEvent> {
  const [root, session] = await Promise.all([client.session.root(), client.session.id()]);
  const state = await keepWork(client, lines);
  compacting = session;
  const words = summariserWords(state, root);
  const said = words !== "" && event.trigger === "manual" ? SHOWN_WORDS : words;
  const instructions = [event.instructions ?? "", said].filter((text) => text !== "").join("\n\n");
  return instructions === "" ? event : { ...event, instructions };
}

/** Saves a checkpoint of the session as it stands. */
export async function keepWork(
  client: Client,
  lines: SessionLines,
  trigger: CheckpointMeta["trigger"] = "auto",
): Promise<WorkState> {
  const [project, session, now, fill] = await Promise.all([
    client.session.root(),
    client.session.id(),
    client.clock.now(),
    readFill(client),
  ]);
  const before = kept?.session === session ? kept : undefined;
  const state = stateOf(lines, before);
  const meta: CheckpointMeta = {
    id: await freeId(client, `${project}/${FOLDER}`, idOfTime(new Date(now))),
    created: `${new Date(now).toISOString().slice(0, 19)}Z`,
    trigger,
    project,
    session_id: session,
    iteration: await countSaved(client, `${project}/${FOLDER}`) + 1,
    verified: true,
    usage_percent: fill.tokens === null ? null : contextPercent(fill.tokens, fill.limit),
    parent: before?.meta.id ?? null,
  };
  const text = renderCheckpoint(state, meta, { projectDir: project });
  kept = { session, text, meta: parseCheckpoint(text).meta ?? meta };
  await writeCheckpoint(client, project, kept);
  return state;
}

/** The session whose window has passed the threshold and was saved for it. */
let passed: string | undefined;

/** What is known of a turn at its end. */
interface EndedTurn {
  readonly readLines: () => Promise<SessionLines>;
  /** What the model said last. */
  readonly answer: string | undefined;
}

/** Saves a checkpoint at the end of a turn when the window passes the threshold, as the Stop hook does. */
export async function keepWhenFull(
  client: Client,
  config: ContextConfig,
  { readLines, answer }: EndedTurn,
): Promise<void> {
  const [session, { tokens, limit }] = await Promise.all([client.session.id(), readFill(client)]);
  if (tokens === null) return;
  if (contextPercent(tokens, limit) < config.checkpoint_threshold) {
    passed = undefined;
  } else if (passed !== session && !await areHooksAble(client)) {
    passed = session;
    let lines = await readLines();
    for (let looks = 0; looks < MAX_LOOKS && !hasAnswer(lines, answer); looks++) {
      await client.clock.sleep(BEHIND_STEP_MS);
      lines = await readLines();
    }
    await keepWork(client, lines, "watcher");
  }
}

/** A turn ends before the client has written its answer down. */
function hasAnswer({ active }: SessionLines, answer = ""): boolean {
  const newest = active.findLast(({ entry: { type } }) => type === "user" || type === "assistant");
  const [line = ""] = answer.trim().split("\n");
  return JSON.stringify(newest?.entry.raw)?.includes(JSON.stringify(line).slice(1, -1)) ?? true;
}

function stateOf({ boundary, before: old, active }: SessionLines, before?: Kept): WorkState {
  const preserved = preservedIds(boundary);
  const sent = [...old.filter(({ entry }) => preserved.has(entry.uuid)), ...active];
  const entries = sent.map(({ entry }) => ({ entry, line: null }));
  const behind = new BoundaryWatch();
  const isTrimmed = active.some(({ entry }) => behind.look(entry) !== undefined);
  const state = extractFromEntries(entries);
  const fresh = boundary === undefined || isTrimmed
    ? state
    : { ...state, partial: "since the newest compaction" };
  return before === undefined ? fresh : carryOver(fresh, before.text);
}

/** What stands before a compaction and is still sent. */
function preservedIds(boundary: SessionLines["boundary"]): ReadonlySet<unknown> {
  const metadata = boundary?.entry.raw.compactMetadata;
  const messages = isObject(metadata) ? metadata.preservedMessages : undefined;
  return new Set(isObject(messages) && Array.isArray(messages.uuids) ? messages.uuids : []);
}

/** Of those that are saved in one second each has a name. */
async function freeId(client: Client, folder: string, base: string): Promise<string> {
  for (let number = 1; number < MAX_IN_A_SECOND; number++) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!await client.fs.exists(`${folder}/${id}.md`)) return id;
  }
  return `${base}-${MAX_IN_A_SECOND}`;
}

async function countSaved(client: Client, folder: string): Promise<number> {
  const files = await client.fs.list(folder).catch(() => []);
  return files.filter(({ name }) => name.endsWith(".md")).length;
}

/** A project that cannot be written to has what is kept in memory. */
async function writeCheckpoint(
  client: Client,
  project: string,
  { meta, text }: Kept,
): Promise<void> {
  try {
    await markOwn(client, `${meta.id}.md`, text).catch(() => {});
    await writeOwn(client, { root: project, below: ["checkpoints", `${meta.id}.md`] }, text);
  } catch {
    // The compaction goes on, and what is restored after it is here.
  }
}

/** Notes a session that ends. */
export function noteEnd(session: string, reason: string): void {
  left = reason === "clear" ? session : undefined;
}

/** What is restored to a conversation that starts anew. */
interface Restored {
  /** For the model: what its summary lacks, or what a `/clear` left. */
  readonly text: string;
  /** For the person, where the conversation looks empty. */
  readonly message: string | undefined;
}

/** Restores what was kept to a conversation that starts anew; `undefined` if there is nothing. */
export async function restoreKept(
  client: Client,
  source: string,
  config: ContextConfig,
): Promise<Restored | undefined> {
  const session = await client.session.id();
  const from = source === "compact" ? compacting : source === "clear" ? left : undefined;
  [compacting, left] = [undefined, undefined];
  if (from === undefined || kept?.session !== from || !config.restore_on.includes(source)) {
    return undefined;
  }
  const isBesideSummary = source === "compact" && from === session;
  const text = resumeContext({ ...kept, maxChars: config.restore_max_chars, isBesideSummary });
  const { id, created, summary = "" } = kept.meta;
  const save = { kind: "checkpoint", id, created, summary } as const;
  const nowMs = await client.clock.now();
  const message = source === "compact" ? undefined : loadedWords(save, { source, nowMs });
  return text === "" ? undefined : { text, message };
}
