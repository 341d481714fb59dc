/**
 * Runs the module in the real client: trims in place with their undo and recall, warnings, and the client's
 * own compactions.
 */

import { assert, assertEquals, assertExists, assertMatch, assertStringIncludes } from "@std/assert";
import { listCheckpoints } from "../../src/saved/store.ts";
import { copyPlugin, PLUGIN } from "../plugin_copy.ts";
import { newHome, newSmallHome, type TestHome } from "./bed/client.ts";
import {
  type LoggedRequest,
  type Mock,
  newestJson,
  type ScriptedBlock,
  startMock,
  type TurnLike,
} from "./bed/mock_api.ts";
import { makePng } from "./bed/image.ts";
import { startChat } from "./chat.ts";
import { openTerminal } from "./bed/terminal.ts";
import { contextTokensOf, countUsage } from "./bed/tokens.ts";
import { blocksOf } from "./bed/wire.ts";
import { test } from "./client_tests.ts";
import {
  assertNear,
  call,
  fillProject,
  longTurns,
  readPages,
  resultsOf,
  sessionIds,
} from "./trim_steps.ts";

function wordsOf(request: LoggedRequest | undefined): string[] {
  assertExists(request);
  return request.body.messages.filter(({ role }) => role !== "system")
    .flatMap(({ content }) => blocksOf(content))
    .flatMap((block) => block.type === "tool_use" ? JSON.stringify(block.input) : block.text ?? [])
    .filter((text) => !/^<(?:system-reminder|command-name|local-command)/.test(text));
}

function newest(mock: Mock): LoggedRequest | undefined {
  return mock.of("main").at(-1);
}

const NOTICE = /See line \d+ of [0-9a-f]{8} for full/;

function timesIn(request: LoggedRequest | undefined, words: string): number {
  return JSON.stringify(request?.body.messages).split(words).length - 1;
}

const RECALL_MENTION = "mcp__trimtab__recall returns the whole";

const ASK_FOR_WHOLE = "give it back";

/** Calls the recall tool with the line of the first notice, if the newest prompt asks for it. */
function recallOne({ kind, body: { messages } }: LoggedRequest): ScriptedBlock[] | undefined {
  const all = JSON.stringify(messages);
  const isAsked = all.lastIndexOf(ASK_FOR_WHOLE) > all.lastIndexOf('"tool_result"');
  const [, line, session] = /See line (\d+) of ([0-9a-f]{8}) for full/.exec(all) ?? [];
  const [name] = /mcp__\w+(?= returns the whole)/.exec(all) ?? [];
  if (kind !== "main" || !isAsked || name === undefined) return undefined;
  return [call(name, { line: Number(line), session })];
}

test.moduleInTerminal("/trim works in place without a request or a copy; the session resumes with and without the plugin, and cut outputs can be recalled and restored", async () => {
  using home = newHome();
  fillProject(home.cwd);
  await using mock = startMock({
    turns: longTurns(home.cwd, "All looked at."),
    respond: recallOne,
  });
  let whole: Record<string, string>;
  let cut: Record<string, string>;
  {
    await using terminal = await openTerminal({ home, mock, pluginDir: PLUGIN });
    await terminal.say("/trim", /Nothing to trim yet: this session has no messages/);
    await terminal.ask("look around", /All looked at\./);
    await terminal.ask("again", /Done\./);
    whole = resultsOf(newest(mock));
    const words = wordsOf(newest(mock));
    const requests = mock.requests.length;
    await terminal.say("/trim --undo", /no trim in place or compaction/);
    const shown = await terminal.say(
      "/trim --keep-recent 0",
      /trimmed in place: 7 tool outputs[^]*--undo/,
    );
    assertEquals(mock.requests.length, requests, "the trim must not make a request");
    const reported = Number(/-> ([\d,]+)\s+tokens/.exec(shown)?.[1]?.replaceAll(",", ""));
    await terminal.ask("go on", /Done\./);
    cut = resultsOf(newest(mock));
    assertEquals(Object.keys(cut), Object.keys(whole), "every call must keep its result");
    const shorter = Object.entries(cut).filter(([id, text]) => text !== whole[id]);
    assertEquals(shorter.length, 7);
    for (const [, text] of shorter) assertMatch(text, NOTICE);
    assertEquals(wordsOf(newest(mock)), [...words, "Done.", "go on"]);
    const request = newest(mock);
    assertExists(request);
    assertEquals(timesIn(request, "Note from the trimtab plugin"), 1, "one note");
    const sent = contextTokensOf(countUsage(request.body));
    assertNear(reported, sent, "tokens");
    await terminal.exit();
  }
  const [id = "", ...others] = sessionIds(home);
  assertEquals(others, [], "there is no copy");
  {
    await using chat = await startChat({ home, mock, args: ["--resume", id] });
    await chat.say("resumed without it");
    assertEquals(resultsOf(newest(mock)), cut);
  }
  const args = ["--resume", id];
  await using terminal = await openTerminal({ home, mock, pluginDir: PLUGIN, args });
  await terminal.ask(ASK_FOR_WHOLE, /Done\./);
  const results = Object.values(resultsOf(newest(mock)));
  assertEquals(results.slice(0, -1), Object.values(cut));
  const recalled = results.at(-1) ?? "";
  assert(recalled.length > 10_000 && Object.values(whole).includes(recalled), "the whole output");
  await terminal.say("/trim --undo", /trim undone: 7 tool outputs restored/);
  await terminal.ask("all of it", /Done\./);
  const afterUndo = Object.values(resultsOf(newest(mock)));
  assertEquals(afterUndo.slice(0, 8), Object.values(whole));
  assertEquals(afterUndo.slice(-1), [recalled]);
  assertEquals(sessionIds(home), [id]);
});

