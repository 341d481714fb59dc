/** The hooks that watch the window: UserPromptSubmit and PostToolBatch. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { main as postToolBatch } from "../../hooks/post_tool_batch.ts";
import { main as userPromptSubmit } from "../../hooks/user_prompt_submit.ts";
import { readSessionState } from "../../src/store/state.ts";
import { updateSessionState } from "../../src/store/state_update.ts";
import { triggerCheckpoint } from "../../src/watch/trigger.ts";
import { contextOf, messageOf, NEXT_SESSION, runHook, START_MS, test } from "./bed.ts";
import "../own_config.ts";

const WARNED =
  "Context at 74%. Consider /trim if response quality feels degraded. In use: 123,580 of 167,000 tokens.";
const RECOMMENDED = "Context at 75%. Recommend /trim soon. In use: 125,250 of 167,000 tokens.";

function outputOf(event: string, text: string, isRise = true): string {
  const context = { hookEventName: event, additionalContext: text };
  const message = isRise ? { systemMessage: text } : {};
  return `${JSON.stringify({ ...message, hookSpecificOutput: context })}\n`;
}

test("the hooks warn the user and the model when the level rises", async (bed) => {
  bed.setUsage(99_364);
  assertEquals(await bed.run(userPromptSubmit), "");
  bed.setUsage(123_580);
  assertEquals(await bed.run(userPromptSubmit), outputOf("UserPromptSubmit", WARNED));
  bed.second = 60;
  bed.setUsage(125_250);
  assertEquals(await bed.run(postToolBatch), outputOf("PostToolBatch", RECOMMENDED));
});

test("the hooks show how much each command frees, as the Stop hook computed it", async (bed) => {
  bed.setUsage(123_580);
  const freed = { at_tokens: 123_580, light: 40_000, deep: 50_000, rollover: 90_000, bytes: 1 };
  const unknown = { cache_ttl_seconds: null, newest_at: null };
  updateSessionState(bed, () => ({ freed: { ...freed, ...unknown } }));
  const expectedText =
    "Context at 74%. Consider /trim if response quality feels degraded: it frees " +
    "about 40,000 tokens (/trim --depth deep 50,000, /rollover 90,000). " +
    "In use: 123,580 of 167,000 tokens.";
  assertEquals(await bed.run(userPromptSubmit), outputOf("UserPromptSubmit", expectedText));
});

test("the hooks repeat a warning after ten minutes at the same level, and only to the model", async (bed) => {
  bed.setUsage(123_580);
  assertEquals(await bed.run(postToolBatch), outputOf("PostToolBatch", WARNED));
  bed.second = 599;
  assertEquals(await bed.run(userPromptSubmit), "");
  bed.second = 600;
  assertEquals(await bed.run(userPromptSubmit), outputOf("UserPromptSubmit", WARNED, false));
});

test("the hooks use the window that the status line recorded", async (bed) => {
  bed.setUsage(123_580);
  updateSessionState(bed, () => ({ window_tokens: 1_000_000 }));
  assertEquals(await bed.run(userPromptSubmit), "");
  bed.setUsage(600_000);
  const warning = "Context at 61%. Consider /trim if response quality feels degraded. " +
    "In use: 600,000 of 980,000 tokens.";
  assertEquals(await bed.run(userPromptSubmit), outputOf("UserPromptSubmit", warning));
  assertEquals(readSessionState(bed).window_tokens, 1_000_000);
});

test("the hooks record the time of the last activity, but only in projects that use trimtab", async (bed) => {
  bed.setUsage(10_000);
  await bed.run(postToolBatch);
  assertEquals(readSessionState(bed).last_active_at, undefined);
  Deno.mkdirSync(`${bed.projectDir}/.claude/trimtab`, { recursive: true });
  await bed.run(postToolBatch);
  assertEquals(readSessionState(bed).last_active_at, new Date(START_MS).toISOString());
});

test("the hooks ignore a subagent's calls: they print no warning, and record nothing", async (bed) => {
  bed.setUsage(123_580);
  for (const agent of ["a25bd4325c3d7a77a", "", 7]) {
    const payload = bed.payload({ agent_id: agent, agent_type: "general-purpose" });
    assertEquals(await bed.run(postToolBatch, payload), "");
  }
  assertEquals([...Deno.readDirSync(bed.projectDir)], [], "no record was written");
  const main = bed.payload({ agent_id: null });
  assertEquals(await bed.run(postToolBatch, main), outputOf("PostToolBatch", WARNED));
});

test("the hooks report a configuration problem once in a session, with or without a warning", async (bed) => {
  bed.setUsage(100);
  Deno.writeTextFileSync(`${bed.projectDir}/.work.toml`, "[context]\nwarn_threshold = a\n");
  const first = JSON.parse(await bed.run(userPromptSubmit));
  assertEquals(Object.keys(first), ["systemMessage"]);
  const expected = /^trimtab: using the defaults, because .*\.work\.toml: expected TOML \(line 2: /;
  assertMatch(first.systemMessage, expected);
  assertEquals(await bed.run(userPromptSubmit), "");
  bed.setUsage(123_580);
  assertEquals(await bed.run(postToolBatch), outputOf("PostToolBatch", WARNED));
  const printed = await bed.run(postToolBatch, bed.payload({ session_id: NEXT_SESSION }));
  assertMatch(messageOf(printed), /^trimtab: using the defaults, because .*\n/);
  assertEquals(messageOf(printed).split("\n").at(-1), WARNED);
  assertEquals(contextOf(printed), WARNED);
});

test("the hooks report an error once in a session", async (bed) => {
  const payload = bed.payload({ transcript_path: `${bed.transcript}\0` });
  const first = JSON.parse(await bed.run(userPromptSubmit, payload));
  assertEquals(Object.keys(first), ["systemMessage"]);
  assertStringIncludes(first.systemMessage, "trimtab: cannot watch the context: ");
  assertEquals(await bed.run(userPromptSubmit, payload), "");
  assertEquals(await bed.run(postToolBatch, payload), "");
});

test("the hooks are silent if they cannot record a warning", async (bed) => {
  bed.setUsage(123_580);
  Deno.mkdirSync(`${bed.projectDir}/.claude`);
  Deno.writeTextFileSync(`${bed.projectDir}/.claude/trimtab`, "a file in place of the folder");
  assertEquals(await bed.run(userPromptSubmit), "");
  bed.env["CLAUDE_PROJECT_DIR"] = `${bed.root}/gone`;
  assertEquals(await bed.run(userPromptSubmit), "");
  bed.env["CLAUDE_PROJECT_DIR"] = "relative";
  assertEquals(await bed.run(userPromptSubmit), "");
});

test("the hooks find the project above the working folder if no environment variable specifies it", async (bed) => {
  bed.setUsage(123_580);
  delete bed.env["CLAUDE_PROJECT_DIR"];
  const below = `${bed.projectDir}/packages/a`;
  Deno.mkdirSync(below, { recursive: true });
  Deno.mkdirSync(`${bed.projectDir}/.claude/trimtab`, { recursive: true });
  const payload = bed.payload({ cwd: below });
  assertEquals(await bed.run(userPromptSubmit, payload), outputOf("UserPromptSubmit", WARNED));
  assertEquals(readSessionState(bed).level, "warn");
});

test("PostToolBatch delivers a session's messages once, and to no other session", async (bed) => {
  bed.setUsage(20_000);
  const { projectDir, sessionId } = bed;
  const request = { projectDir, sessionId, percent: 63, now: new Date(START_MS) };
  triggerCheckpoint("context_60_percent", request);
  bed.second = 1;
  assertEquals(await bed.run(postToolBatch, bed.payload({ session_id: NEXT_SESSION })), "");
  const delivered = contextOf(await bed.run(postToolBatch));
  assertStringIncludes(delivered, "Run /save-checkpoint now: the context is at 63%.");
  assertEquals(await bed.run(postToolBatch), "");
});

const HOOKS = { user_prompt_submit: "UserPromptSubmit", post_tool_batch: "PostToolBatch" };
for (const [hook, event] of Object.entries(HOOKS)) {
  test(`${event} in its own process warns once with exactly its permissions, even for a large payload`, async (bed) => {
    bed.setUsage(123_580);
    const tool_calls = [{ tool_use_id: "toolu_1", tool_response: "x".repeat(10_000_000) }];
    const first = await runHook(bed, hook, bed.payload({ tool_calls }));
    assertEquals(first, { code: 0, stdout: outputOf(event, WARNED), stderr: "" });
    const second = await runHook(bed, hook, bed.payload());
    assertEquals(second, { code: 0, stdout: "", stderr: "" });
  });
}
