// Checks the module's warnings about the window, and the figures and records behind them. The warnings
// replace those of the hooks. tests/e2e/inside_test.ts shows that they reach the model without a process.

import { assert, assertEquals, assertFalse } from "@std/assert";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import type { Client } from "../../src/inside/client.ts";
import { lacksProjectFiles, resetIdle, setIdle } from "../../hooks/_inside_scripts.ts";
import { readRecord, recordTrim } from "../../src/inside/record.ts";
import {
  contextFill,
  fillForTrim,
  type FillMessage,
  forgetLevel,
  readFill,
  recordFill,
  setFillAfterTrim,
  watchFill,
} from "../../src/inside/fill.ts";
import { type FreedAmounts, TRIM_AT_OFFER } from "../../src/gauge/advice.ts";
import { limitOf } from "../../src/inside/trim.ts";
import { parseInsideRecord } from "../../src/store/inside_record.ts";
import { fakeFiles, resolving } from "./fake_files.ts";

const { context: CONFIG } = DEFAULT_CONFIG;

const TRIM = { kind: "trim", at_ms: 1, tokens_before: 145_000, tokens_after: 60_000 } as const;

interface FakeSession {
  client: Client;
  files: Map<string, string>;
  env: Map<string, string | undefined>;
  now: number;
  tokens: number | undefined;
  denied: { deny?: string };
}

/** Makes a client with files, a clock and a window of 200,000 tokens, which it compacts at 167,000. */
function fakeSession(id: string): FakeSession {
  const files = new Map<string, string>();
  const env = new Map<string, string | undefined>();
  const client = {
    session: {
      ...resolving({ id, root: "/p", model: "claude-sonnet-4-6" }),
      ...resolving({ info: { transcriptPath: "/c/projects/-p/s.jsonl" } }),
      usage: (args?: unknown) => {
        const categories = [
          { name: "Autocompact buffer", tokens: 33_000, kind: "buffer" },
          { name: "Messages", tokens: 90_000, kind: "used" },
          { name: "Free space", tokens: 5, kind: "free" },
        ];
        const breakdown = { rawMaxTokens: 200_000, autoCompactThreshold: 167_000, categories };
        const context = { tokens: fake.tokens, window: 200_000 };
        return Promise.resolve({
          context: args === undefined ? context : { ...context, breakdown },
        });
      },
    },
    fs: fakeFiles(files),
    env: {
      get: (name: string) => Promise.resolve(env.get(name)),
      set: (name: string, value: string | undefined) => {
        env.set(name, value);
        return Promise.resolve(fake.denied);
      },
    },
    clock: { now: () => Promise.resolve(fake.now) },
  } as unknown as Client;
  const now = Date.UTC(2026, 10, 23);
  const fake: FakeSession = { client, files, env, now, tokens: undefined, denied: {} };
  return fake;
}

function watchAt(
  fake: FakeSession,
  tokens: number | undefined,
  freed?: FreedAmounts,
): Promise<FillMessage | undefined> {
  fake.tokens = tokens;
  return watchFill(fake.client, CONFIG, {
    measureFreed: () => Promise.resolve(freed),
    isTrimFirst: () => Promise.resolve(false),
    isOfferable: () => Promise.resolve(true),
  });
}

/** Records a trim, so that each level is reported again. */
async function trim({ client }: FakeSession): Promise<void> {
  await recordTrim(client, TRIM);
  forgetLevel();
}

Deno.test("watchFill() warns when the level rises, and records the level for the next client", async () => {
  const fake = fakeSession("rises");
  for (const tokens of [undefined, 20_000, 90_000]) {
    assertEquals(await watchAt(fake, tokens), undefined);
  }
  const warning = await watchAt(fake, 110_000);
  const text = "Context at 66%. Consider /trim if response quality feels degraded. " +
    "In use: 110,000 of 167,000 tokens.";
  assertEquals([warning?.text, warning?.isRise], [text, true]);
  assertEquals(await watchAt(fake, 110_000), undefined);
  assertEquals((await watchAt(fake, 145_000))?.isRise, true);
  const record = fake.files.get("/p/.claude/trimtab/state/rises.inside.json") ?? "";
  assertEquals(parseInsideRecord(record).watch?.level, "urgent");
  // The module caches its state by session id. A new id simulates a new client, which has only the record.
  const other = fakeSession("other");
  for (const [path, text] of fake.files) other.files.set(path.replace("rises.", "other."), text);
  assertEquals(await watchAt(other, 145_000), undefined);
});

