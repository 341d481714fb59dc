import type { Client } from "../src/inside/client.ts";
import { detailedFill } from "../src/inside/fill.ts";
import { readRecord } from "../src/inside/record.ts";
import { currentRows } from "../src/inside/rows.ts";
import { type InsideTrim, limitOf } from "../src/inside/trim.ts";
import { isWorthwhile } from "../src/gauge/advice.ts";
import { contextPercent } from "../src/gauge/judge.ts";
import { copyReason } from "../src/inside/words.ts";
import { settingsOf } from "../src/inside/settings.ts";
import { isInTerminal, planOf, sessionOf } from "./_inside_plan.ts";

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
