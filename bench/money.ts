/**
 * Replays real sessions with the prices of the prompt cache, without a model, to show how much a trim saves.
 *
 *     deno task money [--json] FOLDER|FILE...
 *
 * For each request, a session records how many tokens were read from the cache, written to the cache, or
 * neither. The replay inserts a trim or a compaction after the first request that fills a given share of a
 * window of 200,000 tokens. It then prices the requests that followed. The first request writes the smaller
 * context to the cache, and all later requests are smaller. The cache misses whenever it missed in the
 * session. Files with lines that the session quotes later, but that a trim or a summary lacks, are read again;
 * each such read counts as a request. Costs are in uncached input tokens. Answers are not counted, because
 * they do not differ.
 */

import { parseArgs } from "@std/cli";
import { priceRatios } from "../src/transcript/tokens/prices.ts";
import { trimTranscript } from "../src/trim/trim_transcript.ts";
import { median } from "./measure.ts";
import { type Item, parse, pointAt, segmentsOf } from "./regret_points.ts";
import { CHARS_PER_TOKEN, readPath, rereadsOf } from "./rereads.ts";
import { linesIn, sessionsIn } from "./sessions.ts";
import { markdownTable } from "./table.ts";

/** Window in tokens; most of the measured sessions had this size. */
const WINDOW = 200_000;

const SHARES = [0.6, 0.75, 0.9] as const;

/** Numbers of following requests over which costs are summed. */
const HORIZONS = [10, 30, Infinity] as const;

/** Output tokens of a request that only reads a file again. */
const CALL_TOKENS = 120;

/** Assumed tokens of the system prompt and tools, if no request of the session read from the cache. */
const DEFAULT_PREFIX_TOKENS = 18_000;

/** Tokens of the context after a compaction and of its summary, if the measured sessions have no compaction. */
const DEFAULT_COMPACTION = { after: 50_000, summary: 3_000 };

interface Request {
  /** 0-based index of the answer's last line in the transcript. */
  readonly line: number;
  readonly model: string;
  readonly fresh: number;
  readonly written: number;
  readonly writtenForAnHour: number;
  readonly read: number;
}

const ACTIONS = ["nothing", "/compact", "light", "deep"] as const;
type Action = typeof ACTIONS[number];

interface Moment {
  readonly file: string;
  readonly share: number;
  readonly tokens: number;
  readonly followed: number;
  readonly costs: Readonly<Record<Action, readonly number[]>>;
  readonly rereads: Readonly<Record<Action, number>>;
}

function main(): void {
  const args = parseArgs(Deno.args, { boolean: ["json", "help"] });
  if (args.help || args._.length === 0) {
    console.log("Usage: deno task money [--json] FOLDER|FILE...");
    return;
  }
  const files = sessionsIn(args._.map(String));
  const sessions = files.map((file) => ({ file, lines: linesIn(file) }));
  const compaction = typicalCompaction(sessions.map(({ lines }) => lines));
  const moments = sessions.flatMap(({ file, lines }) => momentsOf(file, lines, compaction));
  const check = billedError(sessions.map(({ lines }) => requestsOf(lines)));
  if (args.json) console.log(JSON.stringify({ moments, compaction, error_percent: check }));
  else console.log(describe(moments, { sessions: files.length, compaction, check }));
}

export function requestsOf(lines: readonly string[]): Request[][] {
  let now = new Map<string, Request>();
  const all = [now];
  for (const [line, text] of lines.entries()) {
    const entry = parse(text) ?? {};
    if (entry.isSidechain === true) continue;
    if (entry.subtype === "compact_boundary") {
      now = new Map();
      all.push(now);
    }
    const { id, usage, model } = entry.message ?? {};
    const isAnswer = entry.type === "assistant" && usage !== undefined && model !== "<synthetic>";
    if (!isAnswer || entry.isApiErrorMessage === true || typeof id !== "string") continue;
    const hour = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0;
    now.set(id, {
      line,
      model: String(model),
      fresh: usage.input_tokens ?? 0,
      written: Math.max(0, (usage.cache_creation_input_tokens ?? 0) - hour),
      writtenForAnHour: hour,
      read: usage.cache_read_input_tokens ?? 0,
    });
  }
  return all.map((requests) => [...requests.values()]);
}

function tokensOf({ fresh, written, writtenForAnHour, read }: Request): number {
  return fresh + written + writtenForAnHour + read;
}

function billedCost(request: Request): number {
  const prices = priceRatios(request.model);
  return request.fresh + request.read * prices.cacheRead + request.written * prices.cacheWrite5m +
    request.writtenForAnHour * prices.cacheWrite1h;
}

