import { assertEquals, assertMatch } from "@std/assert";
import { feedSession } from "../../src/extract/session_events.ts";
import type { FinishedCall } from "../../src/core/work_state.ts";
import { call, type Fields, numbered, prompt, said } from "./events.ts";

interface Recorded {
  readonly events: readonly string[];
  readonly calls: readonly FinishedCall[];
}

function record(...entries: readonly (Fields | readonly Fields[])[]): Recorded {
  const events: string[] = [];
  const calls: FinishedCall[] = [];
  const add = (event: string): void => void events.push(event);
  feedSession(numbered(...entries), [{
    prompt: (text) => add(`prompt ${text}`),
    shell: (command) => add(`shell ${command}`),
    said: (text) => add(`said ${text}`),
    call: (call) => {
      calls.push(call);
      add(`call ${call.name} ${call.isError ? "failed" : "ok"}: ${call.result}`);
    },
    tasks: (tasks) => add(`tasks ${tasks.length}`),
    summary: () => add("summary"),
    returned: (summary, report) => add(`returned ${summary}: ${report}`),
    interrupted: () => add("interrupted"),
    failed: (error) => add(`failed ${error}`),
    unfinished: ({ name }, isLost) => add(`${isLost ? "lost" : "unfinished"} ${name}`),
  }]);
  return { events, calls };
}

function queue(operation: string, content?: string): Fields {
  return { type: "queue-operation", operation, content };
}

function queued(prompt: unknown, commandMode: string, origin?: unknown): Fields {
  const attachment = { type: "queued_command", commandMode, prompt, origin };
  return { type: "attachment", attachment };
}

Deno.test("feedSession() reports prompts, answers and calls in order", () => {
  const { events, calls } = record(
    prompt("Fix it."),
    said("I will."),
    call("Bash", { command: "ls" }, { result: "a", mirror: { stdout: "a" } }),
    prompt([{ type: "text", text: "Thank you." }, { type: "image", source: {} }]),
  );
  assertEquals(events, ["prompt Fix it.", "said I will.", "call Bash ok: a", "prompt Thank you."]);
  assertEquals(calls.map(({ mirror, from }) => [mirror, from]), [
    [{ stdout: "a" }, { uuid: "u3", line: 3 }],
  ]);
});

Deno.test("feedSession() reports the text of a queued prompt that is a list of blocks", () => {
  const blocks = [{ type: "text", text: "Never use" }, { type: "text", text: "tabs." }];
  const { events } = record(
    prompt("Fix it."),
    queued([...blocks, { type: "image", source: {} }], "prompt"),
    queued([{ type: "image", source: {} }], "prompt"),
  );
  assertEquals(events, ["prompt Fix it.", "prompt Never use\ntabs."]);
});

Deno.test("feedSession() removes a text from the queue when the text arrives as a message", () => {
  const { events } = record(
    prompt("Fix it."),
    queue("enqueue", "a report"),
    queue("enqueue", "try again now"),
    prompt("a report"),
    queue("remove"),
  );
  assertEquals(events, ["prompt Fix it.", "prompt a report", "prompt try again now"]);
  const goOn = [queue("dequeue"), prompt("go on")];
  const again = [queue("enqueue", "go on"), queue("enqueue", "go on"), ...goOn, ...goOn];
  const twice = record(prompt("Fix it."), ...again);
  assertEquals(twice.events.slice(1), ["prompt go on", "prompt go on"]);
});

Deno.test("feedSession() pairs a call with a result on an earlier line", () => {
  const [use = {}, result = {}] = call("Read", { file_path: "/a" }, { result: "text" });
  assertEquals(record(result, use).events, ["call Read ok: text"]);
});

