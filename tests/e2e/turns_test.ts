/**
 * Runs `--status`, `--entries`, `--dry-run` and `--drop` in the real client. Only `--drop` changes the
 * conversation, and `--undo` restores it, even in a fork.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { PLUGIN } from "../plugin_copy.ts";
import { newHome } from "./bed/client.ts";
import { type Mock, newestJson, startMock } from "./bed/mock_api.ts";
import { openTerminal } from "./bed/terminal.ts";
import { RECALL, RECALL_NOTE } from "../../src/inside/recall.ts";
import { startChat } from "./chat.ts";
import { test } from "./client_tests.ts";
import {
  bash,
  call,
  fillProject,
  longTurns,
  resultsOf,
  sayWithoutRequest,
  sessionIds,
} from "./trim_steps.ts";

function sentWords(mock: Mock, words: readonly string[]): string[] {
  const sent = newestJson(mock);
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
  const status = await terminal.say("/trim --status", /Prompt cache: used just now/);
  assertMatch(status, /Context: [\d,]+ of [\d,]+ tokens, \d+%\n +Tool results/);
  await terminal.say("/trim --entries", /#2 +\d+-\d+ +[\d,]+ {2}beta task/);
  await terminal.say("/trim --drop #9", /"#9" matches no turn/);
  assertEquals(mock.requests.length, requests, "none of these makes a request");
  await terminal.say("/trim --drop #2", /trimmed in place: 1 turn \(#2\) removed/);
  await terminal.ask("delta task", /Done\./);
  assertEquals(sentWords(mock, ALL), [
    "alpha task",
    "gamma task",
    "Beta is done. Shall I push it?",
  ]);
  const sent = newestJson(mock);
  assertMatch(sent, /The user took 1 turn with 1 call out of the conversation: lines \d+ to \d+/);
  await terminal.say(
    "/trim --status",
    /Since then: 1 request, [\d.k]+ tokens not sent; no cut content was/,
  );
  await terminal.say("/trim --undo", /trim undone: the turns restored/);
  await terminal.ask("epsilon task", /Done\./);
  assertEquals(sentWords(mock, ALL), ALL);
  const whole = newestJson(mock);
  assertEquals(whole.split("Shall I push it?").length, 2, "the question is sent once");
  assert(!whole.includes("The user took"), "the note about the removed turns is gone");
});

test.fullModule("a fork can restore outputs that were cut before the fork, and its model is told how to recall them", async () => {
  using home = newHome();
  fillProject(home.cwd);
  const read = call("Read", { file_path: `${home.cwd}/large.txt`, limit: 400 });
  const seen = bash("grep -c nothing large.txt; true");
  await using mock = startMock({ turns: [[read], [seen], "Alpha is done."] });
  const lines = (): string[] =>
    ["399: a needle", "for full content]"].filter((words) => sentWords(mock, [words]).length > 0);
  const start = { home, mock, pluginDir: PLUGIN };
  await using chat = await startChat(start);
  await chat.say("alpha task");
  assertEquals(lines(), ["399: a needle"]);
  await chat.say("/compact trimtab --keep-recent 0");
  await chat.end();
  const args = ["--resume", chat.sessionId, "--fork-session"];
  await using fork = await startChat({ ...start, args });
  await fork.say("in a fork");
  assertEquals(lines(), ["for full content]"]);
  assertEquals(sentWords(mock, [RECALL, RECALL_NOTE.slice(0, 40)]).length, 2, "it is told");
  assert(fork.sessionId !== chat.sessionId);
  await fork.say("/compact trimtab --undo");
  await fork.say("go on");
  assertEquals(lines(), ["399: a needle"]);
});

const WITHOUT_CHANGE = [
  ["--dry-run --keep-recent 0", /trimtab: Would trim in place: 7 tool outputs/],
  ["--status", /trimtab: Context: [\d,]+ of [\d,]+ tokens/],
  ["--entries", /trimtab: Context: [^]*Largest:/],
  ["--copy", /trimtab: --copy is not an option of \/compact trimtab/],
  ["undo", /trimtab: undo is not an option of \/compact trimtab/],
  ["--undo --dry-run", /--undo and --dry-run cannot be used together/],
] as const;

test.module("/compact trimtab in claude -p shows a dry run, the status or an error, and cuts nothing", async () => {
  using home = newHome();
  fillProject(home.cwd);
  await using mock = startMock({ turns: longTurns(home.cwd, "All looked at.") });
  await using chat = await startChat({ home, mock, pluginDir: PLUGIN });
  await chat.say("look around");
  const before = resultsOf(mock.of("main").at(-1));
  assertEquals(Object.keys(before).length, 8);
  for (const [options, words] of WITHOUT_CHANGE) {
    assertMatch(await sayWithoutRequest(chat, mock, `/compact trimtab ${options}`), words);
  }
  await chat.say("next");
  assertEquals(resultsOf(mock.of("main").at(-1)), before);
  assertEquals(sessionIds(home), [chat.sessionId]);
});
