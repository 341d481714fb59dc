/** Checks the warnings about a full window in the real client: each reaches the session's next request. */

import { assert, assertEquals } from "@std/assert";
import { readInsideRecord, readSessionState } from "../../src/store/state.ts";
import { partOf } from "../full.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { newSmallHome, runClientWell } from "./bed/client.ts";
import {
  type LoggedRequest,
  type ScriptedBlock,
  startMock,
  textOf,
  type Turn,
} from "./bed/mock_api.ts";
import { isNewerClient } from "./bed/version.ts";
import { test } from "./client_tests.ts";
import { bash, call } from "./trim_steps.ts";

/** The client's limit for a window of 200,000: it reserves room for its answer. */
const LIMIT = 180_000;

const WARNING = /Context at \d+%\. [^\n]*? In use: [\d,]+ of [\d,]+ tokens\./g;

/**
 * The part of a warning with the estimate of a trim. The module estimates from the client's messages,
 * the hooks from the transcript, so their figures differ.
 */
const ESTIMATE = /: (?:a trim frees little|it frees about [\d,]+ tokens) \(.*?\)\./;

/** The recommendation depends on the estimate of a trim, which a hook lacks until a turn has ended. */
const REMEDY = /\/(?:trim|rollover)/;

/** Makes a turn of calls whose reported usage is a percentage of the limit. */
function callsAt(percent: number, ...blocks: ScriptedBlock[]): Turn {
  const calls = blocks.length === 0 ? [bash("echo done")] : blocks;
  return { blocks: calls, usage: { input_tokens: percent * LIMIT / 100 } };
}

function answerAt(percent: number, text = "Done."): Turn {
  return { blocks: [{ type: "text", text }], usage: { input_tokens: percent * LIMIT / 100 } };
}

function warningsIn(request: LoggedRequest | undefined): string[] {
  assert(request !== undefined);
  return (textOf(request).match(WARNING) ?? []).map((text) =>
    text.replace(ESTIMATE, ".").replace(REMEDY, "REMEDY")
  );
}

/** The warning at 76% of the limit. */
const WARNED = "Context at 76%. Recommend REMEDY soon. In use: 136,800 of 180,000 tokens.";

/** Usages with the level that each reaches. tests/gauge/ has the other levels. */
const LEVELS = [[76, "recommend"], [59, undefined]] as const;

Deno.test("the client's next request contains a warning above a threshold, and none below all thresholds", async (t) => {
  for (const [percent, level] of partOf(LEVELS, 1, "percentages of the window")) {
    await t.step(`${percent}%`, async () => {
      using home = newSmallHome();
      await using mock = startMock({ turns: [callsAt(percent), answerAt(percent)] });
      const run = await runClientWell({ home, mock, prompt: "go on", pluginDir: PLUGIN });
      const [first, second] = mock.of("main");
      assertEquals(warningsIn(first), []);
      assertEquals(warningsIn(second), level === undefined ? [] : [WARNED]);
      const owner = { projectDir: home.cwd, sessionId: run.sessionId };
      const known = readSessionState(owner).level ?? readInsideRecord(owner).watch?.level;
      assertEquals(known, level);
    });
  }
});

test.full("the client's subagents are not warned, and the session is warned afterwards", async () => {
  using home = newSmallHome();
  const agent = { description: "look", prompt: "find it", subagent_type: "general-purpose" };
  await using mock = startMock({
    turns: [callsAt(20, call("Agent", agent)), callsAt(76), answerAt(76)],
    respond: ({ kind }, index) =>
      kind === "subagent" && index < 3 ? callsAt(90, bash(`echo ${index}`)) : undefined,
  });
  await runClientWell({ home, mock, prompt: "ask an agent", pluginDir: PLUGIN });
  assertEquals(mock.of("subagent").length, 4);
  assertEquals(mock.of("subagent").flatMap(warningsIn), []);
  const warned = mock.of("main").map(warningsIn);
  if (await isNewerClient()) {
    // Agents work in the background, so the session sends another request when an agent is done.
    assertEquals(warned.slice(0, 2), [[], []]);
    assertEquals(new Set(warned.slice(2).flat()), new Set([WARNED]));
  } else {
    assertEquals(warned, [[], [], [WARNED]]);
  }
});

Deno.test("the client continues when the hooks cannot write any file, and the module still warns", async () => {
  using home = newSmallHome();
  Deno.mkdirSync(`${home.cwd}/.claude`);
  Deno.writeTextFileSync(`${home.cwd}/.claude/trimtab`, "a file in place of the folder");
  await using mock = startMock({ turns: [callsAt(76), answerAt(76, "All is well.")] });
  const run = await runClientWell({ home, mock, prompt: "work", pluginDir: PLUGIN });
  assertEquals(run.json?.result, "All is well.");
  // Only the module inside the client warns, because the hooks cannot record their warnings.
  const warnings = mock.of("main").flatMap(warningsIn);
  assertEquals(warnings, await isNewerClient() ? [WARNED] : []);
});
