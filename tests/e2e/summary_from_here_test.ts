/**
 * Undoes summaries that start at one prompt, and runs `/compact trimtab` in `-p` with options that
 * change nothing.
 *
 * @module
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { PLUGIN } from "../plugin_copy.ts";
import { newHome } from "./bed/client.ts";
import { pick, pressUntilGone } from "./bed/menu.ts";
import { type LoggedRequest, startMock } from "./bed/mock_api.ts";
import { openTerminal } from "./bed/terminal.ts";
import { blocksOf } from "./bed/wire.ts";
import { startChat } from "./chat.ts";
import { test } from "./client_tests.ts";
import { fillProject, longTurns, sayWithoutRequest, sessionIds } from "./trim_steps.ts";

/** Lists prompts, answers, calls and results of a request in order, without reminders. */
function partsOf(request: LoggedRequest | undefined): string[] {
  return (request?.body.messages ?? []).filter(({ role }) => role !== "system")
    .flatMap(({ content }) => blocksOf(content)).flatMap((block) => {
      if (block.type === "tool_result") return `${block.tool_use_id} ${charsOf(block.content)}`;
      const shown = block.type === "tool_use" ? block.id : block.text;
      const isReminder = /^\s*<(?:system-reminder|command-name|local-command)/.test(shown ?? "");
      return shown === undefined || isReminder ? [] : [shown];
    });
}

function charsOf(content: unknown): number {
  return blocksOf(content as never).reduce(
    (sum, { text = "" }) => sum + text.replace(/\n*<system-reminder>[^]*$/, "").length,
    0,
  );
}

test.fullModuleInTerminal("/trim --undo undoes two summaries from a prompt on, and duplicates no call", async () => {
  using home = newHome();
  fillProject(home.cwd);
  await using mock = startMock({ turns: longTurns(home.cwd, "All looked at.") });
  await using terminal = await openTerminal({ home, mock, pluginDir: PLUGIN });
  const newest = (): LoggedRequest | undefined => mock.of("main").at(-1);
  for (const prompt of ["look around", "second prompt", "third prompt"]) {
    await terminal.ask(prompt, prompt === "look around" ? /All looked at\./ : /Done\./);
  }
  const before = partsOf(newest());
  // The second summary starts at a prompt that the first summary kept.
  for (const [prompt, count] of [["third prompt", 1], ["second prompt", 2]] as const) {
    await terminal.submit("/rewind");
    await terminal.see(/\(current\)/);
    await pick(terminal, prompt, "Up");
    await pressUntilGone(terminal, "Enter", /\(current\)/);
    await pick(terminal, "2. Summarize from here: add context (optional)", "Down");
    await terminal.press("Enter");
    await terminal.see(
      /Summarized \d+ messages from this point[^]*❯.(?:second|third) prompt *\n─/,
    );
    assertEquals(mock.of("summariser").length, count);
    // Clears the prompt that the client puts back into the box.
    await terminal.press("C-u");
    await terminal.ask(`go on ${count}`, /Done\./);
  }
  for (const count of [3, 4]) {
    await terminal.submit("/trim --undo");
    await terminal.see(/compaction undone: \d+ messages? restored/);
    await terminal.ask(`go on ${count}`, /Done\./);
  }
  const after = partsOf(newest());
  const expected = before.slice(0, -1);
  assertEquals(after.slice(0, expected.length), expected);
  const calls = after.filter((id) => id.startsWith("toolu_"));
  assertEquals(new Set(calls).size, calls.length);
});

test.module("/compact trimtab in claude -p shows a dry run or the status, and cuts nothing", async () => {
  using home = newHome();
  fillProject(home.cwd);
  await using mock = startMock({ turns: longTurns(home.cwd, "All looked at.") });
  await using chat = await startChat({ home, mock, pluginDir: PLUGIN });
  await chat.say("look around");
  const before = partsOf(mock.of("main").at(-1));
  for (
    const [options, words] of [
      ["--dry-run --keep-recent 0", /trimtab: Would trim in place: 7 tool outputs/],
      ["--status", /trimtab: Context: [\d,]+ of [\d,]+ tokens/],
      ["--entries", /trimtab: Context: [^]*Largest:/],
      ["--copy", /trimtab: --copy is not an option of \/compact trimtab/],
      ["undo", /trimtab: undo is not an option of \/compact trimtab/],
      ["--undo --dry-run", /--undo and --dry-run cannot be used together/],
    ] as const
  ) {
    assertMatch(await sayWithoutRequest(chat, mock, `/compact trimtab ${options}`), words);
  }
  await chat.say("next");
  assertEquals(partsOf(mock.of("main").at(-1)).slice(0, before.length), before);
  assert(before.length > 8);
  assertEquals(mock.of("summariser"), []);
  assertEquals(sessionIds(home), [chat.sessionId]);
});
