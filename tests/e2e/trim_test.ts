/** Runs `/trim` in the real client, and checks its report, its copy and the client's next request. */

import { assert, assertEquals, assertExists, assertMatch, assertStringIncludes } from "@std/assert";
import { existsSync } from "@std/fs";
import { copyPlugin, PLUGIN } from "../plugin_copy.ts";
import { findTranscript, newSmallHome, runClient, runClientWell } from "./bed/client.ts";
import {
  type LoggedRequest,
  PROMPT_TOO_LONG,
  startMock,
  textOf,
  type TurnLike,
} from "./bed/mock_api.ts";
import { makePng } from "./bed/image.ts";
import { contextTokensOf, countUsage } from "./bed/tokens.ts";
import { blocksOf, type WireBlock } from "./bed/wire.ts";
import { startChat } from "./chat.ts";
import { test } from "./client_tests.ts";
import {
  assertNear,
  bash,
  call,
  fillProject,
  longTurns,
  readReport,
  resultsOf,
  sayWithoutRequest,
  sentChars,
  sessionIds,
} from "./trim_steps.ts";

function blocksIn(request: LoggedRequest | undefined, type: string): WireBlock[] {
  const blocks = request?.body.messages.flatMap(({ content }) => blocksOf(content)) ?? [];
  return blocks.flatMap((block) => [block, ...blocksOf(block.content)])
    .filter((block) => block.type === type);
}

Deno.test("/trim --depth deep makes a copy that can continue when the session itself is too long for a request", async (t) => {
  using home = newSmallHome();
  fillProject(home.cwd);
  Deno.writeFileSync(`${home.cwd}/picture.png`, await makePng(1200, 900));
  let limitTokens = Infinity;
  await using mock = startMock({
    turns: [
      [call("Read", { file_path: `${home.cwd}/picture.png` })],
      ...longTurns(home.cwd, "All looked at."),
    ],
    respond: ({ body }) =>
      contextTokensOf(countUsage(body)) > limitTokens ? { error: PROMPT_TOO_LONG } : undefined,
  });
  const base = { home, mock, pluginDir: PLUGIN };
  const chat = await startChat(base);
  for (const prompt of ["look around", "and again"]) await chat.say(prompt);
  await chat.end();
  const { sessionId } = chat;
  const transcriptPath = findTranscript(home, sessionId) ?? "";
  const original = Deno.readTextFileSync(transcriptPath);
  const args = ["--resume", sessionId];

  // Makes every request too long.
  limitTokens = 0;
  const before = mock.requests.length;
  const typed = await runClientWell({
    ...base,
    prompt: "/trim --depth deep --keep-recent 0",
    args,
  });
  const report = readReport(String(typed.json?.result));
  await t.step("/trim makes a copy and no request", () => {
    assertEquals(mock.requests.length, before);
    assertEquals(report.byTool, { Bash: 3, Read: 2, Grep: 1, Glob: 1 });
    assertEquals(report.trimmedCount, 7);
    // The client appends a line about the hook's answer.
    const now = Deno.readTextFileSync(transcriptPath);
    assert(now.startsWith(original), "the session must not change");
    const copy = findTranscript(home, report.id);
    assertExists(copy);
    assertEquals((Deno.statSync(copy).mode ?? 0) & 0o777, 0o600);
  });

  // The limit lies between the two sizes, so only the copy can continue.
  limitTokens = Math.round((report.tokens.before + report.tokens.after) / 2);
  const resumeAndSend = async (id: string): Promise<LoggedRequest[]> => {
    const before = mock.requests.length;
    await runClient({ ...base, prompt: "go on", args: ["--resume", id] });
    return mock.requests.slice(before);
  };
  const copied = await resumeAndSend(report.id);
  const [whole, ...compaction] = await resumeAndSend(sessionId);
  await t.step("the copy continues when the session is too long", () => {
    assertEquals(copied.map(({ kind }) => kind), ["main"]);
    assert(
      compaction.length > 0,
      "the client must reach the limit; otherwise this test proves nothing",
    );
  });
  await t.step("the copy's request is smaller by the reported amount", () => {
    const fewer = sentChars(whole) - sentChars(copied[0]);
    assert(
      report.freedChars > 50_000,
      `the trim claims to free only ${report.freedChars} characters`,
    );
    assertNear(report.freedChars, fewer, "characters freed");
  });
  await t.step("every call keeps its result, in full or with a notice", () => {
    const [all, some] = [resultsOf(whole), resultsOf(copied[0])];
    assertEquals(Object.keys(some), Object.keys(all));
    const cut = Object.entries(some).filter(([id, text]) => text !== all[id]);
    // The result that is a picture is cut, too.
    assertEquals(cut.length, report.trimmedCount + 1);
    for (const [, text] of cut) {
      assertStringIncludes(text, ` of ${sessionId.slice(0, 8)} for full content]`);
    }
  });
  await t.step("pictures and thinking are gone", () => {
    for (const type of ["image", "thinking"]) {
      assertEquals([whole, copied[0]].map((request) => blocksIn(request, type).length), [1, 0]);
    }
  });
});