/**
 * Returns the cost of each request with a context of the given size. Each request has the same cached share as
 * in the session.
 */
function replay(
  requests: readonly Request[],
  contexts: readonly number[],
  before: { readonly real: number; readonly replayed: number; readonly isRewritten: boolean },
  prefix: number,
): number[] {
  let [real, last] = [before.real, before.replayed];
  return requests.map((request, index) => {
    const size = contexts[index] ?? 0;
    const tokens = tokensOf(request);
    const hit = Math.min(1, request.read / Math.max(1, Math.min(real, tokens)));
    const isFirst = index === 0 && before.isRewritten;
    const read = hit * Math.min(isFirst ? prefix : last, size);
    const fresh = Math.min(request.fresh, size - read);
    const prices = priceRatios(request.model);
    const isHour = request.writtenForAnHour > request.written;
    const write = isHour ? prices.cacheWrite1h : prices.cacheWrite5m;
    [real, last] = [tokens, size];
    return fresh + read * prices.cacheRead + (size - read - fresh) * write;
  });
}

/** Returns by what percentage the cost of a replay without any action differs from the billed cost. */
export function billedError(sessions: readonly (readonly Request[])[][]): number {
  let [sum, replayed] = [0, 0];
  for (const requests of sessions.flat()) {
    const [first, ...others] = requests;
    if (first === undefined) continue;
    const size = tokensOf(first);
    const costs = replay(others, others.map(tokensOf), {
      real: size,
      replayed: size,
      isRewritten: false,
    }, 0);
    sum += others.reduce((all, request) => all + billedCost(request), 0);
    replayed += costs.reduce((all, cost) => all + cost, 0);
  }
  return sum === 0 ? 0 : 100 * (replayed - sum) / sum;
}

interface Compaction {
  readonly after: number;
  readonly summary: number;
}

function typicalCompaction(sessions: readonly (readonly string[])[]): Compaction {
  const afters: number[] = [];
  const summaries: number[] = [];
  for (const lines of sessions) {
    const segments = requestsOf(lines);
    for (const [index, [first]] of segments.entries()) {
      const last = segments[index - 1]?.at(-1);
      if (first === undefined || last === undefined) continue;
      if (tokensOf(first) < 0.7 * tokensOf(last)) afters.push(tokensOf(first));
    }
    for (const line of lines.filter((text) => text.includes('"isCompactSummary":true'))) {
      const { content } = parse(line)?.message ?? {};
      if (typeof content === "string") summaries.push(content.length / CHARS_PER_TOKEN);
    }
  }
  return {
    after: afters.length === 0 ? DEFAULT_COMPACTION.after : median(afters),
    summary: summaries.length === 0 ? DEFAULT_COMPACTION.summary : median(summaries),
  };
}

function momentsOf(file: string, lines: readonly string[], compaction: Compaction): Moment[] {
  const all = requestsOf(lines);
  const reads = all.flat().map(({ read }) => read).filter((read) => read > 0);
  const prefix = reads.length === 0 ? DEFAULT_PREFIX_TOKENS : Math.min(...reads);
  return all.flatMap((requests) => {
    const found = SHARES.flatMap((share) => {
      const index = requests.findIndex((request) => tokensOf(request) >= share * WINDOW);
      return index < 0 || index + 1 >= requests.length ? [] : [{ share, index }];
    });
    return found.map(({ share, index }) => {
      const now = requests[index];
      if (now === undefined) throw new Error("no such request");
      const past = lines.slice(0, now.line + 1);
      const following = requests.slice(index + 1);
      const costs = { ...NO_COSTS };
      const rereads = { "nothing": 0, "/compact": 0, light: 0, deep: 0 };
      for (const action of ACTIONS) {
        const { size, kept } = after(action, now, past, { prefix, compaction });
        const again = action === "nothing" ? NO_READS : readAgain(file, lines, now.line, kept);
        rereads[action] = again.count;
        costs[action] = costsOf(action, { now, following, size, again, prefix, compaction });
      }
      return { file, share, tokens: tokensOf(now), followed: following.length, costs, rereads };
    });
  });
}

const NO_COSTS: Record<Action, readonly number[]> = {
  "nothing": [],
  "/compact": [],
  light: [],
  deep: [],
};

const NO_READS = { count: 0, tokens: 0 };

