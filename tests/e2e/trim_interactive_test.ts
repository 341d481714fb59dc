/**
 * Runs `/trim` in the interactive client, and checks the status line, `/resume`, the list of sessions and
 * `/rewind`.
 */

import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { PLUGIN } from "../plugin_copy.ts";
import { newSmallHome, newStatusHome } from "./bed/client.ts";
import { startMock, type TurnLike } from "./bed/mock_api.ts";
import { pick, pressUntilGone } from "./bed/menu.ts";
import { isNewerClient } from "./bed/version.ts";
import { openTerminal, RESUME_IN_BOX, type Terminal } from "./bed/terminal.ts";
import { contextTokensOf, countUsage } from "./bed/tokens.ts";
import { test } from "./client_tests.ts";
import {
  call,
  fillProject,
  longTurns,
  readPages,
  readReport,
  type TrimReport,
} from "./trim_steps.ts";

/** Maximum difference, in percentage points, between the reported and the first measured percentage. */
const PERCENT_TOLERANCE = 3;

/** This many pages fill four fifths of the limit; people usually run `/trim` at about that level. */
const PAGES = 6;

const SMALL_WINDOW = 200_000;
/** The limit that the client counts against in the small model's window. */
const SMALL_LIMIT = 180_000;

/**
 * Types a command and reads its report. With a newer client, waits until the client has filled the input box.
 */
async function trimOnScreen(terminal: Terminal, typed: string): Promise<TrimReport> {
  const screen = await terminal.say(typed, /Resume with: claude --resume [0-9a-f-]{36}/);
  return readReport(await isNewerClient() ? await terminal.see(RESUME_IN_BOX) : screen);
}

test.fullInTerminal("/resume shows a copy made by /trim at the reported percentage, which the next turn confirms", async () => {
  using home = newStatusHome();
  await using mock = startMock({ turns: [...readPages(home.cwd, PAGES), "Read it.", "Went on."] });
  await using terminal = await openTerminal({ home, mock, pluginDir: PLUGIN });
  await terminal.ask("look around", /Read it\./);
  const requests = mock.requests.length;
  const report = await trimOnScreen(terminal, "/trim --copy --keep-recent 0");
  assertEquals(mock.requests.length, requests, "the trim must not make a request");
  const { before, after } = report.percent;
  assert(before >= 75, `the window is only ${before}% full`);
  if (await isNewerClient()) {
    // The client shows the module's answer like the output of a command, with `/resume` in the input box.
    const screen = await terminal.screen();
    assertMatch(screen, new RegExp(`^❯.\/resume ${report.id} *$`, "m"));
    assertNotMatch(screen, /operation blocked|Original prompt/);
    assertMatch(screen, /\/resume is in the prompt: press Enter to continue in the copy/);
    await terminal.press("Enter");
  } else {
    await terminal.submit(`/resume ${report.id}`);
    await terminal.unsee(/operation blocked/);
  }
  await terminal.see(/Read it\./);
  await terminal.see(new RegExp(`"total_input_tokens":${report.tokens.after} `));
  const { session_id, context_window } = home.status();
  // The status line's percentage refers to the window; `/trim` uses the limit, as the client's display does.
  const percent = Math.round(report.tokens.after * 100 / SMALL_WINDOW);
  assertEquals([session_id, context_window.used_percentage], [report.id, percent]);
  await terminal.say("go on with it", /● Went on\./);
  const [request] = mock.of("main").slice(-1);
  assert(request !== undefined);
  assertEquals(request.headers["x-claude-code-session-id"], report.id);
  const hasTool = JSON.stringify(request.body.messages).includes("mcp__trimtab__recall returns");
  assertEquals(hasTool, await isNewerClient(), "the model must know how to read cut outputs");
  const tokens = contextTokensOf(countUsage(request.body));
  await terminal.see(new RegExp(`"total_input_tokens":${tokens} `));
  const measuredPercent = Math.round(tokens * 100 / SMALL_LIMIT);
  console.log(`claimed ${before}% -> ${after}%, measured ${measuredPercent}%`);
  assert(Math.abs(measuredPercent - after) <= PERCENT_TOLERANCE);
});

test.fullInTerminal("/rewind can restore code in a copy made by /trim, and the copy has its own title in the list of sessions", async () => {
  using home = newSmallHome();
  fillProject(home.cwd);
  const small = `${home.cwd}/small.txt`;
  const edit = (from: string, to: string): TurnLike => [
    call("Edit", { file_path: small, old_string: from, new_string: to }),
  ];
  await using mock = startMock({
    turns: [
      ...longTurns(home.cwd, "All looked at."),
      [call("Read", { file_path: small })],
      edit("alpha", "beta"),
      "First edit done.",
      [call("Read", { file_path: small })],
      edit("beta", "gamma"),
      "Second edit done.",
    ],
  });
  {
    await using terminal = await openTerminal({ home, mock, pluginDir: PLUGIN });
    await terminal.ask("look around", /All looked at\./);
    await terminal.ask("edit it once", /First edit done\./);
    await terminal.ask("edit it again", /Second edit done\./);
    await trimOnScreen(terminal, "/trim --copy");
    await terminal.exit();
  }
  assertEquals(Deno.readTextFileSync(small), "gamma\n");

  await using terminal = await openTerminal({ home, mock });
  const list = await terminal.say("/resume", /\(trimmed\)/);
  // Newer clients show prompts instead of the title that the mock generates.
  const [whole, copy] = await isNewerClient()
    ? ["edit it again", "look around (trimmed)"]
    : ["Scripted session", "Scripted session (trimmed)"];
  const titles = list.match(/^ +(?:❯ )?(?:Scripted session|edit it|look around).*?(?= *$)/gm);
  assertEquals(titles?.map((title) => title.replace(/^[ ❯]+/, "")).sort(), [whole, copy]);
  await pick(terminal, copy, "Down");
  await pressUntilGone(terminal, "Enter", /\(trimmed\)/);
  await terminal.see(/Second edit done\./);

  await terminal.submit("/rewind");
  // The list may appear before its details about the code.
  await terminal.see(
    /edit it once\n\s+small\.txt \+1 -1\n[^]*edit it again\n\s+small\.txt \+1 -1[^]*\(current\)/,
  );
  await pick(terminal, "edit it once", "Up");
  await pressUntilGone(terminal, "Enter", /\(current\)/);
  await terminal.see(/The code will be restored .* in small\.txt/);
  await terminal.see(/❯ 1\. Restore code and conversation/);
  await pressUntilGone(terminal, "Enter", /Restore code and conversation/);
  // The prompt of the rewind is in the input box.
  await terminal.see(/^❯.edit it once *\n─/m);
  assertEquals(Deno.readTextFileSync(small), "alpha\n");
});
