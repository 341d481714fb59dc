/**
 * Runs a session headless, resumes it, and observes the lines of its transcript, the payloads of hooks, and
 * how the client handles the hooks' answers.
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { existsSync } from "@std/fs";
import { resolveWindow } from "../../src/transcript/tokens/window.ts";
import { newSmallHome, runClientWell, SMALL_MODEL } from "../e2e/bed/client.ts";
import { type LoggedRequest, type Mock, startMock, type TurnLike } from "../e2e/bed/mock_api.ts";
import { blocksOf, type WireBlock } from "../e2e/bed/wire.ts";
import { bash, call } from "../e2e/trim_steps.ts";
import { makePlugin, type ProbePlugin } from "./plugin.ts";
import type { Recorder } from "./recorder.ts";
import { type Line, linesOf, readLines, resultLines } from "./transcript_lines.ts";

const EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
  "PostToolBatch",
  "Stop",
  "SubagentStop",
  "SessionEnd",
];

/** An output of this many lines is too long for the client to send in full. */
const LONG_OUTPUT_LINES = 9_000;

function turns(cwd: string): TurnLike[] {
  return [
    [
      { type: "thinking", thinking: "I must look." },
      { type: "text", text: "I look." },
      bash("env | grep -E '^(CLAUDE|PATH)'; echo cwd=$PWD"),
      bash("echo gone wrong; exit 3"),
    ],
    [
      call("Read", { file_path: `${cwd}/notes.txt` }),
      call("Grep", { pattern: "needle", path: cwd, output_mode: "content" }),
      call("Glob", { pattern: "*.txt", path: cwd }),
    ],
    [bash(`seq 1 ${LONG_OUTPUT_LINES}`)],
    [
      call("Write", { file_path: `${cwd}/.claude/refused.md`, content: "a" }),
      call("Write", { file_path: `${cwd}/taken.md`, content: "b" }),
    ],
    [call("Edit", { file_path: `${cwd}/notes.txt`, old_string: "two", new_string: "three" })],
    [call("Agent", {
      description: "look",
      prompt: "find it",
      subagent_type: "general-purpose",
      // By default, newer clients do not wait for an agent.
      run_in_background: false,
    })],
    "First end.",
  ];
}

function results(request: LoggedRequest | undefined): WireBlock[] {
  return (request?.body.messages ?? []).flatMap(({ content }) => blocksOf(content))
    .filter(({ type }) => type === "tool_result");
}

function textOfBlock(block: WireBlock | undefined): string {
  return blocksOf(block?.content).map(({ text }) => text ?? "").join("");
}

export async function probeHeadless(facts: Recorder): Promise<void> {
  using home = newSmallHome();
  Deno.writeTextFileSync(`${home.cwd}/notes.txt`, "one needle\ntwo\n");
  const plugin = makePlugin(`${home.home}/plugin`, EVENTS);
  plugin.answer("SessionStart", {
    hookSpecificOutput: { hookEventName: "SessionStart", sessionTitle: "A probe's title" },
  });
  await using mock = startMock({
    turns: [...turns(home.cwd), "Second end."],
    respond: ({ kind }) => kind === "subagent" ? "found by the agent" : undefined,
  });
  // The permission mode determines whether other tools are allowed.
  const args = ["--allowedTools", "Bash Read Grep Glob Agent", "--permission-mode", "acceptEdits"];
  const base = { home, mock, pluginDir: plugin.path };
  const run = await runClientWell({ ...base, prompt: "go", args });
  const first = readLines(run.transcriptPath);
  checkTranscript(facts, { path: run.transcriptPath, lines: first, cwd: home.cwd });
  checkHooks(facts, plugin, { ...run, cwd: home.cwd, config: home.config });
  checkAnswers(facts, mock, first);
  facts.test("The client's window of a model is the window in trimtab's table.", () => {
    const usage = Object(run.json?.modelUsage)[SMALL_MODEL];
    assertEquals(Object(usage).contextWindow, resolveWindow({ model: SMALL_MODEL }).tokens);
  });
  facts.test("The Write tool is refused below .claude/ even if edits are accepted.", () => {
    const [refused, taken] = results(mock.of("main").at(-1)).slice(-4);
    assertEquals(refused?.is_error, true);
    assertMatch(textOfBlock(refused), /sensitive/);
    assert(!existsSync(`${home.cwd}/.claude/refused.md`));
    assert(existsSync(`${home.cwd}/taken.md`), textOfBlock(taken));
  });
  const mode = (Deno.statSync(run.transcriptPath).mode ?? 0) & 0o777;
  facts.test("Only the owner can read a transcript.", () => {
    assertEquals(mode.toString(8), "600");
  });

  await runClientWell({ ...base, prompt: "again", args: ["--resume", run.sessionId] });
  facts.test("SessionStart distinguishes a new session from a resumed one.", () => {
    const sources = plugin.runs("SessionStart").map(({ payload }) => payload.source);
    assertEquals(sources, ["startup", "resume"]);
  });
}

