/**
 * Tests the test bed itself: the real client runs against the mock, which rejects the same requests as the
 * API.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  findClient,
  makeResumable,
  newHome,
  newSmallHome,
  runClient,
  runClientWell,
} from "./bed/client.ts";
import { makePng } from "./bed/image.ts";
import { kindOf } from "./bed/kind.ts";
import {
  type Mock,
  OVERLOADED,
  PROMPT_TOO_LONG,
  type ScriptedBlock,
  startMock,
  textOf,
} from "./bed/mock_api.ts";
import { signThinking } from "./bed/signature.ts";
import { hasTmux, openTerminal } from "./bed/terminal.ts";
import { contextTokensOf, countUsage } from "./bed/tokens.ts";
import { isNewerClient } from "./bed/version.ts";
import {
  blocksOf,
  type WireBlock,
  type WireMessage,
  type WireRequest,
  withoutTokensLeft,
} from "./bed/wire.ts";

const isTmuxMissing = !hasTmux();
if (isTmuxMissing) {
  console.warn("tmux is not here: the tests of the interactive client are skipped");
}

function call(name: string, input: Record<string, unknown>): ScriptedBlock {
  return { type: "tool_use", name, input };
}

function results(mock: Mock): string[] {
  const messages = mock.of("main").at(-1)?.body.messages ?? [];
  return messages.flatMap((message) => blocksOf(message.content))
    .filter((block) => block.type === "tool_result")
    .map((block) => blocksOf(block.content).map((inner) => inner.text ?? "").join(""))
    .map(withoutTokensLeft);
}

async function post(mock: Mock, body: BodyInit): Promise<{ status: number; message: string }> {
  const response = await fetch(`${mock.url}/v1/messages?beta=true`, { method: "POST", body });
  const answer = await response.json();
  return { status: response.status, message: answer.error?.message ?? "" };
}

function body(...messages: WireMessage[]): WireRequest {
  return { model: "m", messages };
}

const asked: WireMessage = {
  role: "assistant",
  content: [{ type: "tool_use", id: "a", name: "Bash", input: {} }],
};
const answered: WireMessage = {
  role: "user",
  content: [{ type: "tool_result", tool_use_id: "a", content: "x" }],
};
const hello: WireMessage = { role: "user", content: "hello" };

function userBlocks(...content: WireBlock[]): WireRequest {
  return body({ role: "user", content });
}

function thinking(text: string, signature: string): WireRequest {
  const content = [{ type: "thinking", thinking: text, signature }, { type: "text", text: "t" }];
  return body(hello, { role: "assistant", content }, hello);
}

async function image(width: number, height: number, mediaType = "image/png"): Promise<WireBlock> {
  const data = (await makePng(width, height)).toBase64();
  return { type: "image", source: { type: "base64", media_type: mediaType, data } };
}

async function badRequests(): Promise<Record<string, { body: BodyInit; message: string }>> {
  const refused = (request: WireRequest, message: string): { body: BodyInit; message: string } => ({
    body: JSON.stringify(request),
    message,
  });
  const signature = signThinking("a thought");
  return {
    "no JSON": { body: "{", message: "not valid JSON" },
    "invalid UTF-8": { body: new Uint8Array([34, 0xc3, 34]), message: "not valid JSON" },
    "half a surrogate pair": {
      body: JSON.stringify(body(hello)).replace("hello", "\\ud83d"),
      message: "no low surrogate",
    },
    "no message": refused(body(), "at least one message"),
    "assistant first": refused(body({ role: "assistant", content: "x" }), "user role"),
    "unknown role": refused(body({ role: "tool", content: "x" }), "messages.0.role"),
    "system first": refused(body({ role: "system", content: "x" }), "user role"),
    "a picture in a system message": refused(
      body(hello, { role: "system", content: [{ type: "image" }] }),
      "nothing but text",
    ),
    "empty content": refused(body({ role: "user", content: [] }), "non-empty content"),
    "empty text": refused(userBlocks({ type: "text", text: "" }), "must be non-empty"),
    "blank text": refused(userBlocks({ type: "text", text: " \n" }), "non-whitespace"),
    "text of a wrong type": {
      body: JSON.stringify(userBlocks({ type: "text" })),
      message: "Field required",
    },
    "empty text in a result": refused(
      body(hello, asked, {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "" }] }],
      }),
      "tool_result.content.0: text content blocks must be non-empty",
    ),
    "call without a result": refused(body(hello, asked), "without `tool_result`"),
    "result too late": refused(body(hello, asked, hello, asked), "without `tool_result`"),
    "result without a call": refused(body(hello, answered), "unexpected `tool_use_id`"),
    "two results of one call": refused(body(hello, asked, answered, answered), "single result"),
    "call id twice": refused(body(hello, asked, answered, asked, answered), "must be unique"),
    "input of a wrong type": refused(
      body(hello, {
        role: "assistant",
        content: [{ type: "tool_use", id: "a", name: "Bash", input: "ls" }],
      }, answered),
      "valid dictionary",
    ),
    "result of a wrong type": refused(
      body(hello, asked, {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "a", content: JSON.parse("42") }],
      }),
      "tool_result.content: Input should be a valid list",
    ),
    "text before a result": refused(body(hello, asked, hello, answered), "must come before"),
    "thinking emptied": refused(thinking("", signature), "Invalid `signature`"),
    "thinking changed": refused(thinking("another", signature), "Invalid `signature`"),
    "thinking unsigned": refused(thinking("a thought", ""), "signature: Field required"),
    "image that is none": refused(
      userBlocks({
        type: "image",
        source: { type: "base64", media_type: "image/png", data: "AAAA" },
      }),
      "Could not process image",
    ),
    "image cut": refused(
      userBlocks({ type: "image", source: { type: "base64", media_type: "image/png", data: "A" } }),
      "invalid base64",
    ),
    "image of another type": refused(userBlocks(await image(1, 1, "image/jpeg")), "but it is"),
    "image too large": refused(userBlocks(await image(8001, 1)), "8000 pixels"),
    "large image among many": refused(
      userBlocks(...Array(20).fill(await image(1, 1)), await image(2001, 1)),
      "2000 pixels",
    ),
    "too many cache marks": refused(
      userBlocks(...Array(5).fill({ type: "text", text: "x", cache_control: {} })),
      "maximum of 4",
    ),
  };
}

Deno.test("startMock() rejects a request that breaks a rule of the API, and logs why", async (t) => {
  await using mock = startMock();
  for (const [name, { body, message }] of Object.entries(await badRequests())) {
    await t.step(name, async () => {
      const before = mock.violations.length;
      const answer = await post(mock, body);
      assertEquals(answer.status, 400);
      assertStringIncludes(answer.message, message);
      assertEquals(mock.violations.slice(before), [answer.message]);
    });
  }
});

Deno.test("startMock() accepts what the API accepts", async () => {
  await using mock = startMock();
  const signature = signThinking("a thought");
  const taken: WireRequest[] = [
    body(hello),
    body(hello, hello),
    body(hello, asked, answered, hello),
    thinking("a thought", signature),
    thinking("", signThinking("")),
    thinking("", "a-signature-from-elsewhere"),
    userBlocks({ type: "text", text: "a lone \ufffd is fine, and so is \u{1f600}" }),
    userBlocks(await image(8000, 2)),
    userBlocks(...Array(21).fill(await image(2000, 2))),
  ];
  for (const request of taken) {
    assertEquals(await post(mock, JSON.stringify(request)), { status: 200, message: "" });
  }
  assertEquals(mock.violations, []);
});

Deno.test("startMock() counts a request's tokens the same way wherever it reports them", async () => {
  await using mock = startMock({ turns: ["one", { blocks: [], usage: { input_tokens: 7 } }] });
  const request = { ...body({ role: "user", content: "x".repeat(370) }), system: "y".repeat(37) };
  const send = async (path: string): Promise<Record<string, unknown>> =>
    await (await fetch(mock.url + path, {
      method: "POST",
      body: JSON.stringify({ ...request, tools: [{ name: "Bash" }] }),
    })).json();
  const total = contextTokensOf(countUsage({ ...request, tools: [{ name: "Bash" }] }));
  assertEquals(total, Math.ceil((370 + 37 + '[{"name":"Bash"}]'.length) / 3.7));
  assertEquals(await send("/v1/messages/count_tokens"), { input_tokens: total });
  assertEquals(contextTokensOf(Object((await send("/v1/messages")).usage)), total);
  const scripted = Object((await send("/v1/messages")).usage);
  assertEquals(contextTokensOf(scripted), 7, "a scripted input is the whole context");
});

Deno.test("startMock() answers with a script's error, limit and stream", async () => {
  await using mock = startMock({
    respond: ({ body }) => body.model === "busy" ? { error: OVERLOADED } : undefined,
    limitTokens: 100,
  });
  const busy = { ...body(hello), model: "busy" };
  assertEquals(await post(mock, JSON.stringify(busy)), { status: 529, message: "Overloaded" });
  const long = await post(mock, JSON.stringify(body({ role: "user", content: "x".repeat(999) })));
  assertEquals(long, { status: 400, message: "prompt is too long: 270 tokens > 100 maximum" });
  const streamed = await fetch(`${mock.url}/v1/messages`, {
    method: "POST",
    body: JSON.stringify({ ...body(hello), stream: true }),
  });
  const events = (await streamed.text()).match(/^event: .*/gm);
  assertEquals(events, [
    "event: message_start",
    "event: content_block_start",
    "event: content_block_delta",
    "event: content_block_stop",
    "event: message_delta",
    "event: message_stop",
  ]);
  assertEquals(mock.violations, [], "a scripted refusal is no violation");
});

