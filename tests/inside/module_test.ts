// In most tests, functions of the fake client fail. The module must then make a copy or report the failure,
// and must leave the client's own answers unchanged. tests/e2e/inside_test.ts covers the real client.

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { register } from "../../hooks/_inside.ts";
import { answerTrimTool } from "../../hooks/_inside_auto.ts";
import type { Client, On } from "../../src/inside/client.ts";
import { fakeFiles, resolving } from "./fake_files.ts";

type Hook = (client: Client, event: unknown, next: (event: unknown) => Promise<unknown>) => unknown;

const failing = new Map<string, (client: unknown, event: unknown) => unknown>();

function hooks(): Map<string, Hook> {
  const found = new Map<string, Hook>();
  const on = (event: string, ...more: unknown[]): unknown => {
    // deno-lint-ignore no-explicit-any
    found.set(event, more.at(-1) as any);
    // deno-lint-ignore no-explicit-any
    return { catch: (handler: any) => void failing.set(event, handler) };
  };
  register(on as On);
  return found;
}

function brokenClient(): { client: Client; logged: string[] } {
  const logged: string[] = [];
  const rejecting = new Proxy({}, {
    get: () => () => Promise.reject(new Error("not in this release")),
  });
  const ui = { log: (text: string) => logged.push(text), status: () => {} };
  const [session, command, fs, clock, process, prompt] = Array(6).fill(rejecting);
  const client = { session, command, fs, clock, process, prompt, ui };
  return { client: client as unknown as Client, logged };
}

async function trim(
  args: string,
  client: Client,
  next: () => Promise<unknown> = () => Promise.reject(),
): Promise<unknown> {
  return await hooks().get("command.run")?.(client, { command: "trimtab:trim", args }, next);
}

const CLIENT_ANSWER = "the client's own";

const TERMINAL = { surfaces: ["terminal"], id: "s", root: "/p" };

function answerAsClient(): Promise<unknown> {
  return Promise.resolve(CLIENT_ANSWER);
}

async function answer(
  event: string,
  payload: unknown,
): Promise<{ answered: unknown; logged: string[] }> {
  const { client, logged } = brokenClient();
  return { answered: await hooks().get(event)?.(client, payload, answerAsClient), logged };
}

Deno.test("the module registers exactly the expected hooks", () => {
  assertEquals(
    [...hooks().keys()].sort().join(" "),
    "classic.PostToolBatch classic.SessionStart classic.Stop classic.UserPromptSubmit command.run " +
      "session.compact session.end session.measure session.start tool.call turn.complete",
  );
});

Deno.test("/trim makes a copy if the client lacks a function that a trim in place needs", async () => {
  const { client, logged } = brokenClient();
  assertEquals(await trim("", client, answerAsClient), CLIENT_ANSWER);
  assertStringIncludes(logged.join(), "writing a copy instead: not in this release");
});

Deno.test("/trim shows the error instead of making a copy for options that work only in place", async () => {
  for (const args of ["--status", "--entries", "--entry 3 --dry-run"]) {
    const { client, logged } = brokenClient();
    const answered = await trim(args, client, answerAsClient);
    assertEquals(answered, { text: "not in this release", isTextDisplayOnly: true }, args);
    assertEquals(logged, [], args);
  }
});

Deno.test("/trim makes no copy after a failed trim in place if the transcript ends with turns that the user has rewound", async () => {
  const line = (uuid: string, parentUuid: string | null): string =>
    JSON.stringify({ uuid, parentUuid, type: "user", message: { role: "user", content: uuid } });
  const path = "/c/projects/p/s.jsonl";
  const lines = [line("first", null), line("one", "first"), line("rewound", "one")];
  const files = new Map([[path, `${lines.join("\n")}\n`]]);
  const { client, logged } = brokenClient();
  Object.assign(client, {
    session: {
      ...resolving({ ...TERMINAL, model: "m", info: { transcriptPath: path } }),
      usage: () => Promise.reject(new Error("no usage")),
      messages: (args: object) =>
        Promise.resolve(
          "as" in args ? [] : [{ role: "user", text: "one", toolUses: [], uuid: "one" }],
        ),
    },
    fs: fakeFiles(files),
    env: resolving({ get: undefined }),
  });
  const answered = await trim("", client, answerAsClient) as { text: string };
  assertMatch(answered.text, /^Nothing was copied: the transcript still ends with the turns/);
  assertEquals(logged, []);
});