Deno.test("watchFill() warns at exactly the percentage of a level", async () => {
  const fake = fakeSession("exact");
  assertEquals(await watchAt(fake, 90_000), undefined);
  assertEquals((await watchAt(fake, 100_200))?.text.slice(0, 14), "Context at 60%");
});

Deno.test("watchFill() warns only once for each level, even in a project that cannot be written to", async () => {
  const fake = fakeSession("read-only");
  const write = () => Promise.reject(new Error("read-only file system"));
  Object.assign(fake.client, { fs: { ...fake.client.fs, write }, ui: { log: () => {} } });
  assertEquals((await watchAt(fake, 110_000))?.isRise, true);
  assertEquals(await watchAt(fake, 110_000), undefined);
  assertEquals((await watchAt(fake, 145_000))?.offer, "", "the offer is remembered, too");
});

Deno.test("watchFill() suggests a trim from `recommend` on, if a trim is the best remedy", async () => {
  const isDue = async (tokens: number, light: number): Promise<boolean | undefined> => {
    const freed = { at_tokens: tokens, light, deep: light, rollover: tokens };
    return (await watchAt(fakeSession(`due ${tokens} ${light}`), tokens, freed))?.suggestsTrim;
  };
  assertEquals(await isDue(110_000, 50_000), false);
  assertEquals(await isDue(130_000, 50_000), true);
  assertEquals(await isDue(130_000, 100), false);
});

Deno.test("watchFill() suggests trim_at_percent once in a session, and only if a trim would help", async () => {
  const fake = fakeSession("offered");
  const offers: (string | undefined)[] = [];
  for (const tokens of [110_000, 130_000, 145_000]) {
    offers.push((await watchAt(fake, tokens))?.offer);
  }
  assertEquals(offers, [TRIM_AT_OFFER, "", ""]);
  await trim(fake);
  assertEquals((await watchAt(fake, 110_000))?.offer, "", "there is no second offer after a trim");
  // In the first case, a trim would free nothing, so a rollover is better. In the second, a trim would pay
  // off too late.
  for (const light of [0, 60_000]) {
    const paid_back_after = { light: 500, deep: 500 };
    const freed = { at_tokens: 130_000, light, deep: light, rollover: 90_000, paid_back_after };
    const news = await watchAt(fakeSession(`not-offered ${light}`), 130_000, freed);
    assertEquals([news?.isRise, news?.offer], [true, ""]);
  }
});

Deno.test("setIdle() passes the names of idle hooks to the client only if they have changed, and returns false after a refusal", async () => {
  const { client, env, denied } = fakeSession("events");
  await resetIdle(client);
  assert(await setIdle(client, "events", ["stop"]));
  assertEquals(env.get("TRIMTAB_INSIDE"), "events stop");
  env.clear();
  assert(await setIdle(client, "events", ["stop"]));
  assertEquals(env.size, 0, "the client must not be asked again");
  denied.deny = "launch-only";
  assertFalse(await setIdle(client, "events", []));
  delete denied.deny;
  assert(await setIdle(client, "events", []));
  assertEquals(env.get("TRIMTAB_INSIDE"), "events");
});

Deno.test("lacksProjectFiles() is false if the project has a file or folder that may have to be read at a start", async () => {
  const { client, files } = fakeSession("unused");
  assert(await lacksProjectFiles(client, "/p"));
  for (
    const path of [".claude/trimtab", ".claude/checkpoints", ".claude/trimtab.toml", ".work.toml"]
  ) {
    files.set(`/p/${path}`, "");
    assertFalse(await lacksProjectFiles(client, "/p"), path);
    files.clear();
  }
});

