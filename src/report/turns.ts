/** Groups requests by turn. */

import { type AgentCosts, type ReportRequest, type RequestCost, totalCost } from "./requests.ts";

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
