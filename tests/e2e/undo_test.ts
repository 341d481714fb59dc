/**
 * Tests undos after which the next request must differ from the request before the compaction.
 * `in_place_property_test.ts` tests undos that restore the same request.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { PLUGIN } from "../plugin_copy.ts";
import { newHome, newSmallHome } from "./bed/client.ts";
import { makePng } from "./bed/image.ts";
import { pick, pressUntilGone } from "./bed/menu.ts";
import { newestJson, startMock, type Turn } from "./bed/mock_api.ts";
import { openTerminal, type Terminal } from "./bed/terminal.ts";
import { startChat } from "./chat.ts";
import { test } from "./client_tests.ts";
import { bash, call, fillProject, resultsOf, sessionIds } from "./trim_steps.ts";

const REPORT = "Today's date does not matter. Write the daily report of team";

async function rewindBefore(terminal: Terminal, prompt: string): Promise<void> {
  await terminal.say("/rewind", /\(current\)/);
  await pick(terminal, prompt, "Up");
  await pressUntilGone(terminal, "Enter", /\(current\)/);
  await pick(terminal, "1. Restore conversation", "Up");
  await pressUntilGone(terminal, "Enter", /1\. Restore conversation/);
  // Clears the prompt that the client puts back into the box.
  await terminal.press("C-u");
}

/** A rewind writes nothing, so the transcript still ends with the turns that the user rewound. */
test.fullModuleInTerminal("after a rewind, a trim and an undo apply to the remaining conversation", async () => {
  using home = newHome();
  fillProject(home.cwd);
  Deno.writeFileSync(`${home.cwd}/a.png`, await makePng(40, 30));
  Deno.mkdirSync(`${home.cwd}/.claude/commands`, { recursive: true });
  Deno.writeTextFileSync(`${home.cwd}/.claude/commands/daily.md`, `${REPORT} $ARGUMENTS.\n`);
  await using mock = startMock({
    turns: [
      [call("Bash", { command: "head -n 200 large.txt" })],
      "Reported.",
      [call("Read", { file_path: `${home.cwd}/a.png` })],
      "Seen.",
      "Abandoned.",
    ],
  });
  await using terminal = await openTerminal({ home, mock, pluginDir: PLUGIN });
  const sentAfter = async (prompt: string): Promise<string> => {
    await terminal.ask(prompt, /Done\./);
    return newestJson(mock);
  };
  for (
    const [prompt, answer] of [
      ["/daily blue", "Reported."],
      ["look at the picture", "Seen."],
      ["a wrong turn", "Abandoned."],
    ] as const
  ) {
    await terminal.say(prompt, new RegExp(`● ${answer}`));
  }
  await rewindBefore(terminal, "a wrong turn");
  // The picture belongs to the newest remaining turn, so only a copy could be made.
  await terminal.say(
    "/trim --keep-recent 0",
    /Nothing was copied: the transcript still ends with the turns/,
  );
  await terminal.say("/compact", /undoes this compaction/);
  await terminal.say("/trim --undo", /compaction undone: \d+ messages restored/);
  const undone = await sentAfter("go on");
  assert(undone.includes(`${REPORT} blue`) && undone.includes("Seen."), undone);
  assert(!undone.includes("a wrong turn") && !undone.includes("Abandoned."), undone);
  await terminal.say("/trim --keep-recent 0", /trimmed in place: 1 tool output/);
  const trimmed = await sentAfter("and on");
  assert(trimmed.includes(`${REPORT} blue`), trimmed);
  assertEquals(sessionIds(home).length, 1);
});

test.fullModule("an undo restores a mentioned file once, and removes the checkpoint text that followed the summary", async () => {
  using home = newHome();
  Deno.writeTextFileSync(`${home.cwd}/notes.txt`, "The notes say: forty-two.\n");
  await using mock = startMock({ turns: ["Read."] });
  await using chat = await startChat({ home, mock, pluginDir: PLUGIN });
  const sentCountsAfter = async (prompt: string): Promise<number[]> => {
    await chat.say(prompt);
    const sent = newestJson(mock);
    return ["forty-two", "Resuming from Checkpoint"].map((words) => sent.split(words).length - 1);
  };
  assertEquals(await sentCountsAfter("Look at @notes.txt"), [1, 0]);
  await chat.say("/compact");
  await chat.say("/compact trimtab --undo");
  assertEquals(await sentCountsAfter("And now?"), [1, 0]);
});

test.fullModule("an undo does not restore outputs that would overfill the window, and keeps calls paired with results", async () => {
  using home = newSmallHome();
  const turns = Array.from({ length: 12 }, (_, n) => ({
    blocks: [bash(`seq ${n}000 ${n}900`)],
    usage: { input_tokens: 150_000 + n * 1_000 },
  }));
  const last: Turn = {
    blocks: [{ type: "text", text: "Counted." }],
    usage: { input_tokens: 162_000 },
  };
  await using mock = startMock({ turns: [...turns, last] });
  await using chat = await startChat({ home, mock, pluginDir: PLUGIN });
  await chat.say("Count");
  await chat.say("/compact");
  await chat.say("/compact trimtab --undo");
  await chat.say("Go on");
  const texts = Object.values(resultsOf(mock.of("main").at(-1)));
  assertEquals(texts.length, 12);
  assert(texts.some((text) => / for full content\]/.test(text)), texts[0] ?? "");
  assertStringIncludes(texts.at(-1) ?? "", "11899");
});
