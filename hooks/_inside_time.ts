/** Decides when to trim the running session automatically. */

import type { Client } from "../src/inside/client.ts";
import { detailedFill } from "../src/inside/fill.ts";
import { trimReason } from "../src/inside/in_time.ts";
import { readRecord } from "../src/inside/record.ts";
import { currentRows } from "../src/inside/rows.ts";
import { type InsideTrim, limitOf } from "../src/inside/trim.ts";
import { isWorthwhile } from "../src/gauge/advice.ts";
import { copyReason } from "../src/inside/words.ts";
import { settingsOf } from "../src/inside/settings.ts";
import { isInTerminal, planOf, sessionOf } from "./_inside_plan.ts";

/**
 * Growth is measured from `from`: the size of the context after the last trim or undo, or at the last check
 * that planned a trim. `from` is lowered when the context gets smaller.
 */
let baseline: { id: string; trimMs: number | undefined; from: number | undefined } | undefined;

/**
 * Returns the reason to trim now, or `undefined` if a trim is not needed, would free too little, or would lose
 * something that only a copy keeps. If the model asked for the trim, only such a loss prevents it.
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
  if (isCold ? !inside.trim_when_cold : inside.trim_at_percent === null) return undefined;
  // Without a terminal, a program may read the client's output. After a trim, it would receive every message
  // again.
  if (!await isInTerminal(client)) return undefined;
  const [id, fill, { trims }] = await Promise.all([
    client.session.id(),
    detailedFill(client),
    readRecord(client),
  ]);
  const last = trims.at(-1);
  if (baseline?.id !== id || baseline.trimMs !== last?.at_ms) {
    baseline = { id, trimMs: last?.at_ms, from: last?.tokens_after ?? undefined };
  }
  const currentBaseline = baseline;
  const whyNow = (tokens: number): string | undefined => {
    // After a compaction, growth is measured from the new size.
    if (currentBaseline.from !== undefined) {
      currentBaseline.from = Math.min(currentBaseline.from, tokens);
    }
    return trimReason(
      { tokens, limit: limitOf(fill), baseSize: currentBaseline.from, isCold },
      inside,
    );
  };
  // Before the first answer of a resumed session, only the transcript shows the session's size.
  if (!isCold && whyNow(fill.tokens ?? 0) === undefined) return undefined;
  const plan = await planNow();
  const why = whyNow(plan.tokens.before);
  if (why === undefined) return undefined;
  currentBaseline.from = plan.tokens.before;
  return isWorthwhile(plan.tokens) && copyReason(plan) === undefined ? why : undefined;
}