Deno.test("/trim reports invalid options, and rejects options that exclude each other", async () => {
  for (
    const [args, words] of [
      ["--no-such", "Cannot run trim: unknown option --no-such. Options: "],
      ["--keep-recent x", "Cannot run trim: --keep-recent must be a whole number of 0 or more"],
      ["--undo --dry-run", "Cannot run trim: --undo and --dry-run cannot be used together"],
      ["--drop #1 --keep-recent 0", "Cannot run trim: --drop and --keep-recent cannot be used"],
      ["--json --status", "Cannot run trim: --json and --status cannot be used together"],
      ["--copy --entry 3", "Cannot run trim: --copy and --entry cannot be used together"],
    ] as const
  ) {
    const { client, logged } = brokenClient();
    const answered = await trim(args, client) as { text: string; isTextDisplayOnly: boolean };
    assert(answered.text.startsWith(words) && answered.isTextDisplayOnly, answered.text);
    assertEquals(logged, [], args);
  }
});

Deno.test("/trim silently makes a copy for --copy, --json, --explain and another session", async () => {
  for (const args of ["--copy", "--json --explain", "--copy --json", "7f3a"]) {
    const { client, logged } = brokenClient();
    assertEquals(await trim(args, client, answerAsClient), CLIENT_ANSWER, args);
    assertEquals(logged, ["trimtab: not in this release"], "only in the debug log");
  }
});

Deno.test("/trim distinguishes an empty session from one whose transcript is missing", async () => {
  const answerWith = async (...messages: unknown[]): Promise<unknown> => {
    const { client } = brokenClient();
    Object.assign(client, {
      session: resolving({ ...TERMINAL, info: { transcriptPath: "/s.jsonl" }, messages }),
      fs: resolving({ exists: false }),
    });
    return (await trim("--status", client) as { text: string }).text;
  };
  assertEquals(await answerWith(), "Nothing to trim yet: this session has no messages");
  assertEquals(
    await answerWith({ role: "user", text: "Hi", toolUses: [] }),
    "Nothing was trimmed: this session has no transcript yet, so send a message first. A session " +
      "that the client does not save cannot be trimmed",
  );
});

Deno.test("/trim --copy answers with the hook's text, and puts /resume into an empty prompt if there is a terminal", async () => {
  const [id, ran, filled]: [string, unknown[], unknown[]] = [crypto.randomUUID(), [], []];
  const { client } = brokenClient();
  let [draft, isInTerminal] = ["", true];
  const answered = `Trimmed 2 tool outputs: 9k -> 2k tokens\nResume here with: /resume ${id}`;
  Object.assign(client, {
    session: {
      ...resolving({ ...TERMINAL, info: { transcriptPath: "/s.jsonl" } }),
      surfaces: () => Promise.resolve(isInTerminal ? ["terminal"] : []),
    },
    process: {
      hookEnv: () => Promise.resolve({ CLAUDE_PLUGIN_ROOT: "/plugin" }),
      run: (argv: string[], { stdin }: { stdin: string }) => {
        ran.push([argv, JSON.parse(stdin)]);
        return Promise.resolve({ stdout: JSON.stringify({ decision: "block", reason: answered }) });
      },
    },
    prompt: {
      read: () => Promise.resolve({ text: draft }),
      fill: (input: unknown) => filled.push(input),
    },
    clock: { after: (_: number, run: () => void) => run() },
  });
  const options = "--copy --depth deep";
  assertEquals(await trim(options, client), {
    text: `${answered}\n/resume is in the prompt: press Enter to continue in the copy`,
    isTextDisplayOnly: true,
  });
  const argv = ["/bin/sh", "/plugin/bin/trimtab", "hook", "user-prompt-expansion"];
  const payload = {
    session_id: "s",
    cwd: "/p",
    hook_event_name: "UserPromptExpansion",
    transcript_path: "/s.jsonl",
    command_name: "trimtab:trim",
    command_args: options,
  };
  assertEquals(ran, [[argv, payload]]);
  assertEquals(filled, [{ text: `/resume ${id}` }]);
  draft = "and then";
  const withoutHint = { text: answered, isTextDisplayOnly: true };
  assertEquals(await trim(options, client), withoutHint);
  assertEquals(filled.length, 1, "text in the box is kept");
  [draft, isInTerminal] = ["", false];
  assertEquals(await trim(options, client), withoutHint, "without a terminal, there is no prompt");
});

