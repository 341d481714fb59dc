/** Answers `/trim --status` and `/trim --entries`, without a request to the API. */

import type { ContextConfig } from "../src/config/schema.ts";
import { contextPercent } from "../src/gauge/judge.ts";
import { warningLevel } from "../src/gauge/ladder.ts";
import type { Client } from "../src/inside/client.ts";
import { readFill } from "../src/inside/fill.ts";
import { hasCuts } from "../src/inside/recall.ts";
import { readRecord } from "../src/inside/record.ts";
import type { InsideTrim, RunningSession } from "../src/inside/trim.ts";
import { drawEntries, drawStatus } from "../src/inside/view.ts";
import { trimsInEffect } from "../src/store/inside_record.ts";
import { countSinceTrim } from "../src/transcript/since_trim.ts";
import { cacheOf, freedOf } from "./_inside_watch.ts";

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
