/** Gathers the data of a session's charts. */

import { type ContentGroup, KIND_NAMES, type LargeEntry } from "./contents.ts";
import type { SessionReport } from "./session_report.ts";
import type { ReportTurn } from "./requests.ts";
import { minuteOf } from "./words.ts";

interface SessionCharts {
  readonly window: {
    readonly size: number;
    /** Tokens that count as 100 percent. */
    readonly limit: number;
    readonly levels: readonly (readonly [name: string, from: number, to: number])[];
    readonly points: readonly (readonly [number: number, tokens: number, time: string])[];
    readonly marks: readonly (readonly [
      kind: string,
      after: number,
      tokens: number,
      text: string,
      time: string,
    ])[];
  };
  readonly contents: {
    readonly total: number;
    readonly groups: readonly ContentGroup[];
  };
  readonly largest:
    readonly (readonly [name: string, about: string, stays: number, freed: number])[];
  readonly cost_parts: readonly string[];
  /** Cost by turn, in the order of `cost_parts`. */
  readonly turns: readonly (readonly [name: string, about: string, parts: readonly number[]])[];
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

export function sessionCharts(report: SessionReport): SessionCharts {
  const { contents, turns } = report;
  return {
    window: windowChart(report),
    contents: {
      total: contents.groups.reduce((sum, { tokens }) => sum + tokens, 0),
      groups: contents.groups,
    },
    largest: contents.largest.map((entry) =>
      [nameOf(entry), entry.about, Math.max(0, entry.tokens - entry.freed), entry.freed] as const
    ),
    cost_parts: COST_PARTS,
    turns: turns.map((turn) => [turnName(turn), turn.prompt, costParts(turn)] as const),
  };
}

/** Uses the name of the kind for an entry without a tool and a subject, such as hidden thinking. */
function nameOf({ tool, about, kind }: LargeEntry): string {
  return tool === "" && about === "" ? KIND_NAMES[kind] : tool;
}

function windowChart(report: SessionReport): SessionCharts["window"] {
  const { requests, marks, levels, pressure: { window, limit } } = report;
  const tokensAt = (percent: number): number => Math.round((percent * limit) / 100);
  return {
    size: window,
    limit,
    levels: [
      ["ok", 0, tokensAt(levels.warn)],
      ["warn", tokensAt(levels.warn), tokensAt(levels.recommend)],
      ["recommend", tokensAt(levels.recommend), tokensAt(levels.urgent)],
      ["urgent", tokensAt(levels.urgent), window],
    ],
    points: requests.map(({ number, tokens, time }) => [number, tokens, minuteOf(time)] as const),
    marks: marks.map(({ kind, after, text, time }) =>
      [kind, after, requests[Math.max(0, after - 1)]?.tokens ?? 0, text, minuteOf(time)] as const
    ),
  };
}
