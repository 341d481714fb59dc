/** Groups requests by turn. */

import { type AgentCosts, type ReportRequest, type RequestCost, totalCost } from "./requests.ts";

/** In a longer session, each item joins several turns. */
export const MAX_TURNS = 300;

export interface ReportTurn {
  /** From 1; 0 for the requests before the first prompt. */
  readonly number: number;
  /** Number of the last joined turn; equal to `number` unless turns are joined. */
  readonly last: number;
  /** Time of the first answer, ISO 8601; null if unknown. */
  readonly time: string | null;
  /** Start of the user's prompt. */
  readonly prompt: string;
  readonly requests: number;
  /** Tokens that were in the cache before but had to be paid for again. */
  readonly missed_tokens: number;
  /** In fresh-input-token equivalents. */
  readonly cost: RequestCost;
  /** Cost of subagents in the same file, in the same unit. */
  readonly agents: number;
  /** Includes subagents, in the same unit. */
  readonly total: number;
}

export function turnsOf(
  requests: readonly ReportRequest[],
  prompts: ReadonlyMap<number, string>,
  agents: AgentCosts,
): ReportTurn[] {
  const byTurn = Map.groupBy(requests, ({ turn }) => turn);
  for (const turn of agents.keys()) if (!byTurn.has(turn)) byTurn.set(turn, []);
  const turns = [...byTurn].sort(([a], [b]) => a - b).map(([number, own]): ReportTurn => {
    const cost = sumCosts(own.map((request) => request.cost));
    const ofAgents = agents.get(number) ?? 0;
    return {
      number,
      last: number,
      time: own[0]?.time ?? null,
      prompt: prompts.get(number) ?? "",
      requests: own.length,
      missed_tokens: own.reduce((sum, request) => sum + request.missed_tokens, 0),
      cost,
      agents: ofAgents,
      total: totalCost(cost) + ofAgents,
    };
  });
  const size = Math.ceil(turns.length / MAX_TURNS);
  return size <= 1 ? turns : inGroups(turns, size);
}

export function sumCosts(costs: readonly RequestCost[]): RequestCost {
  const sum = { input: 0, cache_read: 0, cache_write: 0, cache_miss: 0, output: 0 };
  for (const cost of costs) {
    sum.input += cost.input;
    sum.cache_read += cost.cache_read;
    sum.cache_write += cost.cache_write;
    sum.cache_miss += cost.cache_miss;
    sum.output += cost.output;
  }
  return sum;
}

function inGroups(turns: readonly ReportTurn[], size: number): ReportTurn[] {
  const groups = Object.values(Object.groupBy(turns, (_, index) => Math.floor(index / size)));
  return groups.flatMap((group = []) => {
    const [first] = group;
    if (first === undefined) return [];
    return [{
      ...first,
      last: group.at(-1)?.number ?? first.number,
      requests: group.reduce((sum, turn) => sum + turn.requests, 0),
      missed_tokens: group.reduce((sum, turn) => sum + turn.missed_tokens, 0),
      cost: sumCosts(group.map((turn) => turn.cost)),
      agents: group.reduce((sum, turn) => sum + turn.agents, 0),
      total: group.reduce((sum, turn) => sum + turn.total, 0),
    }];
  });
}
