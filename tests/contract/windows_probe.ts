/**
 * Compares the windows of all models that the client knows with trimtab's table, and checks the limit behind
 * the percentage in the client's context display.
 */

import { assert, assertEquals } from "@std/assert";
import { resolveWindow } from "../../src/transcript/tokens/window.ts";
import { runChild } from "../../tools/child.ts";
import { findClient, newHome, SMALL_MODEL } from "../e2e/bed/client.ts";
import { startMock } from "../e2e/bed/mock_api.ts";
import { hasTmux, openTerminal } from "../e2e/bed/terminal.ts";
import { isNewerClient } from "../e2e/bed/version.ts";
import { startChat } from "../e2e/chat.ts";
import type { Recorder } from "./recorder.ts";

/** Finds quoted model names in the client's program. */
const NAMES =
  '"(us\\.)?(anthropic\\.)?claude-([0-9]|(opus|sonnet|haiku|fable|mythos)-[0-9])[a-z0-9.:@-]*(\\[1m\\])?"';

/** More spellings, which the search may miss: other regions, a gateway's names, dates, aliases. */
const SPELLINGS = [
  "anthropic/claude-opus-5-5",
  "claude-opus-5-5-20261001",
  "claude-sonnet-5@20260801",
  "eu.anthropic.claude-opus-4-8-v1:0",
  "global.anthropic.claude-haiku-4-5-20251001-v1:0",
  "haiku",
  "opus",
  "sonnet",
];

/** If the search finds fewer names, or the client reports fewer windows, the search has failed. */
const MIN_NAMES = 40;

/** Matches the client's message about an unknown model, whose window the client guesses. */
const UNKNOWN = /unrecognized_model\] \{"model":"([^"]+)"/g;

/** Older clients use this window for every model without the suffix `[1m]`. */
const OLDER_WINDOW = 200_000;

/** Matches the client's context display, which shows the share used or the share left. */
const LINE = /(\d+)% (context used|until auto-compact)/;

/** The client reserves these tokens of the window for its answer. */
const ANSWER_TOKENS = 20_000;
/** The client also reserves these tokens if it compacts the model's sessions automatically. */
const COMPACTION_TOKENS = 13_000;

/**
 * Covers both windows, and models with and without automatic compaction. Each usage is high enough for the
 * client to show its display.
 */
const LINES = [
  { model: SMALL_MODEL, tokens: 150_300, window: 200_000, isCompacted: false },
  { model: "claude-sonnet-4-6", tokens: 150_300, window: 200_000, isCompacted: true },
  { model: "claude-sonnet-5", tokens: 952_000, window: 1_000_000, isCompacted: true },
];

export async function probeWindows(facts: Recorder): Promise<void> {
  const [differing, lines] = await Promise.all([findDifferingWindows(), readClientLines()]);
  facts.test("Every model that the client knows has the window in trimtab's table, except that older clients use at most 200,000 tokens without [1m].", () => {
    assertEquals(differing, []);
  });
  facts.test("The client's display excludes 20,000 tokens of the window, and 13,000 more if the client compacts automatically.", () => {
    for (const { line, expected } of lines) assertEquals(line, expected);
  });
}

async function findDifferingWindows(): Promise<string[]> {
  const { stdout } = await runChild("grep", ["-aoE", NAMES, await findClient()], {
    env: { LC_ALL: "C" },
  });
  const names = new Set(
    stdout.split("\n").filter((name) => name !== "").map((name) => name.slice(1, -1)),
  );
  assert(names.size >= MIN_NAMES, `found only ${names.size} model names`);
  using home = newHome();
  await using mock = startMock();
  await using chat = await startChat({ home, mock });
  for (const model of [...names, ...SPELLINGS]) {
    // A model that the client refuses has no window.
    if (await chat.setModel(model)) await chat.say("go on");
  }
  const unknown = new Set(
    [...(await chat.endAndReadErrors()).matchAll(UNKNOWN)].map(([, name]) => name),
  );
  const windows = Object.entries(chat.modelUsage).filter(([model]) => !unknown.has(model));
  assert(windows.length >= MIN_NAMES, `the client reported only ${windows.length} windows`);
  // Older clients use a million tokens only for names with the suffix `[1m]`.
  const canExceedOlderWindow = await isNewerClient()
    ? () => true
    : (name: string) => name.endsWith("[1m]");
  return windows.flatMap(([model, { contextWindow }]) => {
    const { tokens } = resolveWindow({ model });
    const expected = canExceedOlderWindow(model) ? tokens : Math.min(tokens, OLDER_WINDOW);
    return expected === contextWindow ? [] : [`${model}: ${contextWindow}, not ${expected}`];
  });
}

async function readClientLines(): Promise<{ line: string; expected: string }[]> {
  // Older clients phrase the display differently and support other models.
  if (!hasTmux() || !await isNewerClient()) return [];
  return await Promise.all(LINES.map(async ({ model, tokens, window, isCompacted }) => {
    using home = newHome();
    const usage = { input_tokens: tokens, output_tokens: 0 };
    await using mock = startMock({
      turns: [{ blocks: [{ type: "text", text: "An answer." }], usage }],
    });
    const args = ["--model", model];
    await using terminal = await openTerminal({ home, mock, args });
    await terminal.submit("a prompt");
    const [line = ""] = LINE.exec(await terminal.see(LINE)) ?? [];
    const limit = window - ANSWER_TOKENS - (isCompacted ? COMPACTION_TOKENS : 0);
    const used = tokens / limit;
    const expected = isCompacted
      ? `${Math.round((1 - used) * 100)}% until auto-compact`
      : `${Math.floor(used * 100)}% context used`;
    return { line, expected };
  }));
}
