import { findActiveContext, readNodes } from "../transcript/tree/active_context.ts";
import type { NumberedEntry } from "../transcript/entry.ts";
import { BoundaryWatch } from "../transcript/in_place.ts";
import { readLines } from "../transcript/lines.ts";
import { readBriefly } from "../transcript/long_lines.ts";
import { ChangeCollector } from "../changes/changes.ts";
import { ClosingCollector } from "./closing_words.ts";
import { CommitCollector } from "../changes/commits.ts";
import { DecisionCollector } from "../decisions/decisions.ts";
import { droppedLinesIn, type TurnFilter, turnFilter } from "../transcript/dropped_turns.ts";
import { LearningCollector } from "./learnings.ts";
import { MarkCollector } from "../changes/marks.ts";
import { ProgressCollector } from "./progress.ts";
import { RequirementCollector } from "./requirements.ts";
import { markSaveTurns } from "./save_turns.ts";
import { feedSession } from "./session_events.ts";
import { TrailCollector } from "./trail/trail.ts";
import { StashCollector } from "../changes/stashes.ts";
import { TodoCollector } from "./todos.ts";
import type { Issue, WorkState } from "../core/work_state.ts";
import { fileName } from "../store/paths.ts";
import { openFileSync } from "../store/read_file.ts";

const MAX_ISSUES = 40;

const MAX_FULL_READ_BYTES = 64 * 1024 * 1024;

const MAX_CONTEXTS = 50;

const PLAN_START = "Implement the following plan:";
const MAX_LINES_BEFORE_PLAN = 4;

/** Options for {@linkcode extractState}. */
export interface ExtractOptions {
  /**
   * Whether to read only the active context, from the end of the file, as hooks do. If a trim in place
   * shortened entries, the context before that trim is read, too. A transcript of up to 64 MB is still read in
   * full if the context starts from a plan, or if its link to earlier entries is broken.
   *
   * @default {false}
   */
  activeOnly?: boolean;
}

/**
 * Extracts what a session was doing from its transcript, without loading the whole file into memory.
 *
 * Lines that cannot be parsed are skipped, including an incomplete last line. If a line is several megabytes
 * long, only the start of each long string is read.
 *
 * Permissions: `--allow-read` for the transcript.
 *
 * @param path The transcript.
 * @param options How much of the transcript to read.
 * @returns The work state; empty for a transcript without messages.
 * @throws {Deno.errors.NotFound} When the file does not exist.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { extractState } from "./extract_state.ts";
 *
 * const path = Deno.makeTempFileSync();
 * const prompt = { type: "user", uuid: "u", message: { role: "user", content: "Fix the login." } };
 * Deno.writeTextFileSync(path, JSON.stringify(prompt) + "\n");
 * assertEquals(extractState(path).requirements[0]?.text, "Fix the login.");
 * Deno.removeSync(path);
 * ```
 */
export function extractState(path: string, options: ExtractOptions = {}): WorkState {
  using file = openFileSync(path);
  const { size } = file.statSync();
  const { nodes, isCompacted, cutOff } = findActiveContext(file, size);
  // Only a conversation after a boundary can contain a note about removed turns.
  const withoutDropped = isCompacted ? droppedTurnFilter(file, nodes, path) : keepAll;
  const extractAll = (): WorkState => extractFromEntries(withoutDropped(allEntries(file)));
  if (options.activeOnly !== true) return extractAll();
  // After a broken link the model no longer sees earlier entries, but the file may contain them. In a
  // session that started from a plan, earlier entries contain the reason for the plan.
  const hasEarlierEntries = cutOff !== null ||
    startsWithPlan(file, nodes.slice(0, MAX_LINES_BEFORE_PLAN));
  if (hasEarlierEntries && size <= MAX_FULL_READ_BYTES) return extractAll();
  const { contexts, isSummarised } = untrimmedContexts(file, { nodes, isCompacted });
  const state = extractFromEntries(activeEntries(file, contexts, withoutDropped));
  return isSummarised ? { ...state, partial: "since the newest compaction" } : state;
}

