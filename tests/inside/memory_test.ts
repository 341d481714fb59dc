// When the module saves at the end of a turn. That a checkpoint and a /clear in the real client say the
// same as the hooks' is seen in tests/e2e/inside_test.ts.

import { assertEquals, assertStringIncludes } from "@std/assert";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import type { Client } from "../../src/inside/client.ts";
import { keepWhenFull } from "../../src/inside/memory.ts";
import type { SessionLine, SessionLines } from "../../src/inside/session_lines.ts";
import { viewEntry } from "../../src/transcript/entry.ts";

/** Entries of a conversation, each a role and a text. */
function linesOf(...said: [role: "user" | "assistant", text: string][]): SessionLines {
  const active: SessionLine[] = said.map(([type, text], at) => ({
    number: at + 1,
    entry: viewEntry({
      type,
      uuid: crypto.randomUUID(),
      parentUuid: null,
      message: { role: type, content: [{ type: "text", text }] },
    }),
  }));
  return { before: [], boundary: undefined, active };
}

/** A machine without Deno, with a window of 200,000 tokens that compacts at 167,000. */
function bench(id: string): {
  client: Client;
  saved: () => string[];
  fill: { tokens: number };
  slept: number;
} {
  const files = new Map<string, string>();
  const fill = { tokens: 0 };
  const client = {
    session: {
      id: () => Promise.resolve(id),
      root: () => Promise.resolve("/p"),
      info: () => Promise.reject(new Error("no mark in this test")),
      model: () => Promise.resolve("claude-sonnet-4-6"),
      usage: () => {
        const breakdown = {
          rawMaxTokens: 200_000,
          autoCompactThreshold: 167_000,
          categories: [{ name: "Autocompact buffer", tokens: 33_000, kind: "buffer" }],
        };
        return Promise.resolve({ context: { tokens: fill.tokens, window: 200_000, breakdown } });
      },
    },
    process: {
      hookEnv: () => Promise.resolve({ CLAUDE_PLUGIN_ROOT: "/plugin" }),
      run: () => Promise.resolve({ exitCode: 127 }),
    },
    fs: {
      stat: () => Promise.reject(new Error("no such file")),
      exists: (path: string) => Promise.resolve(files.has(path)),
      list: () => Promise.resolve([...files.keys()].map((name) => ({ name }))),
      write: (path: string, text: string) => Promise.resolve(void files.set(path, text)),
    },
    clock: {
      now: () => Promise.resolve(Date.UTC(2026, 10, 23)),
      sleep: () => Promise.resolve(void made.slept++),
    },
  } as unknown as Client;
  const saved = () => [...files].filter(([path]) => path.endsWith(".md")).map(([, text]) => text);
  const made = { client, saved, fill, slept: 0 };
  return made;
}

Deno.test("keepWhenFull() saves once when the window passes the threshold, with the turn's answer", async () => {
  const { context } = DEFAULT_CONFIG;
  const place = bench("fills");
  const asked: [role: "user", text: string] = ["user", "never touch the ledger"];
  const whole = linesOf(asked, ["assistant", "The ledger is\nuntouched."]);
  const texts = [linesOf(asked), linesOf(asked), whole];
  const answer = "The ledger is\nuntouched.";
  const readLines = () => Promise.resolve(texts.shift() ?? whole);
  const end = async (tokens: number): Promise<number> => {
    place.fill.tokens = tokens;
    await keepWhenFull(place.client, context, { readLines, answer });
    return place.saved().length;
  };
  assertEquals(await end(20_000), 0);
  assertEquals(await end(160_000), 1);
  assertEquals(place.slept, 2, "the client was behind twice");
  assertStringIncludes(place.saved().join(), "untouched.");
  assertStringIncludes(place.saved().join(), 'trigger: "watcher"');
  assertEquals(await end(161_000), 1, "still over it");
  assertEquals(await end(20_000), 1);
  assertEquals(await end(160_000), 2, "again after a trim");
});

Deno.test("keepWhenFull() does not wait for ever for an answer that is not written down", async () => {
  const place = bench("behind");
  place.fill.tokens = 160_000;
  const readLines = () => Promise.resolve(linesOf(["user", "go on"]));
  await keepWhenFull(place.client, DEFAULT_CONFIG.context, { readLines, answer: "Never written." });
  assertEquals(place.saved().length, 1);
});
