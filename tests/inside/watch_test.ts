// The module's warnings about the window, which replace those of hooks. tests/e2e/inside_test.ts shows
// that they reach the model and that no process runs.

import { assert, assertEquals, assertFalse, assertRejects } from "@std/assert";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import type { Client } from "../../src/inside/client.ts";
import { contextFill, fillForTrim, readFill, setFillAfterTrim } from "../../src/inside/fill.ts";
import { isUnused, resetIdle, setIdle } from "../../src/inside/idle.ts";
import { recordTrim } from "../../src/inside/record.ts";
import { type FillMessage, forgetLevel, recordFill, watchFill } from "../../src/inside/watch.ts";
import { TRIM_AT_OFFER } from "../../src/gauge/advice.ts";
import { parseInsideRecord } from "../../src/store/inside_record.ts";
import { fakeFiles } from "./fake_files.ts";

const { context: CONFIG } = DEFAULT_CONFIG;

const TRIM = { kind: "trim", at_ms: 1, tokens_before: 145_000, tokens_after: 60_000 } as const;

interface Bench {
  client: Client;
  files: Map<string, string>;
  env: Map<string, string | undefined>;
  now: number;
  tokens: number | undefined;
  links: Map<string, string>;
  denied: { deny?: string };
}

/** Makes a client with files, a clock and a window of 200,000 tokens that compacts at 167,000. */
function bench(id: string): Bench {
  const files = new Map<string, string>();
  const env = new Map<string, string | undefined>();
  const links = new Map<string, string>();
  const fs = fakeFiles(files, links);
  const client = {
    session: {
      id: () => Promise.resolve(id),
      root: () => Promise.resolve("/p"),
      model: () => Promise.resolve("claude-sonnet-4-6"),
      usage: (args?: unknown) => {
        const categories = [
          { name: "Autocompact buffer", tokens: 33_000, kind: "buffer" },
          { name: "Messages", tokens: 90_000, kind: "used" },
          { name: "Free space", tokens: 5, kind: "free" },
        ];
        const breakdown = { rawMaxTokens: 200_000, autoCompactThreshold: 167_000, categories };
        const context = { tokens: made.tokens, window: 200_000 };
        return Promise.resolve({
          context: args === undefined ? context : { ...context, breakdown },
        });
      },
    },
    fs: {
      ...fs,
      stat: (path: string) =>
        path === "/p" ? Promise.resolve({ isLink: false, realPath: path }) : fs.stat(path),
    },
    env: {
      get: (name: string) => Promise.resolve(env.get(name)),
      set: (name: string, value: string | undefined) => {
        env.set(name, value);
        return Promise.resolve(made.denied);
      },
    },
    clock: { now: () => Promise.resolve(made.now) },
  } as unknown as Client;
  const made: Bench = {
    client,
    files,
    env,
    now: Date.UTC(2026, 10, 23),
    tokens: undefined,
    links,
    denied: {},
  };
  return made;
}

async function messageOf(place: Bench): Promise<[text: string, isRise: boolean] | undefined> {
  const message = await watch(place);
  return message && [message.text, message.isRise];
}

function watch({ client }: Bench): Promise<FillMessage | undefined> {
  return watchFill(client, CONFIG, {
    measureFreed: () => Promise.resolve(undefined),
    isTrimFirst: () => Promise.resolve(false),
    isOfferable: () => Promise.resolve(true),
  });
}

Deno.test("watchFill() warns when a level rises, and remembers it for the next client", async () => {
  const place = bench("rises");
  assertEquals(await messageOf(place), undefined);
  for (const tokens of [20_000, 90_000]) {
    assertEquals(await messageOf({ ...place, tokens }), undefined);
  }
  place.tokens = 110_000;
  const warn = "Context at 66%. Consider /trim if response quality feels degraded. " +
    "(110,000 of 167,000 tokens)";
  assertEquals(await messageOf(place), [warn, true]);
  assertEquals(await messageOf(place), undefined);
  place.tokens = 145_000;
  assertEquals((await messageOf(place))?.[1], true);
  const record = parseInsideRecord(
    place.files.get("/p/.claude/trimtab/state/rises.inside.json") ?? "",
  );
  assertEquals(record.watch?.level, "urgent");
  // Another client continues the same session.
  const other = bench("other");
  for (const [path, text] of place.files) {
    other.files.set(path.replace("rises.", "other."), text);
  }
  other.tokens = 145_000;
  assertEquals(await messageOf(other), undefined);
});

Deno.test("watchFill() warns again when a level is reached again after a trim", async () => {
  const place = bench("trimmed");
  place.tokens = 145_000;
  assertEquals((await messageOf(place))?.[1], true);
  await recordTrim(place.client, TRIM);
  forgetLevel();
  place.tokens = 60_000;
  assertEquals(await messageOf(place), undefined);
  place.tokens = 110_000;
  assertEquals((await messageOf(place))?.[1], true);
});

Deno.test("watchFill() says that a trim is due from the second level on, if a trim is the best fix", async () => {
  const isDue = async (id: string, tokens: number, light: number): Promise<boolean | undefined> => {
    const place = bench(id);
    place.tokens = tokens;
    const freed = { at_tokens: tokens, light, deep: light, rollover: tokens };
    const message = await watchFill(place.client, CONFIG, {
      measureFreed: () => Promise.resolve(freed),
      isTrimFirst: () => Promise.resolve(false),
      isOfferable: () => Promise.resolve(false),
    });
    return message?.isTrimDue;
  };
  assertEquals(await isDue("due-warn", 110_000, 50_000), false);
  assertEquals(await isDue("due-recommend", 130_000, 50_000), true);
  assertEquals(await isDue("due-rollover", 130_000, 100), false);
});