Deno.test("fillForTrim() reads the categories again only if the client's figures changed since they were read", async () => {
  const fake = fakeSession("categories");
  let requests = 0;
  const { usage } = fake.client.session;
  const counting: typeof usage = (args) => {
    if (args !== undefined) requests++;
    return usage(args);
  };
  const client = { ...fake.client, session: { ...fake.client.session, usage: counting } };
  const counts: number[] = [];
  for (const tokens of [undefined, 40_000, 40_000, 41_000]) {
    fake.tokens = tokens;
    await fillForTrim(client, "categories");
    if (tokens === 40_000) await readFill(client);
    counts.push(requests);
  }
  assertEquals(counts, [1, 3, 4, 5]);
});

Deno.test("contextFill() returns a trim's own figure until the client reports the next answer", async () => {
  const fake = fakeSession("claims");
  const tokensWith = async (reported: number | undefined): Promise<number | undefined> => {
    fake.tokens = reported;
    return (await contextFill(fake.client)).tokens;
  };
  setFillAfterTrim("claims", { reported: 45_000, after: 30_000 });
  setFillAfterTrim("claims", { reported: 30_000, after: 26_000 });
  assertEquals(await tokensWith(45_000), 26_000);
  assertEquals(await tokensWith(undefined), 26_000);
  assertEquals(await tokensWith(26_400), 26_400);
  assertEquals(await tokensWith(45_000), 45_000);
  // The size after a compaction by the client is unknown until the next answer.
  setFillAfterTrim("claims", { reported: 45_000, after: undefined });
  assertEquals(await tokensWith(45_000), undefined);
  assertEquals(await tokensWith(9_000), 9_000);
});

Deno.test("readRecord() waits for pending changes", async () => {
  const { client } = fakeSession("waits");
  const changes = [1, 2, 3].map((at_ms) => recordTrim(client, { ...TRIM, at_ms }));
  assertEquals((await readRecord(client)).trims.map(({ at_ms }) => at_ms), [1, 2, 3]);
  await Promise.all(changes);
});

Deno.test("recordFill() records the client's figures only if trimtab is used in the project, and parseInsideRecord() drops invalid figures", async () => {
  const { client, files } = fakeSession("fills");
  const limit_kind = "answer" as const;
  const counts = { tokens: null, window: 2, limit: 1, limit_kind };
  const fill = { at_ms: 1, model: "m", ...counts, categories: { Messages: 3 } };
  await recordFill(client, fill);
  assertEquals(files.size, 0);
  files.set("/p/.claude/trimtab/.gitignore", "*\n");
  await recordFill(client, fill);
  const text = files.get("/p/.claude/trimtab/state/fills.inside.json") ?? "";
  assertEquals(parseInsideRecord(text), { version: 1, fill, trims: [] });
  const wrong = JSON.stringify({ version: 1, fill: { ...fill, window: 0 }, trims: [] });
  assertEquals(parseInsideRecord(wrong), { version: 1, trims: [] });
});

Deno.test("readFill() takes the limit from the user's override of the compaction point", async () => {
  const fake = fakeSession("override");
  const limitWith = async (override: string | undefined): Promise<number> => {
    fake.env.set("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", override);
    return (await readFill(fake.client)).limit;
  };
  assertEquals(await limitWith("80"), 144_000);
  for (const ignored of [undefined, "", "0", "120", "x", "100"]) {
    assertEquals(await limitWith(ignored), 167_000, ignored);
  }
});

Deno.test("readFill() takes the limit from the window that the user configured, if it is smaller", async () => {
  const fake = fakeSession("own window");
  const limitWith = async (tokens: number): Promise<number> => {
    fake.files.set("/c/trimtab.toml", `[context]\nwindow_tokens = ${tokens}\n`);
    const { limit } = await readFill(fake.client);
    assertEquals(limitOf(await fillForTrim(fake.client, "own window")), limit);
    return limit;
  };
  fake.tokens = 50_000;
  assertEquals(await limitWith(90_000), 60_300);
  assertEquals(await limitWith(150_000), 117_000);
  assertEquals(await limitWith(1_000_000), 167_000);
});
