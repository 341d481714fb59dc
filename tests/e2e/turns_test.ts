/**
 * Runs `/trim --status`, `--entries` and `--drop` in the real client: the first two make no request,
 * and the third removes turns that `--undo` restores.
 *
 * @module
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { PLUGIN } from "../plugin_copy.ts";
import { makePng } from "./bed/image.ts";
import { newHome } from "./bed/client.ts";
import { type Mock, startMock } from "./bed/mock_api.ts";
import { openTerminal } from "./bed/terminal.ts";
import { RECALL, RECALL_NOTE } from "../../src/inside/recall.ts";
import { startChat } from "./chat.ts";
import { test } from "./client_tests.ts";
import { bash, call, fillProject } from "./trim_steps.ts";

function sentWords(mock: Mock, words: readonly string[]): string[] {
  const sent = JSON.stringify(mock.of("main").at(-1)?.body.messages);
  return words.filter((word) => sent.includes(word));
}

const ALL = ["alpha task", "beta task", "gamma task", "Beta is done. Shall I push it?"];

test.moduleInTerminal("/trim --drop removes turns and --undo restores them; --status and --entries make no request", async () => {
  using home = newHome();
  fillProject(home.cwd);
  const read = (limit: number) => [call("Read", { file_path: `${home.cwd}/large.txt`, limit })];
  await using mock = startMock({
    turns: [
      read(150),
      "Alpha is done.",
      read(160),
      "Beta is done. Shall I push it?",
      read(500),
      "Gamma is done.",
    ],
  });
  await using terminal = await openTerminal({ home, mock, pluginDir: PLUGIN });
  await terminal.ask("alpha task", /Alpha is done\./);
  await terminal.ask("beta task", /Beta is done\./);
  await terminal.ask("gamma task", /Gamma is done\./);
  const requests = mock.requests.length;
  await terminal.submit("/trim --status");
  const status = await terminal.see(/Prompt cache: used just now/);
  assertMatch(status, /Context: [\d,]+ of [\d,]+ tokens, \d+%\n +Tool results/);
  await terminal.submit("/trim --entries");
  await terminal.see(/#2 +\d+-\d+ +[\d,]+ {2}beta task/);
  await terminal.submit("/trim --drop #9");
  await terminal.see(/"#9" matches no turn/);
  assertEquals(mock.requests.length, requests, "none of these makes a request");
  await terminal.submit("/trim --drop #2");
  await terminal.see(/trimmed in place: 1 turn \(#2\) removed/);
  await terminal.ask("delta task", /Done\./);
  assertEquals(sentWords(mock, ALL), [
    "alpha task",
    "gamma task",
    "Beta is done. Shall I push it?",
  ]);
  const sent = JSON.stringify(mock.of("main").at(-1)?.body.messages);
  assertMatch(
    sent,
    /The user took 1 turn with 1 call out of the conversation: lines \d+ to \d+/,
  );
  await terminal.submit("/trim --status");
  await terminal.see(/Since then: 1 request, [\d.k]+ tokens not sent; no cut content was/);
  await terminal.submit("/trim --undo");
  await terminal.see(/trim undone: the turns restored/);
  await terminal.ask("epsilon task", /Done\./);
  assertEquals(sentWords(mock, ALL), ALL);
  const whole = JSON.stringify(mock.of("main").at(-1)?.body.messages);
  assertEquals(whole.split("Shall I push it?").length, 2, "the question is sent once");
  assert(!whole.includes("The user took"), "the note about the removed turns is gone");
});

test.fullModuleInTerminal("/trim --drop-images replaces a picture with a line, even in the newest turn, in place", async () => {
  using home = newHome();
  Deno.writeFileSync(`${home.cwd}/picture.png`, await makePng(200, 100));
  const look = [call("Read", { file_path: `${home.cwd}/picture.png` })];
  await using mock = startMock({ turns: [look, "Seen."] });
  const pictures = (): number =>
    JSON.stringify(mock.of("main").at(-1)?.body.messages).split('"type":"image"').length - 1;
  await using terminal = await openTerminal({ home, mock, pluginDir: PLUGIN });
  await terminal.ask("look at it", /Seen\./);
  assertEquals(pictures(), 1);
  const requests = mock.requests.length;
  await terminal.submit("/trim --drop-images");
  await terminal.see(/trimmed in place: [^]*replaced with a\s+line/);
  assertEquals(mock.requests.length, requests);
  await terminal.ask("go on", /Done\./);
  assertEquals(pictures(), 0);
  assertMatch(JSON.stringify(mock.of("main").at(-1)?.body.messages), /\[image result masked/);
});

test.fullModule("a headless client removes more than a third of a conversation without asking, and restores it", async () => {
  using home = newHome();
  fillProject(home.cwd);
  const read = [call("Read", { file_path: `${home.cwd}/large.txt`, limit: 400 })];
  await using mock = startMock({ turns: [read, "Alpha is done.", "Beta is done."] });
  await using chat = await startChat({ home, mock, pluginDir: PLUGIN });
  await chat.say("alpha task");
  await chat.say("beta task");
  for (
    const [typed, held] of [["--drop #1", ["beta task"]], ["--undo", ALL.slice(0, 2)]] as const
  ) {
    const requests = mock.requests.length;
    await chat.say(`/compact trimtab ${typed}`);
    assertEquals(mock.requests.length, requests, "no request may be made");
    await chat.say("go on");
    assertEquals(sentWords(mock, ALL), held, typed);
  }
});

/** Makes a hook whose command adds a context. The shell expands the words. */
function contextHook(event: string, words: string): Record<string, unknown> {
  const answer = { hookSpecificOutput: { hookEventName: event, additionalContext: "%s" } };
  const command = `printf '${JSON.stringify(answer)}' "${words}"`;
  return { hooks: [{ type: "command", command }] };
}

