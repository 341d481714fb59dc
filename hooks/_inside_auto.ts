/** Trims without a command: instead of a compaction, when the session is idle, and when the model asks. */

import type { InsideConfig } from "../src/config/schema.ts";
import { boundText } from "../src/inject/bound.ts";
import { cleanLine } from "../src/inject/clean.ts";
import type {
  Client,
  CompactAnswer,
  CompactEvent,
  ToolAnswer,
  ToolEvent,
} from "../src/inside/client.ts";
import { detailedFill } from "../src/inside/fill.ts";
import { readRecord } from "../src/inside/record.ts";
import { currentRows } from "../src/inside/rows.ts";
import { type InsideTrim, limitOf } from "../src/inside/trim.ts";
import { isWorthwhile } from "../src/gauge/advice.ts";
import { contextPercent } from "../src/gauge/judge.ts";
import { copyReason, describeInside, lossReason } from "../src/inside/words.ts";
import { settingsOf } from "../src/inside/settings.ts";
import { trimsInEffect } from "../src/store/inside_record.ts";
import { argumentsOf, isInTerminal, planOf, sessionOf } from "./_inside_plan.ts";
import { replaceConversation } from "./_inside_replace.ts";
import { saveCheckpoint } from "./_inside_scripts.ts";

/**
 * Minimum growth since the last trim, as a percentage of `room`. After less growth, the client compacts,
 * because another trim would not last, and the client gives up on a session that compacts too often.
 */
const MIN_GROWTH_OF_ROOM_PERCENT = 30;

/** Tried in this order; a number replaces `GOAL`. With a target, even unread results are cut. */
const ATTEMPTS = [
  "--depth light",
  "--depth deep",
  "--depth deep --keep-recent 2",
  "--depth deep --keep-recent 2 --target-percent GOAL",
];

export function isTrimFirst(
  { before_compaction: action }: InsideConfig,
  isInTerminal: boolean,
): boolean {
  return action === "trim" || (action === "auto" && isInTerminal);
}

export async function trimInsteadOfCompacting(
  client: Client,
  { messages, trigger }: CompactEvent,
): Promise<CompactAnswer | undefined> {
  const { context, inside } = await settingsOf(client);
  if (!isTrimFirst(inside, await isInTerminal(client))) return undefined;
  const session = await sessionOf(client, messages, { isMidTurn: true });
  const trim = findTrim({
    maxPercent: inside.compact_after_trim_percent,
    // After a compaction, growth starts at the summary, so the size after the last trim does not apply.
    lastSize: session.lines.boundaries.at(-1)?.kind === "compaction"
      ? undefined
      : trimsInEffect((await readRecord(client)).trims).at(-1)?.tokens_after ?? undefined,
    plan: (typed) => planOf(session, argumentsOf(typed).options, context),
  });
  if (trim === undefined) return undefined;
  // A compaction prepared in advance costs a request, and a later trim would make the compaction useless.
  if (trigger === "precompute") return { skip: "trimtab trims in place instead" };
  const message = describeInside(trim, "instead of compacting");
  const [answer] = await Promise.all([
    replaceConversation(client, session, { ...trim, kind: "trim", message, isMidTurn: true }),
    saveCheckpoint(client),
  ]);
  return answer;
}

/** Returns the lightest trim that frees enough, or `undefined` to let the client compact. */
export function findTrim({ maxPercent, lastSize, plan }: {
  readonly maxPercent: number;
  readonly lastSize: number | undefined;
  plan(typed: string): InsideTrim;
}): InsideTrim | undefined {
  let goal = maxPercent;
  for (const typed of ATTEMPTS) {
    const trim = plan(typed.replace("GOAL", `${goal}`));
    // A trim would lose blocks that the client's summary covers, so the client compacts.
    if (lossReason(trim.losses) !== undefined) return undefined;
    const { before, after } = trim.tokens;
    // If the client compacts below the reported limit, the context counts as full at its current size.
    const room = Math.min(before, trim.limit);
    const hasGrown = lastSize === undefined ||
      (before - lastSize) * 100 >= MIN_GROWTH_OF_ROOM_PERCENT * room;
    if (!hasGrown) return undefined;
    goal = Math.floor((maxPercent * room) / trim.limit);
    if (after * 100 <= maxPercent * room && isWorthwhile(trim.tokens)) return trim;
  }
  return undefined;
}

/** Minimum growth before another trim, as a percentage of the limit. */
const MIN_GROWTH_PERCENT = 10;

/** `from` is the size after the last trim or undo, or at the last plan; lowered as the context shrinks. */
let baseline: { id: string; trimMs: number | undefined; from: number | undefined } | undefined;