/** This many pages do not fit in the model's window. */
const PAGES = 9;

test.fullModuleInTerminal("after a trim in place, the model can edit a file that it had read, unless the file was changed", async () => {
  using home = newSmallHome();
  const [first, second] = ["a.txt", "b.txt"].map((name) => {
    const path = `${home.cwd}/${name}`;
    Deno.writeTextFileSync(path, "a line of a file that is long\n".repeat(100) + "the last\n");
    return path;
  });
  const edit = (path = ""): ScriptedBlock[] => [
    call("Edit", { file_path: path, old_string: "the last", new_string: "changed" }),
  ];
  await using mock = startMock({
    turns: [
      [call("Read", { file_path: first }), call("Read", { file_path: second })],
      "Both read.",
      edit(first),
      edit(second),
      "Tried both.",
    ],
  });
  const args = ["--allowedTools", "Edit"];
  await using terminal = await openTerminal({ home, mock, pluginDir: PLUGIN, args });
  await terminal.ask("read both", /Both read\./);
  await terminal.say("/trim --keep-recent 0", /trimmed in place: 2 tool outputs/);
  Deno.writeTextFileSync(second ?? "", "somebody else wrote\nthe last\n");
  await terminal.ask("edit both", /Tried both\./);
  const results = Object.values(resultsOf(newest(mock)));
  assertEquals(results.length, 4, "only the model's own calls have results");
  assert(/has been updated/.test(results[2] ?? ""), results[2]);
  assert(/has not been read yet/.test(results[3] ?? ""), results[3]);
});

/** The pages of a test reach each level once, at these percentages. */
const WARNED_PERCENTS = ["68", "79", "90"];

function assertWarned(mock: Mock): void {
  const sent = newestJson(mock);
  const warnings = [...sent.matchAll(/hook additional context: Context at (\d+)%/g)];
  assertEquals(warnings.map(([, percent]) => percent), WARNED_PERCENTS);
}

/** Makes a script that starts Deno and records which hooks it starts. */
function countingDeno(home: TestHome): { path: string; hooks(): string[] } {
  const [path, log] = [`${home.home}/deno`, `${home.home}/hooks.log`];
  const note = `case $word in */hooks/*) echo "\${word##*/}" >>"${log}" ;; esac`;
  const script = `#!/bin/sh\nfor word in "$@"; do ${note}; done\nexec "${Deno.execPath()}" "$@"\n`;
  Deno.writeTextFileSync(path, script, { mode: 0o755 });
  Deno.writeTextFileSync(log, "");
  return { path, hooks: () => Deno.readTextFileSync(log).trim().split("\n") };
}