Deno.test("the trim skill trims with its own command when no hook answers, even on a fresh machine without a network", async (t) => {
  using home = newSmallHome();
  fillProject(home.cwd);
  const pluginDir = copyPlugin(`${home.home}/plugin`);
  Deno.writeTextFileSync(`${pluginDir}/hooks/hooks.json`, JSON.stringify({ hooks: {} }));
  const turns = [...longTurns(home.cwd, "All looked at."), "Trimmed."];
  await using mock = startMock({ turns });
  const env = { DENO_DIR: `${home.home}/empty`, NPM_CONFIG_REGISTRY: "http://127.0.0.1:9" };
  // The test allows only one command of trimtab, `trimtab show`. The skill must allow its own command.
  const args = [
    "--allowedTools",
    "Read Glob Grep Bash(head:*) Bash(cat:*) Bash(grep:*) Bash(trimtab show:*)",
  ];
  await using chat = await startChat({ home, mock, pluginDir, env, args });
  await chat.say("look around");
  const before = mock.requests.length;
  assertEquals(await chat.say(`/trim ; echo INJECTED > ${home.cwd}/injected`), "Trimmed.");
  assertEquals(mock.requests.length, before + 1);
  const report = readReport(mock.requests.slice(-1).map(textOf).join());
  await t.step("the skill's output reaches the model, and no argument reaches a shell", () => {
    assertEquals(sessionIds(home), [chat.sessionId, report.id].sort());
    assertEquals(report.trimmedCount, 3, "the newest five of eight results are kept whole");
    assert(!existsSync(`${home.cwd}/injected`));
  });
  await t.step("the model reads a cut output with trimtab show", async () => {
    const [copy, parent] = [report.id, chat.sessionId].map((id) =>
      Deno.readTextFileSync(findTranscript(home, id) ?? "")
    );
    // Takes the last notice: the client moves very long outputs to a file, including those of trimtab show.
    const notices = [...copy?.matchAll(/See line (\d+) of ([0-9a-f]{8}) for full content/g) ?? []];
    const [, line = "", name] = notices.at(-1) ?? [];
    const [block] = JSON.parse(parent?.split("\n")[Number(line) - 1] ?? "").message.content;
    turns.push([bash(`trimtab show ${name}:${line}`)], "Read.");
    assertEquals(await chat.say("read it whole"), "Read.");
    const results = Object.values(resultsOf(mock.of("main").at(-1)));
    assertEquals(results.at(-1), block.content);
  });
});

test.full("a copy made by /trim keeps the task list", async () => {
  using home = newSmallHome();
  fillProject(home.cwd);
  const make = (subject: string): TurnLike => [
    call("TaskCreate", { subject, description: `${subject}, all of it`, activeForm: subject }),
  ];
  const list: TurnLike = [call("TaskList", {})];
  const done: TurnLike = [call("TaskUpdate", { taskId: "1", status: "completed" })];
  await using mock = startMock({
    turns: [
      ...longTurns(home.cwd, "All looked at.").slice(0, -1),
      ...[make("Paint the shed"), make("Mend the roof"), "Noted."],
      ...[list, "Listed.", done, list, "Painted.", list, "Listed again."],
    ],
  });
  await using session = await startChat({ home, mock, pluginDir: PLUGIN });
  await session.say("look around");
  const report = readReport(await sayWithoutRequest(session, mock, "/trim --keep-recent 0"));
  await session.end();
  const newest = (): string => Object.values(resultsOf(mock.of("main").at(-1))).at(-1) ?? "";
  {
    await using chat = await startChat({ home, mock, args: ["--resume", report.id] });
    assertEquals(await chat.say("what is there to do"), "Listed.");
    assertMatch(newest(), /#1 \[pending\] Paint the shed\n#2 \[pending\] Mend the roof/);
    assertEquals(await chat.say("the shed is painted"), "Painted.");
    assertMatch(newest(), /#1 \[completed\] Paint the shed\n#2 \[pending\] Mend the roof/);
  }
  const args = ["--resume", session.sessionId];
  await runClientWell({ home, mock, prompt: "what is there to do", args });
  assertMatch(
    newest(),
    /#1 \[pending\] Paint/,
    "the session's own list must not change when the copy's list changes",
  );
});
