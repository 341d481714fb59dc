/** Estimates what trims would free, and answers `/trim --status` and `/trim --entries`, without a request. */

import type { ContextConfig } from "../src/config/schema.ts";
import { type FreedAmounts, isFresh } from "../src/gauge/advice.ts";
import { contextPercent } from "../src/gauge/judge.ts";
import { warningLevel } from "../src/gauge/ladder.ts";
import type { Client } from "../src/inside/client.ts";
import { isBoundaryPending } from "../src/inside/after_boundary.ts";
import { attempt } from "../src/inside/attempt.ts";
import { freedByRollover, readFill, recordedFreed } from "../src/inside/fill.ts";
import { hasCuts } from "../src/inside/recall.ts";
import { readRecord } from "../src/inside/record.ts";
import { currentRows } from "../src/inside/rows.ts";
import type { InsideTrim, RunningSession } from "../src/inside/trim.ts";
import { drawEntries, drawStatus } from "../src/inside/view.ts";
import { type InsideFill, trimsInEffect } from "../src/store/inside_record.ts";
import { countSinceTrim } from "../src/transcript/since_trim.ts";
import { SHORT_TTL_SECONDS } from "../src/transcript/tokens/prices.ts";
import { usageOfEntry } from "../src/transcript/tokens/usage.ts";
import { cacheTtlSeconds, paybackOf } from "../src/trim/worth.ts";
import { planOf, sessionOf } from "./_inside_plan.ts";

export async function statusText(
  client: Client,
  session: RunningSession,
  { plan, config, isList }: {
    readonly plan: InsideTrim;
    readonly config: ContextConfig;
    readonly isList: boolean;
  },
): Promise<string> {
  const [reported, root] = await Promise.all([readFill(client), client.session.root()]);
  // The client's figure lacks the results of an interrupted turn, which no request has sent yet.
  const fill = reported.tokens === null ? reported : { ...reported, tokens: plan.tokens.before };
  const view = { session, plan, fill, root };
  if (isList) return drawEntries(view);
  const [freed, { trims }, nowMs] = await Promise.all([
    freedOf(client, config, fill, Infinity),
    readRecord(client),
    client.clock.now(),
  ]);
  // If the user rewound to a point before the trim, the conversation contains no cut.
  const trim = hasCuts(session.rows) ? trimsInEffect(trims).at(-1) : undefined;
  const cache = cacheOf(session);
  const { tokens, limit } = fill;
  const entries = session.lines.active.map(({ entry }) => entry);
  return drawStatus(view, {
    freed,
    level: tokens === null ? "ok" : warningLevel(contextPercent(tokens, limit), config),
    trim,
    since: trim && countSinceTrim(entries, trim.at_ms),
    cache: cache && { usedAtMs: Date.parse(cache.usedAt), keptMs: cache.ttl * 1000 },
    nowMs,
  });
}

let freed: FreedAmounts & { id: string } | undefined;

/** The estimate in progress, shared by the warning and the status area when the level rises. */
let estimating: Promise<FreedAmounts | undefined> | undefined;

/** A larger transcript is measured only if the user asks, because the estimate takes a long time. */
const MAX_MEASURED_BYTES = 16 * 1024 * 1024;

export function forgetFreed(): void {
  freed = undefined;
  estimating = undefined;
}

/** Estimates again if usage has changed much. After a failure, a warning is useful without figures. */
export function freedOf(
  client: Client,
  config: ContextConfig,
  fill: InsideFill,
  maxBytes = MAX_MEASURED_BYTES,
): Promise<FreedAmounts | undefined> {
  return attempt(client, async () => {
    const tokens = fill.tokens ?? 0;
    const id = await client.session.id();
    const known = freed?.id === id && isFresh(freed, tokens) ? freed : await recordedFreed(client);
    if (isFresh(known, tokens)) return known;
    const running = estimating ??= estimateFreed(client, config, { fill, maxBytes });
    try {
      return await running;
    } finally {
      if (estimating === running) estimating = undefined;
    }
  });
}

async function estimateFreed(
  client: Client,
  config: ContextConfig,
  { fill: { tokens, categories, model }, maxBytes }: {
    readonly fill: InsideFill;
    readonly maxBytes: number;
  },
): Promise<FreedAmounts | undefined> {
  // Until the boundary is written, the old messages would be measured at the new size.
  if (isBoundaryPending()) return undefined;
  const { transcriptPath } = await client.session.info();
  if ((await client.fs.stat(transcriptPath)).size > maxBytes) return undefined;
  const session = await sessionOf(client, await currentRows(client));
  const { tokens: { before, after } } = planOf(session, {}, config);
  const { tokens: deep } = planOf(session, { depth: "deep" }, config);
  const atTokens = tokens ?? before;
  const amounts = {
    light: Math.max(0, before - after),
    deep: Math.max(0, before - deep.after),
    rollover: freedByRollover(categories, atTokens),
  };
  const cache = cacheOf(session);
  freed = {
    id: session.id,
    at_tokens: atTokens,
    ...amounts,
    paid_back_after: paybackOf(amounts, { tokens: atTokens, model, ttl: cache?.ttl, isWarm: true }),
    cache_ttl_seconds: cache?.ttl ?? null,
    newest_at: cache?.usedAt ?? null,
  };
  return freed;
}

/** Includes answers before a boundary, since a trim or an undo sends no request. `ttl` is in seconds. */
export function cacheOf({ lines }: RunningSession): { usedAt: string; ttl: number } | undefined {
  const answers = [...lines.before, ...lines.active].filter(({ entry }) =>
    usageOfEntry(entry) !== undefined
  );
  const usedAt = answers.at(-1)?.entry.timestamp;
  if (usedAt === undefined || Number.isNaN(Date.parse(usedAt))) return undefined;
  // An answer that only read the cache does not report the lifetime.
  const ttl = answers.map(({ entry }) => cacheTtlSeconds(Object(entry.message?.usage)))
    .findLast((ttl) => ttl !== undefined);
  return { usedAt, ttl: ttl ?? SHORT_TTL_SECONDS };
}