Deno.test("findClient() gives every caller the same program when many ask at once", async () => {
  const [first, ...others] = await Promise.all([findClient(), findClient(), findClient()]);
  assert(Deno.statSync(first).isFile);
  assertEquals(others, [first, first]);
});

Deno.test("runClient() carries the results of five tools to the mock", async () => {
  using home = newHome();
  const notes = `${home.cwd}/notes.txt`;
  await using mock = startMock({
    turns: [
      [{ type: "text", text: "I look." }, call("Bash", { command: "echo from-bash" })],
      [call("Write", { file_path: notes, content: "first\nsecond needle\n" })],
      [{ type: "thinking", thinking: "now read" }, call("Read", { file_path: notes })],
      [call("Grep", { pattern: "needle", path: home.cwd, output_mode: "content" })],
      [call("Glob", { pattern: "*.txt", path: home.cwd })],
      "All done.",
    ],
  });
  const run = await runClientWell({ home, mock, prompt: "look around" });
  assertEquals(run.json?.result, "All done.");
  assertEquals(mock.violations, []);
  assertEquals(Deno.readTextFileSync(notes), "first\nsecond needle\n");
  const [bash, write, read, grep, glob] = results(mock);
  assertEquals(bash, "from-bash");
  assertStringIncludes(write ?? "", "notes.txt");
  assertStringIncludes(read ?? "", "second needle");
  assertStringIncludes(grep ?? "", "second needle");
  assertStringIncludes(glob ?? "", "notes.txt");
  assert(run.transcriptPath.startsWith(`${home.sessions}/`));
  assertStringIncludes(Deno.readTextFileSync(run.transcriptPath), "second needle");
});