Deno.test("a failed trim in place makes no summary, and does not affect the client's own compactions", async () => {
  const event = { trigger: "manual", instructions: "trimtab", messages: [] };
  const { answered } = await answer("session.compact", event);
  assertEquals(answered, { skip: "trimtab could not trim in place: not in this release" });
  const failed = failing.get("session.compact");
  const skip = "trimtab could not trim in place. For a copy: /trim --copy";
  assertEquals(failed?.({}, event), { skip }, "after a timeout, too");
  for (
    const untouched of [
      { trigger: "manual", instructions: "keep the tests", messages: [] },
      { trigger: "auto", messages: [] },
      { trigger: "precompute", messages: [] },
      { trigger: "auto", agentId: "a1", messages: [] },
      { trigger: "plugin", messages: [] },
    ]
  ) {
    const { answered } = await answer("session.compact", untouched);
    assertEquals(answered, CLIENT_ANSWER, untouched.trigger);
    assertEquals(failed?.({}, untouched), undefined);
  }
});

Deno.test("the client's own measurement is returned if the module's measurement fails", async () => {
  const event = { changed: ["context"], context: { tokens: 1, window: 2 } };
  const { answered, logged } = await answer("session.measure", event);
  assertEquals(answered, CLIENT_ANSWER);
  assertEquals(logged, ["trimtab: not in this release"]);
});

/** Types `/trim` twice, and returns the second answer. The first compaction never reaches the module. */
async function trimTwice(
  earlier: string | undefined,
): Promise<{ second: unknown; logged: string[] }> {
  const { client, logged } = brokenClient();
  const later: Promise<unknown>[] = [];
  Object.assign(client, {
    session: resolving(TERMINAL),
    clock: { after: (_: number, run: () => Promise<unknown>) => later.push(run()) },
    command: resolving({ run: undefined }),
    env: resolving({ set: {} }),
  });
  const module = hooks();
  if (earlier !== undefined) {
    await module.get(earlier)?.(client, { session_id: "s", source: "startup" }, answerAsClient);
  }
  const type = (args: string): unknown =>
    module.get("command.run")?.(client, { command: "trimtab:trim", args }, answerAsClient);
  await type("--undo");
  await Promise.all(later);
  return { second: await type("--drop #1"), logged };
}

Deno.test("/trim changes nothing in place after a compaction that did not reach the module", async () => {
  const shutOut = "managed settings keep trimtab from changing the conversation in place";
  const { second, logged } = await trimTwice(undefined);
  assertEquals(logged[0], `${shutOut}. For a copy: /trim`);
  assertEquals(second, { text: `Nothing was changed: ${shutOut}`, isTextDisplayOnly: true });
});

Deno.test("/trim does not blame managed settings for a compaction that something else stopped", async () => {
  const classic = ["SessionStart", "UserPromptSubmit", "PostToolBatch", "Stop"];
  for (const earlier of [...classic.map((name) => `classic.${name}`), "session.compact"]) {
    const { second, logged } = await trimTwice(earlier);
    assertEquals(second, { text: "Dropping turns", isTextDisplayOnly: true }, earlier);
    assert(!logged.some((line) => line.includes("managed settings")), earlier);
  }
});

Deno.test("a trim that the model asked for runs when its turn ends with an answer, and in no other session", async () => {
  const { client } = brokenClient();
  const ran: string[] = [];
  const later: Promise<unknown>[] = [];
  let id = "";
  Object.assign(client, {
    session: {
      ...resolving({ root: "/p", model: "m", messages: [] }),
      ...resolving({ usage: { context: { window: 200_000 } } }),
      ...resolving({ info: { transcriptPath: "/c/projects/p/s.jsonl" } }),
      id: () => Promise.resolve(id),
    },
    fs: fakeFiles(new Map([["/c/projects/p/s.jsonl", "\n"]])),
    clock: {
      now: () => Promise.resolve(1),
      after: (_: number, run: () => Promise<unknown>) => later.push(run()),
    },
    command: { run: () => Promise.resolve(void ran.push(id)) },
  });
  const module = hooks();
  const send = (event: string, payload: unknown): unknown =>
    module.get(event)?.(client, payload, answerAsClient);
  const endTurnIn = async (session: string): Promise<void> => {
    id = session;
    await send("turn.complete", { reason: "answer" });
    await Promise.all(later);
  };
  const askIn = async (session: string): Promise<void> => {
    id = session;
    // Without this event, the module assumes that managed settings block it, and does not trim.
    await send("classic.UserPromptSubmit", { session_id: id });
    await answerTrimTool(client, { tool: "mcp__trimtab__trim" });
  };
  await askIn("a");
  await endTurnIn("b");
  assertEquals(ran, []);
  await endTurnIn("a");
  assertEquals(ran, ["a"]);
  await askIn("c");
  await send("session.end", {});
  await endTurnIn("c");
  assertEquals(ran, ["a"], "the session ended in the meantime");
  await askIn("d");
  await send("turn.complete", { reason: "interrupt" });
  await endTurnIn("d");
  assertEquals(ran, ["a"], "the user stopped the turn");
});
