/**
 * Rewrites a session as `trimtab trim` does, resumes it under its new id and compacts it; observes the
 * client's requests, its changes to the file, and its payloads to hooks.
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { newHome, runClientWell } from "../e2e/bed/client.ts";
import { PROMPT_TOO_LONG, startMock, textOf } from "../e2e/bed/mock_api.ts";
import { isNewerClient } from "../e2e/bed/version.ts";
import { bash } from "../e2e/trim_steps.ts";
import { makePlugin, type ProbePlugin } from "./plugin.ts";
import type { Recorder } from "./recorder.ts";
import { type Line, linesOf, readLines } from "./transcript_lines.ts";

const COPY_ID = "0c0ffee0-0000-4000-8000-000000000001";
const EVENTS = ["SessionStart", "UserPromptSubmit", "PreCompact", "SubagentStop", "PostCompact"];

/** The client truncates hook context that is longer. */
const LIMIT_CHARS = 10_000;

const START_WORDS = {
  hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "words-at-the-start" },
};

/**
 * Matches the hook's text in `rendered`, the field in which newer clients store the exact text that they
 * sent.
 */
const KEPT_TEXT = /("rendered":\[\{"content":"(?:[^"\\]|\\.)*)words-at-the-start/;

function contextOf(chars: number): unknown {
  const [start, end] = ["context-starts ", " context-ends"];
  const additionalContext = start + "x".repeat(chars - start.length - end.length) + end;
  return { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext } };
}

export async function probeResume(facts: Recorder): Promise<void> {
  const isNewer = await isNewerClient();
  using home = newHome();
  const plugin = makePlugin(`${home.home}/plugin`, EVENTS);
  await using mock = startMock({
    expectsViolations: true,
    turns: [
      [bash("echo sent-by-result")],
      [bash("echo second")],
      "A first end.",
      { error: PROMPT_TOO_LONG },
      "Went on.",
    ],
    summary: "what-the-mock-remembers",
  });
  const base = { home, mock, pluginDir: plugin.path };
  plugin.answer("UserPromptSubmit", contextOf(LIMIT_CHARS));
  plugin.answer("SessionStart", START_WORDS);
  const run = await runClientWell({ ...base, prompt: "go" });
  const [, whole] = mock.of("main");
  const copy = run.transcriptPath.replace(run.sessionId, COPY_ID);
  Deno.writeTextFileSync(
    copy,
    rewriteAsTrim(Deno.readTextFileSync(run.transcriptPath), run.sessionId),
  );
  plugin.answer("UserPromptSubmit", contextOf(LIMIT_CHARS + 1));
  plugin.answer("SessionStart", "");
  const before = mock.requests.length;
  const resumed = await runClientWell({ ...base, prompt: "go on", args: ["--resume", COPY_ID] });
  const request = mock.requests[before];
  const text = request === undefined ? "" : textOf(request);

  facts.test("claude --resume accepts a copy whose file and lines have a new id.", () => {
    assertEquals([resumed.sessionId, resumed.json?.result], [COPY_ID, "Went on."]);
    assertEquals(mock.violations, []);
  });
  facts.test("Only message.content of a result reaches the API in a resumed session.", () => {
    assertStringIncludes(text, "sent-by-result");
    assert(!text.includes("MIRROR"), "the request contains text of toolUseResult");
  });
  facts.test("The text in an attachment's entry is sent again.", () => {
    const isKept = Deno.readTextFileSync(copy).includes("words-that-were-kept");
    assertStringIncludes(text, isKept ? "words-that-were-kept" : "words-at-the-start");
    assert(!isKept || !text.includes("words-at-the-start"), "both are sent");
  });
  facts.test("trim_metadata on a first line is never sent, and stays in the file.", () => {
    assert(!JSON.stringify(request?.body).includes("trim_metadata"), "it is sent");
    assertStringIncludes(Deno.readTextFileSync(copy).split("\n", 1)[0] ?? "", '"trim_metadata":');
  });
  facts.test("Older clients append to a last line without a line break; newer clients add one.", () => {
    const joinedEntries = Deno.readTextFileSync(copy).match(/\}\{"/g)?.length ?? 0;
    assertEquals(joinedEntries, isNewer ? 0 : 1, "entries that share a line");
  });
  facts.test("A hook's context of 10,000 characters arrives in full, and a longer context does not.", () => {
    assertStringIncludes(whole === undefined ? "" : textOf(whole), "x context-ends");
    // Both prompts' contexts arrive, but the second is cut before its end.
    assertEquals(text.split("context-starts").length - 1, 2);
    assertEquals(text.split("context-ends").length - 1, 1);
  });
  checkCompaction(facts, plugin);
  checkBoundary(facts, readLines(copy));
}

/** Makes a trim's changes without trimtab's code; also removes the final newline. */
function rewriteAsTrim(text: string, id: string): string {
  const [first = "", ...rest] = text.trimEnd().split("\n");
  const marked = first.replace(/\}$/, ',"trim_metadata":{"parent_session_id":"' + id + '"}}');
  const lines = [marked, ...rest].map((line) =>
    line.replaceAll(id, COPY_ID).replace(/"stdout":"sent-by-result/, '"stdout":"MIRROR')
      .replace(KEPT_TEXT, "$1words-that-were-kept")
  );
  return lines.join("\n");
}

function checkCompaction(facts: Recorder, plugin: ProbePlugin): void {
  facts.test("A compaction runs PreCompact, then SessionStart, then PostCompact.", () => {
    const runs = plugin.runs();
    const at = runs.findIndex(({ event }) => event === "PreCompact");
    const events = runs.slice(at).map(({ event }) => event)
      .filter((event) => event !== "SubagentStop");
    assertEquals(events, ["PreCompact", "SessionStart", "PostCompact"]);
  });
  facts.test("The payload of PreCompact has the trigger; the payload of SessionStart has the source compact and the same id.", () => {
    const [before] = plugin.runs("PreCompact");
    assertEquals([before?.payload.trigger, before?.payload.session_id], ["auto", COPY_ID]);
    const { source, session_id, model } = Object(plugin.runs("SessionStart").at(-1)?.payload);
    assertEquals([source, session_id, typeof model], ["compact", COPY_ID, "string"]);
  });
}

function checkBoundary(facts: Recorder, lines: readonly Line[]): void {
  facts.test("A compaction writes a boundary, which has no parent and lists the preserved lines, and then the summary.", () => {
    const at = lines.findIndex(({ value }) => value.subtype === "compact_boundary");
    const boundary = lines[at]?.value;
    assertEquals([boundary?.type, boundary?.parentUuid], ["system", null]);
    const uuids = new Set(lines.map(({ value }) => value.uuid));
    assert(uuids.has(boundary?.logicalParentUuid), "logicalParentUuid matches no line");
    const { trigger, preTokens, preservedSegment, preservedMessages } = Object(
      boundary?.compactMetadata,
    );
    assertEquals([trigger, typeof preTokens], ["auto", "number"]);
    const kept = [preservedSegment?.headUuid, preservedSegment?.tailUuid];
    for (const uuid of [...kept, ...preservedMessages?.uuids ?? []]) {
      assert(uuids.has(uuid), uuid);
    }
    const [summary] = linesOf(lines.slice(at), "user");
    assertEquals(summary?.value.isCompactSummary, true);
    assertMatch(String(summary?.value.message?.content), /what-the-mock-remembers/);
  });
}