/**
 * Whether an idle session has grown enough since the last trim, and has reached the threshold.
 *
 * @param threshold A percentage of the limit; 0 if the prompt cache has expired.
 */
export function isTrimDue(
  { tokens, limit, from = -Infinity }: { tokens: number; limit: number; from?: number | undefined },
  threshold: number,
): boolean {
  return (tokens - from) * 100 >= MIN_GROWTH_PERCENT * limit &&
    contextPercent(tokens, limit) >= threshold;
}

/**
 * Returns the reason to trim now, phrased to follow "cut". Returns `undefined` if a trim is not needed, would
 * free too little, or would lose something that only a copy keeps. If the model asked for the trim, only such
 * a loss prevents it.
 *
 * @param asked The reason if the model asked for the trim.
 */
export async function reasonToTrimNow(
  client: Client,
  isCold: boolean,
  asked?: string,
): Promise<string | undefined> {
  const { inside, context } = await settingsOf(client);
  const planNow = async (): Promise<InsideTrim> =>
    planOf(await sessionOf(client, await currentRows(client)), {}, context);
  if (asked !== undefined) return copyReason(await planNow()) === undefined ? asked : undefined;
  const threshold = isCold ? inside.trim_when_cold ? 0 : null : inside.trim_at_percent;
  // Without a terminal, a program may read the output. After a trim, it would get every message again.
  if (threshold === null || !await isInTerminal(client)) return undefined;
  const [id, fill, { trims }] = await Promise.all([
    client.session.id(),
    detailedFill(client),
    readRecord(client),
  ]);
  const last = trims.at(-1);
  if (baseline?.id !== id || baseline.trimMs !== last?.at_ms) {
    baseline = { id, trimMs: last?.at_ms, from: last?.tokens_after ?? undefined };
  }
  const current = baseline;
  const isDue = (tokens: number): boolean => {
    // After a compaction, growth is measured from the new size.
    if (current.from !== undefined) current.from = Math.min(current.from, tokens);
    return isTrimDue({ tokens, limit: limitOf(fill), from: current.from }, threshold);
  };
  // Before the first answer of a resumed session, only the transcript shows the session's size.
  if (!isCold && !isDue(fill.tokens ?? 0)) return undefined;
  const plan = await planNow();
  if (!isDue(plan.tokens.before)) return undefined;
  current.from = plan.tokens.before;
  if (!isWorthwhile(plan.tokens) || copyReason(plan) !== undefined) return undefined;
  return isCold
    ? "since the prompt cache has expired (trim_when_cold)"
    : `because the window passed ${threshold}% (trim_at_percent)`;
}

export const TRIM_TOOL = "mcp__trimtab__trim";

export const TRIM_TOOL_HINT =
  `Your tool ${TRIM_TOOL} (it may need ToolSearch first) trims when your turn ends.`;

const SPEC = {
  name: "trim",
  description: "Shortens older tool outputs of this conversation when your turn ends.",
  inputSchema: { type: "object", properties: { why: { type: "string" } } },
  // The client sends only the name of a deferred tool, and leaves the cached prefix unchanged.
  isDeferred: true,
};

const ANSWER =
  "Requested: the conversation is trimmed when your turn ends, if that frees enough. " +
  "Every message is kept.";

const MAX_WHY_CHARS = 120;

/** `why` is the model's reason for the trim that it requested; `undefined` without a request. */
let offered: { sessionId: string; why: string | undefined } | undefined;

export async function offerTrim(client: Client, sessionId: string): Promise<void> {
  if (offered?.sessionId === sessionId) return;
  await client.tool.register(SPEC);
  offered = { sessionId, why: undefined };
}

/** Stores the request, because the conversation cannot be replaced before the turn ends. */
export async function answerTrimTool(client: Client, event: ToolEvent): Promise<ToolAnswer> {
  if (event.agentId !== undefined) return { deny: "a subagent cannot trim the conversation" };
  const why = typeof event.why === "string" ? cleanLine(boundText(event.why, MAX_WHY_CHARS)) : "";
  offered = { sessionId: await client.session.id(), why };
  return { result: ANSWER };
}

/** Returns and clears the model's request, phrased to follow "cut". */
export function takeTrimRequest(sessionId: string): string | undefined {
  if (offered?.sessionId !== sessionId || offered.why === undefined) return undefined;
  const { why } = offered;
  offered = { sessionId, why: undefined };
  return why === "" ? "because the model asked" : `because the model asked: "${why}"`;
}

export function dropTrimRequest(): void {
  if (offered !== undefined) offered = { ...offered, why: undefined };
}

export function forgetOffer(): void {
  offered = undefined;
}