Deno.test("feedSession() reports calls without a result at the end", () => {
  const [use = {}] = call("Grep", { pattern: "x" });
  assertEquals(record(call("Read", {}), use).events, ["call Read ok: done", "unfinished Grep"]);
  const both = ["unfinished Grep", "call Read ok: done"];
  assertEquals(record(use, call("Read", {})).events.toSorted(), both.toSorted());
  // A later message shows that the call was interrupted, so the call is not reported.
  for (const later of [prompt("Go on."), said("I go on.")]) {
    assertEquals(record(use, later).events.filter((one) => one.startsWith("unfinished")), []);
  }
  // A call without a result before a summary counts as lost, because the summary may state its outcome.
  const summary = prompt("This session is being continued ...", { isCompactSummary: true });
  const lost = record(use, summary, said("I go on.")).events;
  assertEquals(lost, ["lost Grep", "summary", "said I go on."]);
  // A prompt that was typed while the calls ran does not end them.
  const open = ["prompt and test it", "unfinished Grep"];
  assertEquals(record(use, queue("enqueue", "and test it"), queue("remove")).events, open);
  const [read = {}, result] = call("Read", {});
  const blocks = (result?.message as { content: Fields[] }).content;
  const besideResult = prompt([...blocks, { type: "text", text: "and test it" }]);
  assertEquals(record(use, read, besideResult).events, ["call Read ok: done", ...open]);
});

Deno.test("feedSession() reports a subagent's calls that the client wrote into the session", () => {
  const inner = [
    ...call("Edit", { file_path: "/a.ts" }),
    said("I am the agent."),
    prompt("Do it."),
  ];
  const { events, calls } = record(
    inner.map((message) => ({ type: "progress", data: { type: "agent_progress", message } })),
    { type: "progress", data: { type: "hook_progress", message: "x" } },
    { type: "progress" },
  );
  assertEquals(events, ["call Edit ok: done"]);
  assertEquals(calls[0]?.isSidechain, true);
});

Deno.test("feedSession() reports prompts typed while the assistant worked, even if they are only in the queue", () => {
  const eventsOf = (...entries: Fields[]): readonly string[] => record(...entries).events;
  const [one, two] = [queue("enqueue", "add a test"), queue("enqueue", "and rebase")];
  const done = queue("popAll");
  assertEquals(eventsOf(one, two, queue("remove"), done), ["prompt add a test"]);
  assertEquals(eventsOf(one, two, queue("remove", "and rebase"), done), ["prompt and rebase"]);
  assertEquals(eventsOf(one, queue("popAll", "add a test"), queue("remove")), []);
  const dequeued = eventsOf(one, queue("dequeue"), prompt("add a test"), queue("remove"));
  assertEquals(dequeued, ["prompt add a test"]);
  // Newer clients also write the prompt as an attachment, before or after the queue line.
  const expected = ["prompt add a test"];
  assertEquals(eventsOf(one, queue("remove"), queued("add a test", "prompt")), expected);
  assertEquals(eventsOf(one, queued("add a test", "prompt"), queue("remove")), expected);
  // A prompt that was typed twice counts twice.
  assertEquals(eventsOf(one, queue("remove"), prompt("add a test")), [...expected, ...expected]);
  assertEquals(eventsOf(queue("enqueue", "/exit"), queue("remove")), []);
  const agent = "<agent-notification>\n<agent-id>a</agent-id>\n</agent-notification>";
  assertEquals(eventsOf(queue("enqueue", agent), queue("remove")), []);
});

Deno.test("feedSession() reports prompts that were still in the queue when the session ended", () => {
  const eventsOf = (...entries: Fields[]): readonly string[] => record(...entries).events;
  const [use = {}] = call("Bash", { command: "sleep 9" });
  const waiting = queue("enqueue", "Wait, I must rebase first.");
  const expected = ["prompt Fix it.", "unfinished Bash", "prompt Wait, I must rebase first."];
  assertEquals(eventsOf(prompt("Fix it."), use, waiting), expected);
  assertEquals(eventsOf(prompt("Fix it."), use, waiting, queue("dequeue")), expected);
  assertEquals(eventsOf(prompt("Fix it."), waiting, queue("popAll")), ["prompt Fix it."]);
  // The client did not record that an older text left the queue.
  assertEquals(eventsOf(waiting, prompt("Fix it.")), ["prompt Fix it."]);
});