test.fullModule("a drop, a trim and their undos keep what hooks add to prompts and to results", async () => {
  // Finds the first word of the prompt in the hook's input.
  const prompt = `of the prompt $(sed -n 's/.*\"prompt\":\"\\([a-z]*\\).*/\\1/p')`;
  using home = newHome({
    hooks: {
      UserPromptSubmit: [contextHook("UserPromptSubmit", prompt)],
      PostToolUse: [{ matcher: "Read", ...contextHook("PostToolUse", "of the picture") }],
    },
  });
  Deno.writeFileSync(`${home.cwd}/picture.png`, await makePng(200, 100));
  const look = [call("Read", { file_path: `${home.cwd}/picture.png` })];
  await using mock = startMock({
    turns: [look, "Alpha is done.", [bash("seq 1 900")], "Beta is done.", "Gamma is done."],
  });
  await using chat = await startChat({ home, mock, pluginDir: PLUGIN });
  for (const words of ["alpha task", "beta task", "gamma task"]) await chat.say(words);
  const added = ["alpha", "beta", "gamma"].map((word) => `of the prompt ${word}`)
    .concat("of the picture");
  const countsAfter = async (typed: string): Promise<number[]> => {
    await chat.say(typed);
    await chat.say("1 more");
    const sent = JSON.stringify(mock.of("main").at(-1)?.body.messages);
    return added.map((words) => sent.split(words).length - 1);
  };
  assertEquals(await countsAfter("2 more"), [1, 1, 1, 1]);
  assertEquals(await countsAfter("/compact trimtab --drop #2"), [1, 0, 1, 1]);
  assertEquals(await countsAfter("/compact trimtab --undo"), [1, 1, 1, 1]);
  assertEquals(await countsAfter("/compact trimtab --depth deep --keep-recent 0"), [1, 1, 1, 1]);
  assertEquals(await countsAfter("/compact trimtab --undo"), [1, 1, 1, 1]);
  assertEquals(await countsAfter("/compact"), [0, 0, 0, 0]);
  assertEquals(await countsAfter("/compact trimtab --undo"), [1, 1, 1, 1]);
});

test.fullModule("a trim keeps the boundaries of turns, so that a drop removes a whole turn", async () => {
  using home = newHome();
  Deno.mkdirSync(`${home.cwd}/.claude/commands`, { recursive: true });
  Deno.writeTextFileSync(
    `${home.cwd}/.claude/commands/mend.md`,
    "---\ndescription: Mends\n---\nMend the $ARGUMENTS with glue.",
  );
  const data = (await makePng(200, 100)).toBase64();
  await using mock = startMock({
    turns: [
      [bash("seq 1 5000")],
      "Alpha is done.",
      [bash("echo gluing")],
      "Mended.",
      [bash("echo seeing")],
      "Seen.",
    ],
  });
  await using chat = await startChat({ home, mock, pluginDir: PLUGIN });
  await chat.say("alpha task");
  await chat.say("/mend door");
  await chat.say([
    { type: "text", text: "see this" },
    { type: "image", source: { type: "base64", media_type: "image/png", data } },
    { type: "text", text: "and say more" },
  ]);
  await chat.say("1 more");
  const turns = async (): Promise<string[]> => {
    const listed = await chat.say("/compact trimtab --entries");
    return [...listed.matchAll(/^ +#\d+ +[\d-]+ +[\d,]+ {2}(.*)$/gm)].map(([, title = ""]) =>
      title
    );
  };
  const before = await turns();
  assertEquals(before, ["alpha task", "mend /mend door", "see this", "1 more"]);
  await chat.say("/compact trimtab --keep-recent 0");
  assertEquals(await turns(), before);
  const words = ["alpha task", "/mend", "with glue", "echo gluing", "Mended.", "echo seeing"];
  for (
    const [typed, left] of [["--drop #2", ["alpha task", "echo seeing"]], [
      "--undo",
      words,
    ]] as const
  ) {
    await chat.say(`/compact trimtab ${typed}`);
    await chat.say("2 more");
    assertEquals(sentWords(mock, words), left, typed);
  }
  assertEquals(await turns(), [...before, "2 more", "2 more"]);
});

test.fullModule("a fork can restore outputs that were cut before the fork, and is told how to recall them", async () => {
  using home = newHome();
  fillProject(home.cwd);
  const read = call("Read", { file_path: `${home.cwd}/large.txt`, limit: 400 });
  const seen = bash("grep -c nothing large.txt; true");
  await using mock = startMock({ turns: [[read], [seen], "Alpha is done."] });
  const lines = (): string[] =>
    ["399: a needle", "for full content]"].filter((words) => sentWords(mock, [words]).length > 0);
  const args = ["--resume", ""];
  {
    await using chat = await startChat({ home, mock, pluginDir: PLUGIN });
    await chat.say("alpha task");
    assertEquals(lines(), ["399: a needle"]);
    await chat.say("/compact trimtab --keep-recent 0");
    args[1] = chat.sessionId;
  }
  await using fork = await startChat({
    home,
    mock,
    pluginDir: PLUGIN,
    args: [...args, "--fork-session"],
  });
  await fork.say("in a fork");
  assertEquals(lines(), ["for full content]"]);
  assertEquals(sentWords(mock, [RECALL, RECALL_NOTE.slice(0, 40)]).length, 2, "it is told");
  assert(fork.sessionId !== args[1]);
  await fork.say("/compact trimtab --undo");
  await fork.say("go on");
  assertEquals(lines(), ["399: a needle"]);
});
