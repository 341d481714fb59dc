/**
 * Measures, without a model or the network, how much of the needed content a restored text contains. Each real
 * session is cut in two. The text is generated from the earlier part alone, and the later part shows which
 * items of the earlier part were needed.
 *
 *     deno run -A bench/continuity.ts FOLDER|FILE...
 *
 * An item of the earlier part is needed if the later part uses it. A score is the share of the needed items
 * that the text contains. Each kind of item has a score: files, commands, names, open steps and prompts. `all` is
 * the mean of the scores. A second table counts the errors of each text, see {@linkcode truthOf}.
 */

import { ownWords } from "../src/transcript/own_words.ts";
import { extractState } from "../src/extract/extract_state.ts";
import type { WorkState } from "../src/core/work_state.ts";
import { MAX_CONTEXT_CHARS } from "../src/inject/bound.ts";
import { buildContinuationPrompt } from "../src/designs/continuation_prompt.ts";
import { LAYOUT_CHARS } from "../src/saved/views/continuation.ts";
import { layout, type SkinName } from "../src/layout/layout.ts";
import { rehydratedText } from "../src/saved/views/rehydrated.ts";
import { contentOf, snapshotOf, workOf } from "../src/saved/save.ts";
import { gramsOf, type Item, segmentsOf } from "./regret_points.ts";
import { sessionsIn } from "./sessions.ts";
import { addTruths, truthOf } from "./truth.ts";

/** Position of the cut in a session that was never compacted, as a share of its length. */
const SHARE = 0.6;

/** Minimum number of the assistant's texts and calls before the cut. */
const MIN_PAST = 25;
/** Minimum number of the assistant's texts and calls after the cut. */
const MIN_FUTURE = 12;

/** Maximum number of later items that are read. */
const MAX_FUTURE = 200;
/** Word runs of this length count as shared text. */
const GRAM_WORDS = 4;

const REQUEST_CHARS = 600;

/** Maximum number of prompts that count. */
const MAX_REQUESTS = 12;
/** A prompt or a step counts as needed if at least this share of its words recurs later. */
const MIN_RECURRING = 0.5;

/**
 * Matches a name that cannot be an ordinary word: with an underscore, inner capitals, digits or a
 * slash.
 */
const NAME =
  /(?<![\w/.-])(?:[A-Za-z]+_\w+|[A-Za-z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|#\d{1,6}|[A-Z]{2,8}-\d{1,6}|[a-z0-9-]+\/[a-z0-9]+(?:-[a-z0-9]+)+)(?![\w-])/g;

/** Commands that are too common to identify a step. Most of them only inspect or move files. */
const PLAIN_COMMANDS = new Set(
  ("ls cat cd echo grep rg find head tail wc pwd sed awk which mkdir rm cp mv touch sleep true " +
    "export chmod sort").split(" "),
);

export interface Cut {
  readonly lines: readonly string[];
  readonly past: readonly Item[];
  readonly future: readonly Item[];
  /** The client's compaction summary; empty if the session was not compacted. */
  readonly summary: string;
  readonly projectDir: string;
}

interface Needs {
  readonly files: readonly string[];
  readonly known: readonly string[];
  readonly commands: readonly string[];
  readonly names: readonly string[];
  readonly steps: readonly string[];
  readonly requests: readonly string[];
}

/** Shares from 0 to 1; null if the later part needs no item of that kind. */
export type Score = { readonly [column in typeof COLUMNS[number]]: number | null };

export const COLUMNS = [
  "files",
  "commands",
  "names",
  "steps",
  "asks",
  "all",
] as const;

/**
 * Cuts a session at its first compaction or, without one, after {@linkcode SHARE} of its items. Returns null
 * if the session is too short.
 */
export function cutOf(lines: readonly string[]): Cut | null {
  const segments = segmentsOf(lines).filter((items) => items.length > 0);
  const [first = [], second = []] = segments;
  const end = segments.length > 1 ? first.length : indexAfterResult(first, first.length * SHARE);
  const past = first.slice(0, end);
  const future = [...first.slice(end), ...second].slice(0, MAX_FUTURE);
  const textsIn = (items: readonly Item[]): number =>
    items.filter(({ role, kind }) => role === "assistant" && kind !== "result").length;
  if (textsIn(past) < MIN_PAST || textsIn(future) < MIN_FUTURE) return null;
  const lineCount = (past.at(-1)?.line ?? 0) + 1;
  const summary = second.find(({ line }) => lines[line]?.includes('"isCompactSummary":true'));
  const projectDir = /"cwd":"([^"]+)"/.exec(lines.find((line) => line.includes('"cwd"')) ?? "");
  return {
    lines: lines.slice(0, lineCount),
    past,
    future,
    summary: summary?.text ?? "",
    projectDir: projectDir?.[1] ?? "/p",
  };
}

function indexAfterResult(items: readonly Item[], from: number): number {
  const start = items.findIndex(({ kind }, index) =>
    index >= from && kind !== "result" && items[index - 1]?.kind !== "use"
  );
  return start < 0 ? items.length : start;
}

