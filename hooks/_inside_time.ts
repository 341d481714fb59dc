/** Decides whether the running session is trimmed now without being asked. */

import type { Client } from "../src/inside/client.ts";
import { fullFill } from "../src/inside/fill.ts";
import { whyTrimNow } from "../src/inside/in_time.ts";
import { readRecord } from "../src/inside/record.ts";
import { isWorthwhile, limitOf } from "../src/inside/trim.ts";
import { whyCopy } from "../src/inside/words.ts";
import { argumentsOf, currentRows, planOf, sessionOf, settingsOf } from "./_inside_plan.ts";

/** The size from which growth counts: after the last trim, or at the last check that made none. */
let mark: { id: string; trimMs: number | undefined; from: number | undefined } | undefined;

/** Says why the session is trimmed now; `undefined` if it is not, or if that would free too little. */
export async function whyInTime(client: Client, isCold: boolean): Promise<string | undefined> {
  const { inside, context } = await settingsOf(client);
  if (isCold ? !inside.trim_when_cold : inside.trim_at_percent === null) return undefined;
  // A program that reads the client's output would get every message once more.
  if ((await client.session.surfaces()).length === 0) return undefined;
  const [id, fill, { trims }] = await Promise.all([
    client.session.id(),
    fullFill(client),
    readRecord(client),
  ]);
  const last = trims.at(-1);
  if (mark?.id !== id || mark.trimMs !== last?.at_ms) {
    mark = { id, trimMs: last?.at_ms, from: last?.tokens_after ?? undefined };
  }
  const growing = mark;
  const whyNow = (tokens: number): string | undefined => {
    // After a compaction the window fills up from its new size.
    if (growing.from !== undefined) growing.from = Math.min(growing.from, tokens);
    return whyTrimNow({ tokens, limit: limitOf(fill), lastAfter: growing.from, isCold }, inside);
  };
  // Before the first answer of a resumed session only its transcript tells the size.
  if (!isCold && whyNow(fill.tokens ?? 0) === undefined) return undefined;
  const session = await sessionOf(client, await currentRows(client));
  const plan = planOf(session, argumentsOf(""), context);
  const why = whyNow(plan.tokens.before);
  if (why === undefined) return undefined;
  growing.from = plan.tokens.before;
  return isWorthwhile(plan) && whyCopy(plan) === undefined ? why : undefined;
}
