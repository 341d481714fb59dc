/**
 * Starts the interactive client with a prompt, and observes the input of its status line, its entrypoint, and
 * the reason for its session's end.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { newStatusHome, SMALL_MODEL } from "../e2e/bed/client.ts";
import { startMock, textOf } from "../e2e/bed/mock_api.ts";
import { openTerminal } from "../e2e/bed/terminal.ts";
import { makePlugin } from "./plugin.ts";
import type { Recorder } from "./recorder.ts";

/** Just above a whole percentage, so that rounding up would be visible: 140,003 of 200,000 is 70.0015%. */
const TOKENS = 140_003;
const PERCENT = 70;

export async function probeTerminal(facts: Recorder): Promise<void> {
  using home = newStatusHome();
  const plugin = makePlugin(`${home.home}/plugin`, ["SessionStart", "SessionEnd"]);
  await using mock = startMock({
    turns: [{ blocks: [{ type: "text", text: "An answer." }], usage: { input_tokens: TOKENS } }],
  });
  const args = ["a prompt on the command line"];
  await using terminal = await openTerminal({ home, mock, pluginDir: plugin.path, args });
  await terminal.see(/An answer\./);
  facts.test("claude starts with the text on its command line as the prompt.", () => {
    assertMatch(mock.of("main").map(textOf).join(), /a prompt on the command line/);
  });
  await terminal.see(/"used_percentage":[1-9]/);
  const status = home.status();
  const [start] = plugin.runs("SessionStart");
  facts.test("The status line gets the session, the transcript, the folder, the project and the model's names.", () => {
    assertEquals(status.session_id, start?.payload.session_id);
    assertEquals(status.transcript_path, start?.payload.transcript_path);
    assertEquals(status.cwd, home.cwd);
    assertEquals(status.workspace.project_dir, home.cwd);
    assert(status.model.id.startsWith(SMALL_MODEL), status.model.id);
    assertMatch(status.model.display_name, /Haiku 4\.5/);
  });
  facts.test("The status line gets the window, the tokens of all inputs, and the percentage that they use.", () => {
    const { total_input_tokens, context_window_size, used_percentage } = status.context_window;
    assertEquals([total_input_tokens, context_window_size], [TOKENS, 200_000]);
    assertEquals(used_percentage, PERCENT);
    assert(status.context_window.current_usage !== null);
  });
  facts.test("CLAUDE_CODE_ENTRYPOINT is cli in a terminal.", () => {
    assertEquals(start?.env.CLAUDE_CODE_ENTRYPOINT, "cli");
  });
  await terminal.exit();
  facts.test("SessionEnd runs after /exit, with the reason prompt_input_exit.", () => {
    const reasons = plugin.runs("SessionEnd").map(({ payload }) => payload.reason);
    assertEquals(reasons, ["prompt_input_exit"]);
  });
}