Deno.test("runClient() sends the results of parallel calls together", async () => {
  using home = newHome();
  await using mock = startMock({
    turns: [[1, 2, 3].map((n) => call("Bash", { command: `echo parallel-${n}` })), "Done."],
  });
  await runClientWell({ home, mock, prompt: "three at once" });
  assertEquals(results(mock).toSorted(), ["parallel-1", "parallel-2", "parallel-3"]);
  assertEquals(mock.violations, []);
});

Deno.test("kindOf() depends on the last text, the headers and the tools of a request", () => {
  const tools = [{ name: "Bash" }];
  const order = "CRITICAL: text only.\n\nYour task is to create a detailed summary of it all";
  const ask = (...content: WireBlock[]): WireRequest => ({ ...userBlocks(...content), tools });
  const greeting = { type: "text", text: "hello" };
  const agent = { type: "text", text: "x-anthropic-billing-header: cc_is_subagent=true;" };
  assertEquals(kindOf(ask(greeting), {}), "main");
  assertEquals(kindOf(ask(greeting, { type: "text", text: order }), {}), "summariser");
  assertEquals(kindOf(ask({ type: "text", text: order }, greeting), {}), "main", "only quoted");
  assertEquals(kindOf(ask(greeting), { "x-claude-code-agent-id": "a1" }), "subagent");
  assertEquals(kindOf({ ...ask(greeting), system: [agent] }, {}), "subagent");
  assertEquals(kindOf(userBlocks(greeting), {}), "side");
});