test.fullModuleInTerminal("the module, not the prompt and batch hooks, watches the window; it reports each level once, like the status line, and shows the new usage right after a trim", async () => {
  const command = `sh "${PLUGIN}/bin/trimtab" statusline`;
  using home = newSmallHome({ statusLine: { type: "command", command } });
  Deno.mkdirSync(`${home.cwd}/.claude/trimtab`, { recursive: true });
  const deno = countingDeno(home);
  await using mock = startMock({ turns: [...readPages(home.cwd, PAGES).slice(2), "All read."] });
  const options = { env: { TRIMTAB_DENO: deno.path }, size: [300, 60] } as const;
  await using terminal = await openTerminal({ home, mock, pluginDir: PLUGIN, ...options });
  await terminal.say("read it", /● All read\./);
  await terminal.see(/context 90% · \/trim frees [\d,]+ \(16\d,\d{3} of 180,000 tokens\)/);
  const screen = await terminal.see(/90% 16\dk\/180k urgent/);
  assertEquals(screen.match(/(?<=context (?:at )?)\d+(?=%)/gi), WARNED_PERCENTS);
  await terminal.ask("again", /Done\./);
  assertWarned(mock);
  await terminal.say("/trim", /trimmed in place: 2 tool outputs[^]*⚠ trimtab: context 69% /);
  await terminal.say(
    "/trim",
    /Nothing was cut: all\s+outputs\s+that\s+may\s+be\s+cut\s+are\s+short/,
  );
  const hooks = deno.hooks();
  assert(hooks.includes("stop.ts"), hooks.join());
  assert(!hooks.includes("user_prompt_submit.ts") && !hooks.includes("post_tool_batch.ts"));
  const sessionStarts = hooks.filter((name) => name === "session_start.ts");
  assertEquals(sessionStarts.length, 1, "the trim must not start the hook again");
});

function breakModule(pluginDir: string, names: readonly string[]): void {
  const path = `${pluginDir}/hooks/_inside.js`;
  const broken = names.reduce((text, name) => {
    const head = `async function ${name}(client, event, next) {`;
    assert(text.includes(head), name);
    return text.replace(head, `${head} throw new Error("broken");`);
  }, Deno.readTextFileSync(path));
  Deno.writeTextFileSync(path, broken);
}

test.fullModuleInTerminal("if the module fails, the hooks watch the window, and a requested trim makes no summary", async () => {
  using home = newSmallHome();
  Deno.mkdirSync(`${home.cwd}/.claude/trimtab`, { recursive: true });
  const pluginDir = copyPlugin(`${home.home}/plugin`);
  breakModule(pluginDir, ["promptHook", "batchHook", "compactHook", "sessionStartHook"]);
  await using mock = startMock({ turns: [...readPages(home.cwd, PAGES).slice(2), "All read."] });
  await using terminal = await openTerminal({ home, mock, pluginDir });
  await terminal.say("read it", /● All read\./);
  await terminal.ask("again", /Done\./);
  assertWarned(mock);
  const requests = mock.requests.length;
  await terminal.say("/trim", /could not trim in place\. For a copy: \/trim --copy/);
  assertEquals(mock.requests.length, requests, "the trim must not make a request");
  await terminal.say("/trim --copy --keep-recent 0", /Resume with: claude --resume/);
});