export function extractFromEntries(entries: Iterable<NumberedEntry>): WorkState {
  const requirements = new RequirementCollector();
  const changes = new ChangeCollector();
  const commits = new CommitCollector();
  const decisions = new DecisionCollector();
  const marks = new MarkCollector();
  const closing = new ClosingCollector();
  const todos = new TodoCollector();
  const learnings = new LearningCollector();
  const progress = new ProgressCollector();
  const trail = new TrailCollector();
  const stashes = new StashCollector();
  const userCollectors = [requirements, decisions, learnings];
  const workCollectors = [changes, commits, marks, closing, todos, progress, trail, stashes];
  const session_id = feedSession(markSaveTurns(entries), [...userCollectors, ...workCollectors]);
  const { steps, issues } = closing.finish();
  const spec = todos.openDescription();
  return {
    session_id,
    requirements: requirements.finish(),
    changes: changes.finish(),
    commits: commits.finish(),
    decisions: decisions.finish(),
    issues: uniqueIssues([...trail.failures(), ...issues, ...marks.finish()]),
    next_steps: todos.finish() ?? steps,
    learnings: learnings.finish(),
    progress: progress.finish(),
    trail: {
      ...trail.finish(),
      ...(spec === "" ? {} : { spec }),
      ...changes.pending(),
      ...commits.pending(),
      stashed: stashes.finish(),
    },
    partial: "",
  };
}

function startsWithPlan(file: Deno.FsFile, nodes: Nodes): boolean {
  return [...readNodes(file, nodes, { isBrief: true })].some(({ entry }) => {
    const content = entry.type === "user" ? entry.message?.content : undefined;
    return typeof content === "string" && content.startsWith(PLAN_START);
  });
}

function* allEntries(file: Deno.FsFile): Generator<NumberedEntry, void, undefined> {
  file.seekSync(0, Deno.SeekMode.Start);
  for (const { bytes, number } of readLines(file, { limitBytes: file.statSync().size })) {
    for (const { entry } of readBriefly(bytes)) yield { entry, line: number };
  }
}

type Nodes = ReturnType<typeof findActiveContext>["nodes"];

/**
 * Lists the contexts that make up the conversation, oldest first.
 *
 * A trim in place is followed by shortened copies of the entries it trimmed; the full entries are in the
 * context before it.
 */
function untrimmedContexts(
  file: Deno.FsFile,
  newest: { readonly nodes: Nodes; readonly isCompacted: boolean },
): { contexts: Nodes[]; isSummarised: boolean } {
  const contexts: Nodes[] = [newest.nodes];
  let { nodes, isCompacted } = newest;
  while (isCompacted && contexts.length < MAX_CONTEXTS && followsTrim(file, nodes)) {
    ({ nodes, isCompacted } = findActiveContext(file, nodes[0]?.offset ?? 0));
    contexts.unshift(nodes);
  }
  return { contexts, isSummarised: isCompacted };
}

function followsTrim(file: Deno.FsFile, nodes: Nodes): boolean {
  const watch = new BoundaryWatch();
  return readNodes(file, nodes, { isBrief: true }).some(({ entry }) => {
    watch.add(entry);
    return watch.kind !== undefined;
  });
}

function keepAll<T>(items: Iterable<T>): Iterable<T> {
  return items;
}

function droppedTurnFilter(file: Deno.FsFile, nodes: Nodes, path: string): TurnFilter {
  const conversation = readNodes(file, nodes, { isBrief: true }).map(({ entry }) => entry);
  const isDropped = droppedLinesIn(conversation, fileName(path));
  if (isDropped === undefined) return keepAll;
  return turnFilter(
    allEntries(file).filter(({ line }) => isDropped(line ?? 0)).map(({ entry }) => entry),
  );
}

function* activeEntries(
  file: Deno.FsFile,
  contexts: readonly Nodes[],
  withoutDropped: TurnFilter,
): Generator<NumberedEntry, void, undefined> {
  for (const [index, nodes] of contexts.entries()) {
    const read = readNodes(file, nodes, { isBrief: true });
    for (const { entry } of withoutDropped(read)) {
      // A boundary marks the entries after it as repeats. The first context's boundary is skipped, because
      // the original entries are not read.
      if (index > 0 || entry.subtype !== "compact_boundary") yield { entry, line: null };
    }
  }
}

function uniqueIssues(issues: readonly Issue[]): Issue[] {
  const seen = new Set([""]);
  return issues.filter(({ issue }) => seen.size < seen.add(issue.toLowerCase()).size)
    .slice(0, MAX_ISSUES);
}