Deno.test("watchFill() suggests trim_at_percent once in a session, when the level rises", async () => {
  const place = bench("offered");
  const offers: (string | undefined)[] = [];
  for (const tokens of [110_000, 130_000, 145_000]) {
    place.tokens = tokens;
    offers.push((await watch(place))?.offer);
  }
  assertEquals(offers, [TRIM_AT_OFFER, "", ""]);
  await recordTrim(place.client, TRIM);
  forgetLevel();
  place.tokens = 110_000;
  assertEquals((await watch(place))?.offer, "", "there is no second offer after a trim");
});

Deno.test("watchFill() does not suggest trim_at_percent if a trim would free little", async () => {
  const place = bench("not-offered");
  place.tokens = 130_000;
  const freed = { light: 0, deep: 0, rollover: 90_000 };
  const news = await watchFill(place.client, CONFIG, {
    measureFreed: () => Promise.resolve({ at_tokens: 130_000, ...freed }),
    isTrimFirst: () => Promise.resolve(false),
    isOfferable: () => Promise.resolve(true),
  });
  assertEquals([news?.isRise, news?.offer], [true, ""]);
});

Deno.test("setIdle() names idle hooks, asks the client only if they changed, and reports a refusal", async () => {
  const { client, env, denied } = bench("events");
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

Deno.test("isUnused() finds everything that a start could restore or report", async () => {
  const { client, files } = bench("unused");
  assert(await isUnused(client, "/p"));
  for (
    const path of [".claude/trimtab", ".claude/checkpoints", ".claude/trimtab.toml", ".work.toml"]
  ) {
    files.set(`/p/${path}`, "");
    assertFalse(await isUnused(client, "/p"), path);
    files.clear();
  }
});

Deno.test("a trim reads the categories again only if the client's figures changed since they were read", async () => {
  const place = bench("categories");
  const requests: unknown[] = [];
  const { usage } = place.client.session;
  const client = {
    ...place.client,
    session: {
      ...place.client.session,
      usage: (args?: { breakdown: "summary" }) => {
        requests.push(args?.breakdown);
        return usage(args);
      },
    },
  } as Client;
  const isAsked = async (): Promise<boolean> => {
    requests.length = 0;
    const { breakdown } = await fillForTrim(client, "categories");
    assertEquals(breakdown?.autoCompactThreshold, 167_000);
    return requests.includes("summary");
  };
  place.tokens = undefined;
  assertEquals(await isAsked(), true, "before the first answer");
  place.tokens = 40_000;
  await readFill(client);
  assertEquals(await isAsked(), false);
  place.tokens = 41_000;
  assertEquals(await isAsked(), true);
});

Deno.test("a trim's own figure is valid until the client reports the next answer", async () => {
  const place = bench("claims");
  place.tokens = 45_000;
  setFillAfterTrim("claims", { reported: 45_000, after: 30_000 });
  setFillAfterTrim("claims", { reported: 30_000, after: 26_000 });
  assertEquals((await contextFill(place.client)).tokens, 26_000);
  place.tokens = undefined;
  assertEquals((await contextFill(place.client)).tokens, 26_000);
  place.tokens = 26_400;
  assertEquals((await contextFill(place.client)).tokens, 26_400);
  place.tokens = 45_000;
  assertEquals((await contextFill(place.client)).tokens, 45_000);
  // The size after a compaction by the client is unknown until the next answer.
  setFillAfterTrim("claims", { reported: 45_000, after: undefined });
  assertEquals((await contextFill(place.client)).tokens, undefined);
  place.tokens = 9_000;
  assertEquals((await contextFill(place.client)).tokens, 9_000);
});

Deno.test("the client's figures are recorded only if trimtab is used in the project", async () => {
  const { client, files } = bench("fills");
  const fill = {
    at_ms: 1,
    model: "m",
    tokens: null,
    window: 2,
    limit: 1,
    limit_kind: "answer" as const,
    categories: { Messages: 3 },
  };
  await recordFill(client, fill);
  assertEquals(files.size, 0);
  files.set("/p/.claude/trimtab/.gitignore", "*\n");
  await recordFill(client, fill);
  const text = files.get("/p/.claude/trimtab/state/fills.inside.json") ?? "";
  assertEquals(parseInsideRecord(text), { version: 1, fill, trims: [] });
  const wrong = JSON.stringify({ version: 1, fill: { ...fill, window: 0 }, trims: [] });
  assertEquals(parseInsideRecord(wrong), { version: 1, trims: [] });
});

Deno.test("trimtab writes nothing through a link in place of its files, or outside of the project", async () => {
  for (const name of ["trimtab", "trimtab/.gitignore", "trimtab/state/linked.inside.json"]) {
    const place = bench("linked");
    place.links.set(`/p/.claude/${name}`, `/p/${name}`);
    await assertRejects(() => recordTrim(place.client, TRIM), TypeError, "is a link");
    assertEquals(place.files.size, 0);
  }
  const place = bench("linked");
  for (const real of ["/elsewhere", "/p2/.claude", "/p"]) {
    place.links.set("/p/.claude", real);
    await assertRejects(() => recordTrim(place.client, TRIM), TypeError, "leads out");
    assertEquals(place.files.size, 0);
  }
  place.links.set("/p/.claude", "/p/own");
  await recordTrim(place.client, TRIM);
  assert(place.files.size > 0);
});

Deno.test("readFill() takes the limit from the user's override of the compaction point", async () => {
  const place = bench("override");
  const limitWith = async (override: string | undefined): Promise<number> => {
    place.env.set("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", override);
    return (await readFill(place.client)).limit;
  };
  assertEquals(await limitWith("80"), 144_000);
  for (const none of [undefined, "", "0", "120", "x", "100"]) {
    assertEquals(await limitWith(none), 167_000, none);
  }
});
