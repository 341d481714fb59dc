/** Reads the requests of a session, with their size, cache use and cost, and groups them by turn. */

import { counted, grouped } from "../inject/bound.ts";
import { isObject, type JsonObject } from "../core/record.ts";
import { priceRatios } from "../transcript/tokens/prices.ts";
import { asString, type Entry } from "../transcript/entry.ts";
import { BoundaryWatch } from "../transcript/in_place.ts";
import { usageOfEntry } from "../transcript/tokens/usage.ts";

/** A shorter prefix is not cached, so a smaller difference is not a miss. */
const MISS_TOLERANCE_TOKENS = 1024;

/** In fresh-input-token equivalents. */
export interface RequestCost {
  /** Tokens neither read from nor written to the cache. */
  readonly input: number;
  readonly cache_read: number;
  /** Tokens written to the cache for the first time. */
  readonly cache_write: number;
  /** Tokens that had been in the cache but were paid for again. */
  readonly cache_miss: number;
  readonly output: number;
}

export interface ReportRequest {
  /** From 1. */
  readonly number: number;
  /** 0 before the first prompt. */
  readonly turn: number;
  /** Line number of the answer's first entry, from 1. */
  readonly line: number;
  /** Time of the answer, ISO 8601; null if unknown. */
  readonly time: string | null;
  readonly model: string | null;
  /** All input tokens. */
  readonly tokens: number;
  readonly input_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  /** Tokens of the previous request that were not read from the cache; 0 if few or after a compaction. */
  readonly missed_tokens: number;
  readonly output_tokens: number;
  readonly cost: RequestCost;
}

export interface ReportMark {
  readonly kind: "compaction" | "trim" | "checkpoint";
  /** Number of requests before this event. */
  readonly after: number;
  /** ISO 8601; null if unknown. */
  readonly time: string | null;
  readonly text: string;
}

/** Cost of the subagents' requests in the same file, by turn. */
export type AgentCosts = ReadonlyMap<number, number>;

/** A request that is being read; each line of its answer updates the figures. */
interface Draft {
  turn: number;
  line: number;
  time: string | null;
  model: string | null;
  usage: JsonObject;
  tokens: number;
  isAfterCompaction: boolean;
  isAgent: boolean;
}

interface DraftMark {
  readonly mark: ReportMark;
  readonly watch?: BoundaryWatch;
}

/** Entries must be added in the order of the file. */
export class RequestReader {
  readonly #drafts = new Map<string, Draft>();
  readonly #marks: DraftMark[] = [];
  #count = 0;
  #turn = 0;
  #isAfterCompaction = false;
  #watch = new BoundaryWatch();

  beginTurn(): number {
    return ++this.#turn;
  }

  add(entry: Entry, line: number): void {
    this.#addMark(entry);
    const usage = usageOfEntry(entry);
    const raw = entry.message?.usage;
    const id = usage?.messageId ?? entry.uuid;
    if (usage === undefined || id === undefined || !isObject(raw)) return;
    const known = this.#drafts.get(id);
    if (known !== undefined) {
      known.usage = raw;
      known.tokens = usage.tokens;
      return;
    }
    const isAgent = entry.isSidechain;
    this.#drafts.set(id, {
      turn: this.#turn,
      line,
      time: timeOf(entry.timestamp),
      model: usage.model ?? null,
      usage: raw,
      tokens: usage.tokens,
      isAfterCompaction: !isAgent && this.#isAfterCompaction,
      isAgent,
    });
    if (isAgent) return;
    this.#isAfterCompaction = false;
    this.#count++;
  }

  finish(): { requests: ReportRequest[]; marks: ReportMark[]; agents: AgentCosts } {
    const requests: ReportRequest[] = [];
    const agents = new Map<number, number>();
    let before = 0;
    for (const draft of this.#drafts.values()) {
      const expectedTokens = draft.isAgent || draft.isAfterCompaction ? 0 : before;
      const request = requestOf(draft, requests.length + 1, expectedTokens);
      if (draft.isAgent) {
        agents.set(draft.turn, (agents.get(draft.turn) ?? 0) + totalCost(request.cost));
        continue;
      }
      before = draft.tokens;
      requests.push(request);
    }
    return { requests, marks: this.#marks.map(markOf), agents };
  }

  #addMark(entry: Entry): void {
    if (entry.type === "system" && entry.subtype === "compact_boundary" && !entry.isSidechain) {
      this.#isAfterCompaction = true;
      const { compactMetadata } = entry.raw;
      const { trigger, preTokens } = isObject(compactMetadata) ? compactMetadata : {};
      const triggerText = trigger === "auto" || trigger === "manual" ? ` (${trigger})` : "";
      const size = typeof preTokens === "number" && Number.isFinite(preTokens)
        ? ` of ${grouped(preTokens)} tokens`
        : "";
      this.#watch = new BoundaryWatch();
      this.#marks.push({
        mark: {
          kind: "compaction",
          after: this.#count,
          time: timeOf(entry.timestamp),
          text: `Compaction${size}${triggerText}`,
        },
        watch: this.#watch,
      });
    }
    this.#watch.add(entry);
    const { trim_metadata: trim } = entry.raw;
    if (!isObject(trim)) return;
    const count = typeof trim.trimmed_count === "number" ? trim.trimmed_count : 0;
    this.#marks.push({
      mark: {
        kind: "trim",
        // The metadata is on the first entry; the caller uses the time to correct the position.
        after: this.#count,
        time: timeOf(asString(trim.trimmed_at)),
        text: `Trimmed copy: ${counted(count, "result")} cut`,
      },
    });
  }
}