function after(
  action: Action,
  now: Request,
  past: readonly string[],
  { prefix, compaction }: { readonly prefix: number; readonly compaction: Compaction },
): { size: number; kept: readonly string[] } {
  const tokens = tokensOf(now);
  if (action === "nothing") return { size: tokens, kept: past };
  if (action === "/compact") return { size: Math.min(tokens, compaction.after), kept: [] };
  const folder = Deno.makeTempDirSync();
  try {
    const [input, output] = [`${folder}/past.jsonl`, `${folder}/copy.jsonl`];
    Deno.writeTextFileSync(input, `${past.join("\n")}\n`);
    const { tokens: { before, after } } = trimTranscript({ input, output, depth: action });
    const freed = Math.max(0, before - after);
    return { size: Math.max(prefix, tokens - freed), kept: linesIn(output) };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/**
 * Counts the files that must be read again, and their tokens: later edits quote lines of these files that the
 * remaining context lacks.
 */
function readAgain(
  file: string,
  lines: readonly string[],
  last: number,
  kept: readonly string[],
): { count: number; tokens: number } {
  const items = segmentsOf(lines).find((segment) => segment.some(({ line }) => line === last)) ??
    [];
  const past = items.filter(({ line }) => line <= last);
  const future = items.filter(({ line }) => line > last);
  const point = pointAt(file, past, future);
  const paths = rereadsOf(point, segmentsOf(kept).at(-1) ?? []).needed;
  const sizes = [...paths].map((path) => sizeOf(path, past));
  return { count: paths.size, tokens: sizes.reduce((sum, size) => sum + size, 0) };
}

function sizeOf(path: string, past: readonly Item[]): number {
  const calls = new Set(past.filter((item) => readPath(item) === path).map(({ id }) => id));
  const read = past.findLast(({ kind, id }) => kind === "result" && calls.has(id));
  return (read?.text.length ?? 0) / CHARS_PER_TOKEN;
}

function costsOf(
  action: Action,
  { now, following, size, again, prefix, compaction }: {
    readonly now: Request;
    readonly following: readonly Request[];
    readonly size: number;
    readonly again: { readonly count: number; readonly tokens: number };
    readonly prefix: number;
    readonly compaction: Compaction;
  },
): number[] {
  const tokens = tokensOf(now);
  const prices = priceRatios(now.model);
  const freed = tokens - size;
  // The second and later requests include the files that were read again.
  const contexts = following.map((request, index) =>
    Math.max(prefix, tokensOf(request) - freed + (index === 0 ? 0 : again.tokens))
  );
  const requestCosts = replay(following, contexts, {
    real: tokens,
    replayed: size,
    isRewritten: action !== "nothing",
  }, prefix);
  const summary = action === "/compact"
    ? tokens * prices.cacheRead + compaction.summary * prices.output
    : 0;
  const reads = again.count * (size * prices.cacheRead + CALL_TOKENS * prices.output);
  return HORIZONS.map((count) =>
    summary + reads + requestCosts.slice(0, count).reduce((sum, cost) => sum + cost, 0)
  );
}

function describe(
  moments: readonly Moment[],
  { sessions, compaction, check }: {
    readonly sessions: number;
    readonly compaction: Compaction;
    readonly check: number;
  },
): string {
  const inThousands = (tokens: number): string => (tokens / 1000).toFixed(0);
  const rows = SHARES.flatMap((share) => {
    const momentsOfShare = moments.filter((moment) => moment.share === share);
    if (momentsOfShare.length === 0) return [];
    return ACTIONS.map((action) => [
      `${share * 100} %, ${action}`,
      String(momentsOfShare.length),
      ...HORIZONS.flatMap((_, horizon) => {
        const costs = momentsOfShare.map(({ costs }) => costs[action][horizon] ?? 0);
        const costlier = momentsOfShare.filter(({ costs }) =>
          (costs[action][horizon] ?? 0) > (costs.nothing[horizon] ?? 0)
        ).length;
        return [
          inThousands(median(costs)),
          action === "nothing" ? "-" : `${Math.round(100 * costlier / momentsOfShare.length)} %`,
        ];
      }),
      (momentsOfShare.reduce((sum, { rereads }) => sum + rereads[action], 0) /
        momentsOfShare.length)
        .toFixed(2),
    ]);
  });
  const head = ["at, action", "moments"];
  for (const count of HORIZONS) {
    head.push(count === Infinity ? "all that follow" : `next ${count}`, "costlier");
  }
  return [
    `${sessions} sessions. A replay without an action differs from the billed price by ${
      check.toFixed(1)
    } %.`,
    `A compaction leaves ${inThousands(compaction.after)}K tokens and a summary of ${
      inThousands(compaction.summary)
    }K, the medians of these sessions.`,
    "Costs are medians, in thousands of fresh input tokens: at $3 per million, 100 means $0.30. Costlier: the",
    "share of moments at which acting cost more than doing nothing.",
    "",
    markdownTable([...head, "reads again"], rows),
  ].join("\n");
}

if (import.meta.main) main();