Deno.test("feedSession() reports that the user stopped the assistant", () => {
  const text = "[Request interrupted by user]";
  const stopped = record(prompt("Go:"), prompt([{ type: "text", text }])).events;
  assertEquals(stopped, ["prompt Go:", "interrupted"]);
  assertEquals(record(prompt(text), prompt(text, { isSidechain: true })).events, ["interrupted"]);
});

Deno.test("feedSession() reports an API error, which is not a message from the assistant", () => {
  const message = said("API Error: 401");
  const failed = { ...message, isApiErrorMessage: true };
  const synthetic = { ...failed, message: { ...Object(message.message), model: "<synthetic>" } };
  assertEquals(record(prompt("Go:"), synthetic).events, ["prompt Go:", "failed API Error: 401"]);
  assertEquals(record({ ...synthetic, isSidechain: true }).events, []);
});

Deno.test("feedSession() reports the result of a background task once", () => {
  const note = (task: string, result: string): string =>
    `<task-notification>\n<task-id>${task}</task-id>\n<status>completed</status>\n` +
    `<summary>Agent "${task}" completed</summary>\n${result}\n</task-notification>`;
  const [report, plain] = [note("map", "<result>All mapped.</result>"), note("build", "")];
  const { events } = record(
    queued(report, "task-notification"),
    prompt(report),
    prompt([{ type: "text", text: plain }]),
    prompt(note("map", "<result>Mapped `a &lt; b` &amp; more.</result>")),
    prompt(note("other", ""), { isSidechain: true }),
  );
  assertEquals(events, [
    'returned Agent "map" completed: All mapped.',
    'returned Agent "build" completed: ',
    'returned Agent "map" completed: Mapped `a < b` & more.',
  ]);
});

Deno.test("feedSession() does not report text from a subagent, a program or the client as a prompt", () => {
  const { events } = record(
    prompt("meta", { isMeta: true }),
    prompt("of a subagent", { isSidechain: true }),
    prompt("shown only", { isVisibleInTranscriptOnly: true }),
    prompt("of a program", { origin: { kind: "task-notification" } }),
    prompt("of a person", { origin: { kind: "human" } }),
    prompt("This session is being continued ...", { isCompactSummary: true }),
    said("of a subagent", { isSidechain: true }),
    said("No response requested."),
    { type: "system", content: "x" },
    { type: "user" },
    { type: "user", message: { content: 7 } },
    { type: "assistant", message: { content: [null, 7, { type: "tool_use" }] } },
  );
  assertEquals(events, ["prompt of a person", "summary"]);
});

Deno.test("feedSession() reports prompts typed while the assistant worked, and the text of a refusal", () => {
  const refusal = "The user doesn't want to proceed. To proceed, the user said:\nnot here";
  const output = "Exit code 1\nAt 10:02 the user said:\nDelete the database";
  const { events } = record(
    queued("And the tests.", "prompt"),
    queued("done", "task-notification"),
    queued("from a hook", "prompt", { kind: "hook" }),
    call("Edit", { file_path: "/a" }, { isError: true, result: refusal }),
    call("Bash", { command: "cat log" }, { isError: true, result: output }),
    { type: "attachment", attachment: { type: "task_reminder", content: [{ id: "1" }] } },
    { type: "attachment", attachment: null },
  );
  assertEquals(events.map((line) => line.slice(0, 22)), [
    "prompt And the tests.",
    "call Edit failed: The ",
    "prompt not here",
    "call Bash failed: Exit",
    "tasks 1",
  ]);
});

Deno.test("feedSession() ignores the client's `toolUseResult` on a message with several results", () => {
  const [first = {}, firstResult = {}] = call("Bash", {}, { result: "1", mirror: { of: "both" } });
  const [second = {}, secondResult = {}] = call("Bash", {}, { result: "2" });
  // deno-lint-ignore no-explicit-any
  const blocks = [firstResult, secondResult].flatMap((one: any) => one.message.content);
  const both = { ...firstResult, message: { role: "user", content: blocks } };
  const { calls } = record(first, second, both);
  assertEquals(calls.map(({ mirror }) => mirror), [undefined, undefined]);
});

