/**
 * Runs a rollover in the real client: only the next session receives the handoff, and only once.
 *
 * @module
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { listSessions } from "../saved/lineage/sessions.ts";
import { listHandoffs } from "../../src/saved/lineage/handoffs.ts";
import { cleanEnv, runChild } from "../../tools/child.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { denoDir, newSmallHome, runClientWell, type TestHome } from "./bed/client.ts";
import { startChat } from "./chat.ts";
import { newestText, startMock, textOf, type TurnLike } from "./bed/mock_api.ts";
import { openTerminal } from "./bed/terminal.ts";
import { test } from "./client_tests.ts";
import { bash, call } from "./trim_steps.ts";

const TASK = "Build a login with hashed passwords.";
const HANDOFF = `### Current Task

Build a login.

### Key Decisions

- SQLite because it needs no server.

### Modified Files

- login.ts

### Immediate Next Steps

1. Hash the passwords with Argon2.

### Critical Context

- The tests need a port.
`;

const STATUS_LINE = { type: "command", command: `sh "${PLUGIN}/bin/trimtab" statusline` };

/** Returns turns that use a percentage of the client's limit, then hand over as the skill says. */
function turns(home: TestHome, percent: number, options = ""): TurnLike[] {
  const command = `trimtab rollover --skill ${options} --summary - <<'HANDOFF'\n${HANDOFF}HANDOFF`;
  const usage = { input_tokens: percent * 1_800 };
  return [
    [call("Write", { file_path: `${home.cwd}/login.ts`, content: "export const a = 1;\n" })],
    { blocks: [{ type: "text", text: "The file is there." }], usage },
    { blocks: [bash(command)], usage },
    { blocks: [{ type: "text", text: "Handed over." }], usage },
  ];
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}

test.fullInTerminal("after /rollover and /clear, only the client's next session receives the handoff", async () => {
  using home = newSmallHome({ statusLine: STATUS_LINE });
  await using mock = startMock({
    turns: [
      ...turns(home, 80, "--issue '#42'"),
      { blocks: [{ type: "text", text: "It is renamed." }], usage: { input_tokens: 144_000 } },
      { blocks: [{ type: "text", text: "Going on." }], usage: { input_tokens: 21_600 } },
      "Something else.",
    ],
  });
  const start = { home, mock, pluginDir: PLUGIN, args: ["--allowedTools", "Write"] };
  await using terminal = await openTerminal(start);
  await terminal.submit(TASK);
  await terminal.see(/The file is there\./);
  await terminal.submit("/rollover");
  await terminal.see(/Handed over\./);
  const prompt = mock.of("main").slice(-2, -1).map(textOf).join();
  assertStringIncludes(prompt, "### Immediate Next Steps");
  const [parent] = listSessions({ projectDir: home.cwd });
  assert(parent !== undefined);
  assertEquals([parent.end_reason, parent.context_at_end], ["rollover", 80]);

  await terminal.submit("Rename it, with tabs.");
  await terminal.see(/It is renamed\./);

  await terminal.submit("/clear");
  await terminal.unsee(/It is renamed\./);
  await terminal.see(/trimtab: handoff of [0-9a-f]{8} loaded: /);
  await terminal.submit("Go on.");
  await terminal.see(/Going on\./);
  await terminal.see(/12%/);
  const text = newestText(mock);
  assertEquals(countOf(text, "## Session Continuation"), 1);
  assertStringIncludes(text, "This is session #2 for #42.\nPrevious session rolled over at 80%");
  assertEquals(countOf(text, "Hash the passwords with Argon2."), 1);
  assertStringIncludes(text, "Rename it, with tabs.");
  assertStringIncludes(text, "That session continued after it wrote this handoff");
  assertStringIncludes(text, "### Retrieving Details");
  assertStringIncludes(text, `Parent session: ${parent.session_id}`);
  assert(!text.includes("Resuming from"), "the handoff replaces the checkpoint");

  await using second = await openTerminal(start);
  await second.submit("Something else?");
  await second.see(/Something else\./);
  assert(!newestText(mock).includes("Session Continuation"));
  assert(!newestText(mock).includes("Resuming from"));

  const [handoff] = listHandoffs(home.cwd);
  const sessions = listSessions({ projectDir: home.cwd });
  const child = sessions.find((session) => session.parent_session_id === parent.session_id);
  assertEquals([handoff?.status, handoff?.handoff.claimed_by], ["claimed", [
    child?.session_id ?? "",
  ]]);
  const tree = await runChild("sh", [`${PLUGIN}/bin/trimtab`, "sessions"], {
    cwd: home.cwd,
    clearEnv: true,
    env: cleanEnv({ HOME: home.home, DENO_DIR: denoDir() }),
  });
  const [first = "", next = ""] = tree.stdout.split("\n");
  assertMatch(
    first,
    new RegExp(`^${parent.session_id?.slice(0, 8)}.*rollover.* at 80%`),
  );
  assertMatch(next, new RegExp(`^  ${child?.session_id?.slice(0, 8)}.*  open$`));
});

test.full("a headless client receives a handoff only if it was left for a headless client", async (t) => {
  for (const option of ["--for-headless", ""]) {
    await t.step(option === "" ? "without --for-headless" : option, async () => {
      using home = newSmallHome();
      await using mock = startMock({ turns: [...turns(home, 80, option), "Going on."] });
      const base = { home, mock, pluginDir: PLUGIN };
      await using chat = await startChat(base);
      for (const prompt of [TASK, "/rollover"]) await chat.say(prompt);
      await chat.end();
      await runClientWell({ ...base, prompt: "What next?" });
      const isThere = newestText(mock).includes("## Session Continuation");
      assertEquals(isThere, option !== "");
      assert(!newestText(mock).includes("Resuming from Checkpoint"));
    });
  }
});
