import { assertEquals, assertMatch } from "@std/assert";
import { feedSession } from "../../src/extract/session_events.ts";
import type { Collector, FinishedCall, OpenCall } from "../../src/core/work_state.ts";
import { call, type Fields, numbered, prompt, said } from "./events.ts";

class Recorder implements Collector {
  readonly events: string[] = [];
  readonly calls: FinishedCall[] = [];
  prompt(text: string): void {
    this.events.push(`prompt ${text}`);
  }
  shell(command: string): void {
    this.events.push(`shell ${command}`);
  }
  said(text: string): void {
    this.events.push(`said ${text}`);
  }
  call(one: FinishedCall): void {
    this.calls.push(one);
    this.events.push(`call ${one.name} ${one.isError ? "failed" : "ok"}: ${one.result}`);
  }
  tasks(tasks: readonly unknown[]): void {
    this.events.push(`tasks ${tasks.length}`);
  }
  summary(): void {
    this.events.push("summary");
  }
  returned(summary: string, report: string): void {
    this.events.push(`returned ${summary}: ${report}`);
  }
  interrupted(): void {
    this.events.push("interrupted");
  }
  unfinished(call: OpenCall): void {
    this.events.push(`unfinished ${call.name}`);
  }
}

function record(...entries: readonly (Fields | readonly Fields[])[]): Recorder {
  const recorder = new Recorder();
  feedSession(numbered(...entries), [recorder]);
  return recorder;
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

Deno.test("feedSession() pairs a call with a result on an earlier line", () => {
  const [use = {}, result = {}] = call("Read", { file_path: "/a" }, { result: "text" });
  assertEquals(record(result, use).events, ["call Read ok: text"]);
});

Deno.test("feedSession() reports calls without a result at the end", () => {
  const [use = {}] = call("Grep", { pattern: "x" });
  assertEquals(record(call("Read", {}), use).events, ["call Read ok: done", "unfinished Grep"]);
  const both = ["unfinished Grep", "call Read ok: done"];
  assertEquals(record(use, call("Read", {})).events.toSorted(), both.toSorted());
  // A call that was interrupted, by a compaction or by Esc, never gets a result.
  const summary = prompt("This session is being continued ...", { isCompactSummary: true });
  for (const later of [prompt("Go on."), said("I go on."), summary]) {
    assertEquals(record(use, later).events.filter((one) => one.startsWith("unfinished")), []);
  }
  // A prompt that was typed while the calls ran does not end them.
  const queued = [
    { type: "queue-operation", operation: "enqueue", content: "and test it" },
    { type: "queue-operation", operation: "remove", content: "and test it" },
  ];
  const open = ["prompt and test it", "unfinished Grep"];
  assertEquals(record(use, ...queued).events, open);
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
  const queue = (operation: string, content?: string): Fields => ({
    type: "queue-operation",
    operation,
    ...(content === undefined ? {} : { content }),
  });
  const attachment = (text: string): Fields => ({
    type: "attachment",
    attachment: { type: "queued_command", commandMode: "prompt", prompt: text },
  });
  const eventsOf = (...entries: Fields[]): string[] => record(...entries).events;
  const [one, two] = [queue("enqueue", "add a test"), queue("enqueue", "and rebase")];
  assertEquals(eventsOf(one, two, queue("remove")), ["prompt add a test"]);
  assertEquals(eventsOf(one, two, queue("remove", "and rebase")), ["prompt and rebase"]);
  assertEquals(eventsOf(one, queue("popAll", "add a test"), queue("remove")), []);
  assertEquals(eventsOf(one, queue("dequeue"), prompt("add a test"), queue("remove")), [
    "prompt add a test",
  ]);
  // Newer clients also write the prompt as an attachment, before or after the queue line.
  const expected = ["prompt add a test"];
  assertEquals(eventsOf(one, queue("remove"), attachment("add a test")), expected);
  assertEquals(eventsOf(one, attachment("add a test"), queue("remove")), expected);
  // A prompt that was typed twice counts twice.
  assertEquals(eventsOf(one, queue("remove"), prompt("add a test")), [...expected, ...expected]);
  assertEquals(eventsOf(queue("enqueue", "/exit"), queue("remove")), []);
  const agent = "<agent-notification>\n<agent-id>a</agent-id>\n</agent-notification>";
  assertEquals(eventsOf(queue("enqueue", agent), queue("remove")), []);
});

Deno.test("feedSession() reports that the user stopped the assistant", () => {
  const text = "[Request interrupted by user]";
  assertEquals(record(prompt("Go:"), prompt([{ type: "text", text }])).events, [
    "prompt Go:",
    "interrupted",
  ]);
  assertEquals(record(prompt(text), prompt(text, { isSidechain: true })).events, ["interrupted"]);
});

Deno.test("feedSession() reports a result from the background once", () => {
  const note = (task: string, result: string): string =>
    `<task-notification>\n<task-id>${task}</task-id>\n<status>completed</status>\n` +
    `<summary>Agent "${task}" completed</summary>\n${result}\n</task-notification>`;
  const [report, plain] = [note("map", "<result>All mapped.</result>"), note("build", "")];
  const { events } = record(
    { type: "attachment", attachment: { type: "queued_command", prompt: report } },
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

Deno.test("feedSession() does not report other text as the user's", () => {
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
  const queued = (commandMode: string, text: string, origin?: unknown): Fields => ({
    type: "attachment",
    attachment: { type: "queued_command", commandMode, prompt: text, origin },
  });
  const { events } = record(
    queued("prompt", "And the tests."),
    queued("task-notification", "done"),
    queued("prompt", "from a hook", { kind: "hook" }),
    call("Edit", { file_path: "/a" }, {
      isError: true,
      result: "The user doesn't want to proceed. The user said:\nnot here".replace(
        "The user said",
        "the user said",
      ),
    }),
    { type: "attachment", attachment: { type: "task_reminder", content: [{ id: "1" }] } },
    { type: "attachment", attachment: null },
  );
  assertEquals(events.map((line) => line.slice(0, 22)), [
    "prompt And the tests.",
    "call Edit failed: The ",
    "prompt not here",
    "tasks 1",
  ]);
});

Deno.test("feedSession() marks subagents' calls as such", () => {
  const { calls } = record(call("Edit", { file_path: "/a" }, { more: { isSidechain: true } }));
  assertEquals(calls.map(({ isSidechain }) => isSidechain), [true]);
});

Deno.test("feedSession() does not attach the screen copy of several results to a call", () => {
  const [first = {}, firstResult = {}] = call("Bash", {}, { result: "1", mirror: { of: "both" } });
  const [second = {}, secondResult = {}] = call("Bash", {}, { result: "2" });
  // deno-lint-ignore no-explicit-any
  const blocks = [firstResult, secondResult].flatMap((one: any) => one.message.content);
  const both = { ...firstResult, message: { role: "user", content: blocks } };
  assertEquals(record(first, second, both).calls.map(({ mirror }) => mirror), [
    undefined,
    undefined,
  ]);
});

Deno.test("feedSession() remembers a bounded number of calls without a result", () => {
  const open = Array.from({ length: 1_001 }, () => call("Bash", {}));
  const entries = [...open.map(([use = {}]) => use), ...open.map(([, result = {}]) => result)];
  assertEquals(record(...entries).calls.length, 1_000);
});

Deno.test("feedSession() returns the session that the main entries belong to", () => {
  const entries = numbered(
    prompt("a", { sessionId: "first" }),
    prompt("b", { sessionId: "last" }),
    prompt("c", { sessionId: "agent", isSidechain: true }),
  );
  assertEquals(feedSession(entries, []), "last");
  assertEquals(feedSession([], []), null);
});

Deno.test("feedSession() separates the user's shell commands from prompts, and skips trimtab's own", () => {
  const { events } = record(
    prompt("<bash-input>git status</bash-input>"),
    prompt("<bash-input>trimtab status</bash-input>"),
    prompt("<bash-stdout>clean</bash-stdout><bash-stderr></bash-stderr>"),
    prompt(
      `<bash-input>curl -H 'Authorization: Bearer ${"aB3dE5gH7jK9mN1p".repeat(3)}'</bash-input>`,
    ),
    prompt("go on"),
  );
  assertEquals(events.map((one) => one.split(":")[0]), [
    "shell git status",
    "shell curl -H 'Authorization",
    "prompt go on",
  ]);
  assertMatch(events[1] ?? "", /redacted/);
});

Deno.test("feedSession() reports the branch if the client names it", () => {
  const branches: string[] = [];
  const on = (gitBranch: string) => prompt("Go on", { gitBranch });
  feedSession(numbered(on("HEAD"), on("main"), on("main"), on(""), on("fix")), [
    { branch: (branch) => void branches.push(branch) },
  ]);
  assertEquals(branches, ["main", "fix"]);
});