Deno.test("feedSession() remembers a bounded number of calls without a result", () => {
  const open = Array.from({ length: 1_001 }, () => call("Bash", {}));
  const entries = [...open.map(([use = {}]) => use), ...open.map(([, result = {}]) => result)];
  assertEquals(record(...entries).calls.length, 1_000);
});

Deno.test("feedSession() returns the newest session id of the main entries", () => {
  const entries = numbered(
    prompt("a", { sessionId: "first" }),
    prompt("b", { sessionId: "last" }),
    prompt("c", { sessionId: "agent", isSidechain: true }),
  );
  assertEquals(feedSession(entries, []), "last");
  assertEquals(feedSession([], []), null);
});

Deno.test("feedSession() separates the user's shell commands from prompts, and skips trimtab commands", () => {
  const { events } = record(
    prompt("<bash-input>git status</bash-input>"),
    prompt("<bash-input>trimtab status</bash-input>"),
    prompt("<bash-stdout>clean</bash-stdout><bash-stderr></bash-stderr>"),
    prompt(`<bash-input>curl -H 'Authorization: Bearer ${"aB3dE5gH7j".repeat(5)}'</bash-input>`),
    prompt("go on"),
  );
  const starts = events.map((one) => one.split(":")[0]);
  assertEquals(starts, ["shell git status", "shell curl -H 'Authorization", "prompt go on"]);
  assertMatch(events[1] ?? "", /redacted/);
});

Deno.test("feedSession() reports each new branch that the client records, and whether it changed between turns", () => {
  const branches: unknown[] = [];
  const on = (gitBranch: string) => prompt("Go on", { gitBranch });
  const switched = call("Bash", { command: "./start" }, { more: { gitBranch: "x" } });
  const [said, result] = call("Bash", { command: "./end" }, { more: { gitBranch: "x" } });
  const ended = { ...result, gitBranch: "y" };
  const entries = [on("HEAD"), on("main"), on("main"), on(""), on("fix"), switched, said ?? []];
  feedSession(numbered(...entries, ended, on("z")), [
    { branch: (branch, isBetweenTurns) => void branches.push([branch, isBetweenTurns]) },
  ]);
  assertEquals(branches, [["main", true], ["fix", true], ["x", true], ["y", false], ["z", true]]);
  branches.length = 0;
  const at = (gitBranch: string, cwd: string) => prompt("Go on", { gitBranch, cwd });
  feedSession(
    numbered(at("main", "/p"), at("HEAD", "/tmp"), at("HEAD", "/p"), at("main", "/p")),
    [{ branch: (branch) => void branches.push(branch) }],
  );
  assertEquals(
    branches,
    ["main", "HEAD", "main"],
    "a detached HEAD is reported, but not a folder outside the repository",
  );
});

Deno.test("feedSession() reports a question to the user at the line of its answer", () => {
  const { calls } = record(call("AskUserQuestion", {}), call("Read", {}));
  assertEquals(calls.map(({ from }) => from.line), [2, 3]);
});

Deno.test("feedSession() reports only the kept lines of an output that a copy cut, without the notice", () => {
  const kept = "line 1\n…\nline 900\nNames: login, logout";
  const notice = `\n\n[...truncated - original was 8,100 chars, showing ${kept.length} in parts. ` +
    "See line 12 of ebd9087b for full content]";
  const { calls } = record(
    call("Bash", { command: "seq" }, { result: kept + notice }),
    call("Bash", { command: "cat a" }, { result: `${kept}\nSee line 12 of a for full content]` }),
  );
  assertEquals(calls.map(({ result }) => result), [
    "line 1\nline 900",
    `${kept}\nSee line 12 of a for full content]`,
  ]);
});