Deno.test("startMock() distinguishes a session's requests from an agent's", async () => {
  using home = newHome();
  await using mock = startMock({
    turns: [
      [call("Agent", { description: "look", prompt: "find it", subagent_type: "general-purpose" })],
      "Done.",
    ],
    respond: ({ kind }) => kind === "subagent" ? "found-by-agent" : undefined,
  });
  await runClientWell({ home, mock, prompt: "ask an agent" });
  assertEquals(mock.of("subagent").map(({ isSideCall }) => isSideCall), [true]);
  if (await isNewerClient()) {
    // Agents work in the background, so the client may send requests before and after an agent is done.
    assertStringIncludes(mock.of("main").map(textOf).join(), "found-by");
  } else {
    assertEquals(mock.requests.map(({ kind }) => kind), ["main", "subagent", "main"]);
    assertStringIncludes(results(mock).join(), "found-by");
  }
});

Deno.test("runClient() compacts automatically when the prompt is too long, and continues", async () => {
  using home = newHome();
  await using mock = startMock({
    turns: [
      [call("Bash", { command: "echo one" })],
      [call("Bash", { command: "echo two" })],
      { error: PROMPT_TOO_LONG },
      "Went on.",
    ],
    summary: "what-the-mock-remembers",
  });
  const run = await runClientWell({ home, mock, prompt: "a long story" });
  assertEquals(run.json?.result, "Went on.");
  const kinds = mock.requests.map(({ kind }) => kind);
  assertEquals(kinds, ["main", "main", "main", "summariser", "main"]);
  assertStringIncludes(mock.requests.slice(-1).map(textOf).join(), "what-the-mock-remembers");
  assertStringIncludes(Deno.readTextFileSync(run.transcriptPath), '"compact_boundary"');
  assertEquals(mock.violations, []);
});

Deno.test("runClient() keeps deno off the client's PATH when asked to", async () => {
  using home = newHome();
  await using mock = startMock({
    turns: [[call("Bash", { command: 'echo "PATH is $PATH"' })], "Done."],
  });
  await runClientWell({ home, mock, prompt: "where am I", withDeno: false });
  assertEquals(results(mock), ["PATH is /usr/bin:/bin"]);
});

Deno.test("runClient() reports a session that does not exist by exit code", async () => {
  using home = newHome();
  await using mock = startMock();
  const args = ["--resume", "00000000-0000-4000-8000-000000000000"];
  const run = await runClient({ home, mock, prompt: "hello", args });
  assertEquals(run.code, 1);
  assertStringIncludes(run.stdout + run.stderr, "No conversation found");
  assertEquals(mock.requests, []);
});

Deno.test({
  name: "openTerminal() types a prompt, shows the answer and runs the status line",
  ignore: isTmuxMissing,
  fn: async () => {
    const command = `grep -o '"used_percentage":[0-9]*'`;
    const statusLine = { type: "command", command };
    using home = newSmallHome({ statusLine });
    await using mock = startMock({
      turns: [{
        blocks: [{ type: "text", text: "Hello from the mock." }],
        usage: { input_tokens: 140_000 },
      }],
    });
    await using terminal = await openTerminal({ home, mock });
    await terminal.submit("say hello, please");
    await terminal.see(/Hello from the mock\./);
    await terminal.see(/"used_percentage":70/);
    await terminal.submit("/exit");
    await terminal.ended();
    assertEquals(mock.violations, []);
    assertStringIncludes(textOf(await mock.request(({ kind }) => kind === "main")), "say hello");
  },
});

Deno.test({
  name: "openTerminal() resumes a headless session by an id that is typed",
  ignore: isTmuxMissing,
  fn: async () => {
    using home = newHome();
    await using mock = startMock({ turns: ["An earlier answer.", "A later answer."] });
    const earlier = await runClientWell({ home, mock, prompt: "an earlier question" });
    makeResumable(earlier.transcriptPath);
    await using terminal = await openTerminal({ home, mock });
    await terminal.submit(`/resume ${earlier.sessionId}`);
    await terminal.see(/An earlier answer\./);
    const long = "a question that is long enough to be wrapped in the input box, ".repeat(3);
    await terminal.submit(long.trim());
    await terminal.see(/A later answer\./);
    const sent = mock.of("main").slice(-1).map(textOf).join();
    assertStringIncludes(sent, "an earlier question");
    assertStringIncludes(sent, long.trim());
    assertEquals(mock.violations, []);
  },
});