function checkTranscript(
  facts: Recorder,
  { path, lines, cwd }: { path: string; lines: readonly Line[]; cwd: string },
): void {
  facts.test("Each entry of the tree contains the session's id, and the first prompt contains the working folder.", () => {
    const id = path.replace(/^.*\/|\.jsonl$/g, "");
    const others = lines.filter(({ value }) => "uuid" in value && value.sessionId !== id);
    assertEquals(others.map(({ value }) => value.type), []);
    assertEquals(linesOf(lines, "user")[0]?.value.cwd, cwd);
  });
  facts.test("A message has one line per block, each with the message's id and full usage.", () => {
    const answers = linesOf(lines, "assistant").slice(0, 4).map(({ value }) => value.message);
    assertEquals(answers.map((message) => message?.content.length), [1, 1, 1, 1]);
    assertEquals(new Set(answers.map((message) => message?.id)).size, 1);
    const usages = answers.map((message) => Object(message?.usage));
    const tokens = usages.map(({ input_tokens }) => input_tokens);
    assertEquals(new Set(tokens).size, 1, "each line has the usage of the entire message");
    assert(typeof usages[0].cache_read_input_tokens === "number");
  });
  facts.test("The records of the last prompt and of a title start with their type.", () => {
    const openings = ['{"type":"last-prompt",', '{"type":"custom-title",'];
    for (const start of openings) {
      assert(lines.some(({ text }) => text.startsWith(start)), `no line starts with ${start}`);
    }
  });
  facts.test("The record of the last prompt refers to the newest entry of the tree before the record.", () => {
    const record = linesOf(lines, "last-prompt").at(-1)?.value;
    const before = lines.slice(0, lines.findLastIndex(({ value }) => value.type === "last-prompt"));
    assertEquals(record?.leafUuid, before.findLast(({ value }) => "uuid" in value)?.value.uuid);
  });
  facts.test("A transcript ends with a line break.", () => {
    assertEquals(Deno.readTextFileSync(path).at(-1), "\n");
  });
  facts.test("toolUseResult has the shape of its tool, or is a string if the call failed.", () => {
    const [bash, failed, ...found] = resultLines(lines).map(({ toolUseResult }) => toolUseResult);
    assertEquals(Object.keys(Object(bash)).slice(0, 2), ["stdout", "stderr"]);
    assertMatch(String(failed), /^Error: Exit code 3/);
    const mirrors = found.map((mirror) => Object(mirror));
    assert(mirrors.some(({ type, file }) => type === "text" && "content" in file), "Read");
    assert(mirrors.some(({ mode, content }) => mode === "content" && content !== ""), "Grep");
    assert(mirrors.some(({ filenames }) => Array.isArray(filenames)), "Glob");
    const edit = mirrors.find(({ oldString }) => oldString === "two");
    assertEquals(edit?.originalFile, "one needle\ntwo\n");
    assert(Array.isArray(edit?.structuredPatch));
  });
  facts.test("The client keeps a long output in tool-results/, and sends its path and a preview.", () => {
    const line = resultLines(lines).find(({ text }) => text.includes("<persisted-output>"));
    const [block] = line?.value.message?.content ?? [];
    const content = String(Object(block).content);
    assertMatch(content, /^<persisted-output>\n.*\n?.*saved to: (\S+)\n\nPreview \(/);
    const saved = /saved to: (\S+)/.exec(content)?.[1] ?? "";
    assert(saved.startsWith(`${path.replace(/\.jsonl$/, "")}/tool-results/`), saved);
    assertEquals(Deno.readTextFileSync(saved).split("\n")[LONG_OUTPUT_LINES - 1], "9000");
  });
  facts.test("An agent's lines are in subagents/agent-*.jsonl, and not in the transcript.", () => {
    const folder = `${path.replace(/\.jsonl$/, "")}/subagents`;
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
    assertEquals(names.filter((name) => /^agent-\w+\.jsonl$/.test(name)).length, 1);
    assertEquals(lines.filter(({ value }) => value.isSidechain === true).length, 0);
  });
}

function checkHooks(
  facts: Recorder,
  plugin: ProbePlugin,
  run: { sessionId: string; transcriptPath: string; cwd: string; config: string },
): void {
  const runs = plugin.runs();
  facts.test("A hook's timeout is in seconds.", () => {
    // Every hook stored its payload, so the client killed no hook after 20 ms.
    assertEquals(EVENTS.filter((event) => !runs.some((one) => one.event === event)), []);
  });
  facts.test("Every payload contains the session, the transcript, the folder and the event.", () => {
    for (const { event, payload } of runs) {
      const { session_id, transcript_path, cwd, hook_event_name } = payload;
      assertEquals({ session_id, transcript_path, cwd, hook_event_name }, {
        session_id: run.sessionId,
        transcript_path: run.transcriptPath,
        cwd: run.cwd,
        hook_event_name: event,
      });
    }
  });
  facts.test("A plugin's hook has variables for project, plugin, session and entry point.", () => {
    for (const { env } of runs) {
      assertEquals(env.CLAUDE_PROJECT_DIR, run.cwd);
      assertEquals(env.CLAUDE_PLUGIN_ROOT, plugin.path);
      assert(env.CLAUDE_PLUGIN_DATA?.startsWith(`${run.config}/plugins/data/`));
      assertEquals([env.CLAUDE_CODE_SESSION_ID, env.CLAUDECODE], [run.sessionId, "1"]);
      assertMatch(env.CLAUDE_CODE_ENTRYPOINT ?? "", /^sdk-/);
    }
  });
  facts.test("SessionStart has the variable CLAUDE_ENV_FILE.", () => {
    const [start] = plugin.runs("SessionStart");
    assert(start?.env.CLAUDE_ENV_FILE !== undefined, "SessionStart has no CLAUDE_ENV_FILE");
  });
  facts.test("PostToolBatch runs once for the calls of a message, with the ids of all calls.", () => {
    const [batch] = plugin.runs("PostToolBatch");
    const calls = Object(batch?.payload.tool_calls);
    assertEquals(calls.length, 2, "the batch includes the failed call");
    for (const { tool_use_id } of calls) assertMatch(tool_use_id, /^toolu_/);
    assertEquals(plugin.runs("PostToolBatch").length, 6, "one run for each message with calls");
  });
  facts.test("All events of a turn have the same prompt_id.", () => {
    const later = runs.filter(({ event }) => event !== "SessionStart");
    const ids = new Set(later.map(({ payload }) => payload.prompt_id));
    assertEquals([ids.size, ids.has(undefined)], [1, false]);
  });
  facts.test("claude -p waits for a synchronous Stop hook, which receives the last answer.", () => {
    assertEquals(runs.slice(-2).map(({ event }) => event), ["Stop", "SessionEnd"]);
    assertEquals(Object(runs.at(-2)?.payload).last_assistant_message, "First end.");
  });
}

function checkAnswers(facts: Recorder, mock: Mock, lines: readonly Line[]): void {
  const sent = results(mock.of("main").at(-1)).map(textOfBlock);
  facts.test("A command of the Bash tool has the session's id, and no variable of hooks.", () => {
    const [shell = ""] = sent;
    assertMatch(shell, /^CLAUDE_CODE_SESSION_ID=[0-9a-f-]{36}$/m);
    assert(!/^CLAUDE_(?:PROJECT_DIR|PLUGIN_ROOT)=/m.test(shell), "a shell has a hook's variables");
    assertMatch(shell, /^cwd=.*\/project$/m);
  });
  facts.test("The result of a failed command is an error that starts with its exit code.", () => {
    assertStringIncludes(sent[1] ?? "", "Exit code 3\ngone wrong");
    assertEquals(results(mock.of("main").at(-1))[1]?.is_error, true);
  });
  facts.test("The sessionTitle that a SessionStart hook returns becomes the session's title.", () => {
    const titles = linesOf(lines, "custom-title").map(({ value }) => value.customTitle);
    assertEquals(titles[0], "A probe's title");
  });
}