/** Converts a compaction to a trim if the entries after its boundary show a trim or an undo. */
function markOf({ mark, watch }: DraftMark): ReportMark {
  if (watch?.kind === undefined) return mark;
  const { kind, notes } = watch;
  const { words = kind === "trim" ? "trimmed in place" : "trim or compaction undone" } =
    notes.findLast((note) => note.kind === kind && note.words !== undefined) ?? {};
  const [summary = ""] = words.split("; ");
  return { ...mark, kind: "trim", text: summary.slice(0, 1).toUpperCase() + summary.slice(1) };
}

export function totalCost(cost: RequestCost): number {
  return cost.input + cost.cache_read + cost.cache_write + cost.cache_miss + cost.output;
}

function requestOf(draft: Draft, number: number, expected: number): ReportRequest {
  const { usage, tokens, turn, line, time, model } = draft;
  const input = countOf(usage.input_tokens);
  const read = countOf(usage.cache_read_input_tokens);
  const write = countOf(usage.cache_creation_input_tokens);
  const split = isObject(usage.cache_creation) ? usage.cache_creation : {};
  const writeHour = Math.min(write, countOf(split.ephemeral_1h_input_tokens));
  const output = countOf(usage.output_tokens);
  const missing = Math.min(expected, tokens) - read;
  const missed = missing > MISS_TOLERANCE_TOKENS ? Math.min(missing, input + write) : 0;
  const ratios = priceRatios(model ?? undefined);
  const writeCost = writeHour * ratios.cacheWrite1h + (write - writeHour) * ratios.cacheWrite5m;
  // If the client uses the cache at all, it writes a missed prefix to the cache again.
  const missedWrite = Math.min(missed, write);
  const missedCost = write === 0 ? 0 : writeCost * (missedWrite / write);
  const missedInput = missed - missedWrite;
  return {
    number,
    turn,
    line,
    time,
    model,
    tokens,
    input_tokens: input,
    cache_read_tokens: read,
    cache_write_tokens: write,
    missed_tokens: missed,
    output_tokens: output,
    cost: {
      input: (input - missedInput) * ratios.input,
      cache_read: read * ratios.cacheRead,
      cache_write: writeCost - missedCost,
      cache_miss: missedCost + missedInput * ratios.input,
      output: output * ratios.output,
    },
  };
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

function timeOf(text: string | undefined): string | null {
  const timeMs = Date.parse(text ?? "");
  return Number.isNaN(timeMs) ? null : new Date(timeMs).toISOString();
}

export interface ReportTurn {
  /** From 1; 0 for the requests before the first prompt. */
  readonly number: number;
  /** Time of the first answer, ISO 8601; null if unknown. */
  readonly time: string | null;
  /** Start of the user's prompt; empty if unknown. */
  readonly prompt: string;
  readonly requests: number;
  readonly missed_tokens: number;
  readonly cost: RequestCost;
  /** Cost of subagents in the same file, in the unit of `cost`. */
  readonly agents: number;
  /** Cost including subagents, in the unit of `cost`. */
  readonly total: number;
}

export function turnsOf(
  requests: readonly ReportRequest[],
  prompts: ReadonlyMap<number, string>,
  agents: AgentCosts,
): ReportTurn[] {
  const byTurn = Map.groupBy(requests, ({ turn }) => turn);
  for (const turn of agents.keys()) if (!byTurn.has(turn)) byTurn.set(turn, []);
  return [...byTurn].sort(([a], [b]) => a - b).map(([number, own]): ReportTurn => {
    const cost = sumCosts(own.map((request) => request.cost));
    const agentCost = agents.get(number) ?? 0;
    return {
      number,
      time: own[0]?.time ?? null,
      prompt: prompts.get(number) ?? "",
      requests: own.length,
      missed_tokens: own.reduce((sum, request) => sum + request.missed_tokens, 0),
      cost,
      agents: agentCost,
      total: totalCost(cost) + agentCost,
    };
  });
}

export function sumCosts(costs: readonly RequestCost[]): RequestCost {
  const sumOf = (part: keyof RequestCost): number =>
    costs.reduce((sum, cost) => sum + cost[part], 0);
  return {
    input: sumOf("input"),
    cache_read: sumOf("cache_read"),
    cache_write: sumOf("cache_write"),
    cache_miss: sumOf("cache_miss"),
    output: sumOf("output"),
  };
}

/** Names of the parts of a turn's cost, in the order of {@linkcode costParts}. */
export const COST_PARTS: readonly string[] = [
  "Cache reads",
  "Cache writes",
  "Cache misses",
  "Fresh input",
  "Output",
  "Subagents",
];

export function costParts(turn: Pick<ReportTurn, "cost" | "agents">): number[] {
  const { cost, agents } = turn;
  const parts = [cost.cache_read, cost.cache_write, cost.cache_miss, cost.input, cost.output];
  return [...parts, agents].map(Math.round);
}

export function turnName({ number }: Pick<ReportTurn, "number">): string {
  return number === 0 ? "start" : String(number);
}