export function textsOf({ lines, summary, projectDir }: Cut): { readonly [kind: string]: string } {
  const folder = Deno.makeTempDirSync({ prefix: "continuity-" });
  try {
    const path = `${folder}/past.jsonl`;
    Deno.writeTextFileSync(path, lines.join("\n") + "\n");
    const whole = extractState(path);
    const texts = restoredTexts(whole, projectDir);
    if (summary === "") return texts;
    const active = extractState(path, { activeOnly: true });
    return {
      ...texts,
      summary,
      "summary and restore": summary + besideSummary(active, projectDir),
    };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

export function restoredTexts(state: WorkState, projectDir: string): { [kind: string]: string } {
  return {
    restore: formatWork(state, projectDir),
    standard: rehydratedText(snapshotOf(state), "standard", MAX_CONTEXT_CHARS),
    handoff: buildContinuationPrompt({
      sessionNumber: 2,
      percent: null,
      state,
      projectDir,
      parentSessionId: state.session_id ?? "",
      workerId: "main",
    }),
  };
}

export function besideSummary(active: WorkState, projectDir: string): string {
  return formatWork(active, projectDir, "besideSummary");
}

function formatWork(state: WorkState, projectDir: string, skin?: SkinName): string {
  return layout(workOf(contentOf(state)), { skin, projectDir, room: LAYOUT_CHARS }).text;
}

const knownNeeds = new WeakMap<Cut, Needs>();

function needsOf(cut: Cut): Needs {
  const needs = knownNeeds.get(cut) ?? findNeeds(cut);
  knownNeeds.set(cut, needs);
  return needs;
}

function findNeeds(cut: Cut): Needs {
  const { past, future, lines } = cut;
  const textsIn = (items: readonly Item[]): Item[] => items.filter(({ kind }) => kind === "text");
  const later = future.flatMap((item) =>
    item.kind === "text" ? [wordsOf(item)] : item.toolName === "Bash" ? [item.text] : []
  ).join("\n");
  const laterWords = new Set(plainWords(later));
  const isRepeated = (text: string): boolean => {
    const words = [...new Set(plainWords(text))];
    return words.length > 0 && words.filter((word) => laterWords.has(word)).length >=
        MIN_RECURRING * words.length;
  };
  const known = filesOf(past);
  const usedLater = new Set(filesOf(future));
  const ran = new Set(commandsOf(past));
  const pastText = past.map(({ text }) => text).join("\n");
  const counts = Map.groupBy(later.match(NAME) ?? [], (name) => name);
  const requests = textsIn(past).filter(({ role, line }) => role === "user" && isTyped(lines[line]))
    .map(wordsOf).filter((text) => plainWords(text).length >= 3)
    .map((text) => text.slice(0, REQUEST_CHARS));
  return {
    known,
    files: known.filter((file) => usedLater.has(file)),
    commands: [...new Set(commandsOf(future))].filter((command) => ran.has(command)),
    names: [...counts].filter(([name, all]) => all.length > 1 && pastText.includes(name))
      .map(([name]) => name),
    steps: openSteps(past).filter(isRepeated),
    requests: requests.filter((text, index) => index >= requests.length - 2 || isRepeated(text))
      .slice(-MAX_REQUESTS),
  };
}

function wordsOf({ role, text }: Item): string {
  return role === "user" ? ownWords(text) : text;
}

function isTyped(line = ""): boolean {
  return !/"(?:isMeta|isCompactSummary|isVisibleInTranscriptOnly)":true/.test(line);
}

function plainWords(text: string): string[] {
  return text.toLowerCase().match(/[a-z][a-z0-9_'-]{3,}/g) ?? [];
}

function filesOf(items: readonly Item[]): string[] {
  const paths = items.flatMap(({ input }) => [input?.file_path, input?.notebook_path]);
  return [...new Set(paths.filter((path) => typeof path === "string"))];
}

/** Returns the program and subcommand of each command, such as `git commit`, without common commands. */
function commandsOf(items: readonly Item[]): string[] {
  const lines = items.flatMap(({ toolName, input }) => toolName === "Bash" ? [input?.command] : [])
    .filter((line) => typeof line === "string");
  return lines.flatMap((line) => line.replace(/<<[^]*/, "").split(/&&|\|\||;|\n/)).flatMap(
    (part) => {
      const bare = (part.split("|")[0] ?? "").replaceAll(/\d?>&?\s*\S+/g, "").trim()
        .replace(/^(?:[A-Z_]+=\S+\s+)+/, "");
      const words = bare.split(/\s+/).filter((word) => word !== "" && !word.startsWith("-"));
      const [program = "", next = ""] = words;
      if (!/^[\w./-]+$/.test(program) || PLAIN_COMMANDS.has(program)) return [];
      if (program === "git" && /^(?:status|diff|log|add|show|branch)$/.test(next)) return [];
      return [
        words.slice(0, /^(?:npm|pnpm|yarn|mise|make|gh|npx|cargo)$/.test(program) ? 3 : 2).join(
          " ",
        ),
      ];
    },
  );
}

/** Returns the open items of the last todo list. The client records such lists in two formats. */
function openSteps(items: readonly Item[]): string[] {
  let steps = new Map<string, unknown>();
  const created = new Map<string | undefined, string>();
  const subjects = new Map<string | undefined, string>();
  for (const { kind, id, toolName, input, text } of items) {
    // The result of `TaskCreate` contains the task's number.
    const number = /^Task #(\d+)/.exec(text)?.[1];
    if (kind === "result" && created.has(id)) subjects.set(number, created.get(id) ?? "");
    // A listing contains the status of each task.
    for (const [, status, step = ""] of text.matchAll(/^#\d+ \[(\w+)\] (.*)$/gm)) {
      if (steps.has(step)) steps.set(step, status);
    }
    if (toolName === "TodoWrite" && Array.isArray(input?.todos)) {
      steps = new Map(input.todos.map((todo) => [String(todo?.content), todo?.status]));
    } else if (toolName === "TaskCreate" && typeof input?.subject === "string") {
      created.set(id, input.subject);
      steps.set(input.subject, "pending");
    } else if (toolName === "TaskUpdate") {
      const subject = subjects.get(String(input?.taskId));
      if (subject !== undefined && input?.status !== undefined) steps.set(subject, input.status);
    }
  }
  return [...steps].filter(([, status]) => status === "pending" || status === "in_progress")
    .map(([step]) => step);
}

export function scoreOf(text: string, cut: Cut): Score {
  const needs = needsOf(cut);
  const line = text.replaceAll(/\s+/g, " ");
  const grams = gramsOf(text, GRAM_WORDS);
  const share = (all: readonly string[], has: (item: string) => boolean): number | null =>
    all.length === 0 ? null : all.filter(has).length / all.length;
  const overlap = (words: string): number => {
    const wanted = [...gramsOf(words, GRAM_WORDS)];
    return wanted.length === 0
      ? 1
      : wanted.filter((gram) => grams.has(gram)).length / wanted.length;
  };
  const textWords = new Set(plainWords(text));
  const columns = {
    files: share(needs.files, (file) => isNamed(file, text, needs.known, cut.projectDir)),
    commands: share(needs.commands, (command) => line.includes(command)),
    names: share(needs.names, (name) => text.includes(name)),
    steps: share(needs.steps, (step) => plainWords(step).every((word) => textWords.has(word))),
    asks: needs.requests.length === 0
      ? null
      : needs.requests.reduce((sum, request) => sum + overlap(request), 0) / needs.requests.length,
  };
  const known = Object.values(columns).filter((value) => value !== null);
  const all = known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length;
  return { ...columns, all };
}

function isNamed(path: string, text: string, known: readonly string[], root: string): boolean {
  const inside = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  const name = inside.slice(inside.lastIndexOf("/") + 1);
  if (text.includes(inside) || text.includes(inside.split("/").slice(-2).join("/"))) return true;
  return known.filter((file) => file.endsWith(`/${name}`)).length === 1 && text.includes(name);
}

/** Scores every kind of text. A column's mean excludes cuts without needed items of that kind. */
export function measureContinuity(cuts: readonly Cut[]): { [kind: string]: Score } {
  return byKind(cuts, scoreOf, (scores) => {
    const mean = (column: typeof COLUMNS[number]): number | null => {
      const known = scores.map((score) => score[column]).filter((value) => value !== null);
      return known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length;
    };
    return Object.fromEntries(COLUMNS.map((column) => [column, mean(column)])) as Score;
  });
}

/** Measures every kind of text at all cuts. */
function byKind<T>(
  cuts: readonly Cut[],
  measure: (text: string, cut: Cut) => T,
  total: (all: readonly T[]) => T,
): { [kind: string]: T } {
  const all = cuts.flatMap((cut) =>
    Object.entries(textsOf(cut)).map(([kind, text]) => [kind, measure(text, cut)] as const)
  );
  return Object.fromEntries(
    [...Map.groupBy(all, ([kind]) => kind)]
      .map(([kind, rows]) => [kind, total(rows.map(([, row]) => row))]),
  );
}

export function cutsOf(files: readonly string[]): Cut[] {
  return files.map((file) => cutOf(Deno.readTextFileSync(file).split("\n")))
    .filter((cut) => cut !== null);
}

if (import.meta.main) {
  const files = sessionsIn(Deno.args);
  const cuts = cutsOf(files);
  console.log(`${cuts.length} of ${files.length} sessions are long enough.`);
  const scores = Object.entries(measureContinuity(cuts)).map(([kind, score]) => [
    kind,
    Object.fromEntries(COLUMNS.map((column) => [column, Math.round(100 * (score[column] ?? 0))])),
  ]);
  console.table(Object.fromEntries(scores));
  const errors = byKind(cuts, truthOf, addTruths);
  console.table(errors);
}