test.moduleInTerminal("the client's own compaction becomes a trim in place in the middle of a turn, unless a trim frees too little", async () => {
  using home = newSmallHome();
  const small = `${home.cwd}/small.txt`;
  Deno.writeTextFileSync(small, "alpha\n");
  // A trim never cuts prompts and answers, so it cannot avoid the second compaction.
  const talk: TurnLike[] = Array.from({ length: 6 }, (_, n) => [
    { type: "text", text: `Thought ${n}: ${"words ".repeat(16_000)}` },
    call("Read", { file_path: small }),
  ]);
  await using mock = startMock({
    turns: [...readPages(home.cwd, PAGES), "All read.", ...talk, "All done."],
    limitTokens: 170_000,
  });
  await using terminal = await openTerminal({ home, mock, pluginDir: PLUGIN });
  await terminal.say("never touch the ledger while you read it", /● All read\./);
  assertEquals(mock.of("summariser"), []);
  await terminal.see(/cut instead of compacting/);
  const checkpoints = () => listCheckpoints({ projectDir: home.cwd });
  assertEquals(checkpoints().map(({ trigger }) => trigger), ["auto"]);
  const results = Object.values(resultsOf(newest(mock)));
  assertEquals(results.length, PAGES, "every call must keep its result");
  const cut = results.filter((text) => /of [0-9a-f]{8} for full content\]$/.test(text));
  assert(cut.length >= 4 && cut.length < PAGES, `${cut.length} results are cut`);
  const mentioning = mock.of("main").filter((request) => timesIn(request, RECALL_MENTION) > 0);
  assert(mentioning.every((request) => timesIn(request, RECALL_MENTION) === 1));
  const cutFirst = mock.of("main").find(({ body }) => NOTICE.test(JSON.stringify(body)));
  assertEquals(mentioning[0], cutFirst, "the request with the first cut mentions the tool");
  // The client adds these texts only to the first request after a compaction.
  for (const words of [`Primary working directory: ${home.cwd}`, "skills are available"]) {
    assertStringIncludes(JSON.stringify(cutFirst?.body.messages), words);
  }

  await terminal.say("and now think about it", /● All done\./);
  const [summariser, ...more] = mock.of("summariser");
  assertEquals(more, []);
  assertEquals(timesIn(summariser, "Keep these facts of the session in the summary"), 1);
  assert(
    timesIn(summariser, "never touch the ledger") >= 2,
    "the request must contain the prompt and the fact in the work state",
  );
  assertEquals(timesIn(newest(mock), "## Resuming from Checkpoint"), 1);
  assertEquals(checkpoints().length, 2, "one checkpoint for each compaction");
});

test.moduleInTerminal("without Deno /trim works in place, and nothing is saved", async () => {
  using home = newHome();
  fillProject(home.cwd);
  const pluginDir = copyPlugin(`${home.home}/plugin`);
  // Removes the folders that the script searches in addition to the PATH, since Deno may be installed there.
  const finder = `${pluginDir}/bin/parts/find_deno.sh`;
  const places = "/usr/local/bin/deno /opt/homebrew/bin/deno";
  Deno.writeTextFileSync(finder, Deno.readTextFileSync(finder).replace(places, ""));
  await using mock = startMock({ turns: longTurns(home.cwd, "All looked at.") });
  await using terminal = await openTerminal({ home, mock, pluginDir, withDeno: false });
  await terminal.see(/Saving and restoring the work/);
  await terminal.ask("look around", /All looked at\./);
  await terminal.say("/trim --keep-recent 0", /trimmed in place: 7 tool outputs/);
  await terminal.ask("again", /Done\./);
  assertEquals(Object.keys(resultsOf(newest(mock))).length, 8);
  const kept = [...Deno.readDirSync(`${home.cwd}/.claude`)].map(({ name }) => name);
  assertEquals(kept, ["trimtab"]);
});

test.fullModuleInTerminal("a trim in place replaces a picture with a line, and recall shows the picture again", async () => {
  using home = newHome();
  fillProject(home.cwd);
  Deno.writeFileSync(`${home.cwd}/picture.png`, await makePng(200, 100));
  const picture = call("Read", { file_path: `${home.cwd}/picture.png` });
  const text = call("Read", { file_path: `${home.cwd}/large.txt`, limit: 300 });
  await using mock = startMock({
    turns: [[picture], [text], "All looked at."],
    respond: recallOne,
  });
  const pictures = (): number =>
    (newest(mock)?.body.messages ?? []).flatMap(({ content }) => blocksOf(content))
      .flatMap(({ content }) => blocksOf(content)).filter(({ type }) => type === "image").length;
  await using terminal = await openTerminal({ home, mock, pluginDir: PLUGIN });
  await terminal.ask("look around", /All looked at\./);
  assertEquals(pictures(), 1);
  await terminal.ask("what next", /Done\./);
  await terminal.say(
    "/trim --keep-recent 0",
    /trimmed in place: 1 tool output[^]*1 picture or document replaced with a\s+line/,
  );
  await terminal.ask(`${ASK_FOR_WHOLE} now`, /Done\./);
  assertEquals(pictures(), 1, "the tool must show the picture");
  const sent = newestJson(mock);
  assert(/\[image result masked -- [^\]]*200x100[^\]]* See line \d+ of/.test(sent), sent);
});
