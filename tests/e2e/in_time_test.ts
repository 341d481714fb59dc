/**
 * Checks the trims in place that the user does not request: at `trim_at_percent`, when a session is resumed
 * after its cache has expired, and when the model requests a trim.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { PLUGIN } from "../plugin_copy.ts";
import { newSmallHome } from "./bed/client.ts";
import {
  type LoggedRequest,
  type Mock,
  newestJson,
  type ScriptedBlock,
  startMock,
} from "./bed/mock_api.ts";
import { openTerminal } from "./bed/terminal.ts";
import { test } from "./client_tests.ts";
import { call, readPages, sessionIds } from "./trim_steps.ts";

/** The first turn reads this many pages, which fill nine tenths of the client's limit. */
const PAGES = 7;

function countCuts(mock: Mock): number {
  return newestJson(mock).match(/See line \d+ of [0-9a-f]{8} for full/g)?.length ?? 0;
}

test.moduleInTerminal("a session over trim_at_percent is trimmed once, when its turn ends, and not again after an undo", async () => {
  using home = newSmallHome();
  Deno.writeTextFileSync(`${home.config}/trimtab.toml`, "[inside]\ntrim_at_percent = 60\n");
  await using mock = startMock({ turns: [...readPages(home.cwd, PAGES), "All read."] });
  await using terminal = await openTerminal({ home, mock, pluginDir: PLUGIN });
  await terminal.say("read it", /● All read\./);
  await terminal.type("what I type on");
  const screen = await terminal.see(/trimmed in place: 2 tool outputs[^]*--undo/);
  const reason = "cut because the window passed 60% (trim_at_percent)";
  assertStringIncludes(screen.replaceAll(/\s+/g, " "), reason);
  await terminal.see(/❯\swhat I type on/);
  const requests = mock.requests.length;
  await terminal.press("Enter");
  await mock.request(({ kind, body: { messages } }) =>
    kind === "main" && JSON.stringify(messages).includes("what I type on")
  );
  await terminal.see(/❯\swhat I type on[^]*● Done\./);
  assertEquals(mock.requests.length, requests + 1, "the trim made no request");
  assertEquals(countCuts(mock), 2);
  for (const [prompt, cut] of [["again", 2], ["after the undo", 0], ["and on", 0]] as const) {
    if (prompt === "after the undo") {
      await terminal.say("/trim --undo", /trim undone: 2 tool outputs restored/);
    }
    await terminal.ask(prompt, /● Done\./);
    assertEquals(countCuts(mock), cut, prompt);
  }
  await terminal.exit();
  const [id = ""] = sessionIds(home);
  const lines = Deno.readTextFileSync(`${home.sessions}/${id}.jsonl`);
  assertEquals(lines.split('"subtype":"compact_boundary"').length - 1, 2, "a trim and its undo");
  assert(
    !lines.includes("Set [inside] trim_at_percent"),
    "an option that is already set is not suggested",
  );
});

const DAY_MS = 24 * 60 * 60_000;

test.fullModuleInTerminal("trim_when_cold trims a session that is resumed without a prompt", async () => {
  using home = newSmallHome();
  await using mock = startMock({ turns: [...readPages(home.cwd, PAGES), "All read."] });
  const start = { home, mock, pluginDir: PLUGIN };
  {
    await using terminal = await openTerminal(start);
    await terminal.say("read it", /● All read\./);
    await terminal.exit();
  }
  const [id = ""] = sessionIds(home);
  const path = `${home.sessions}/${id}.jsonl`;
  const older = Deno.readTextFileSync(path).replaceAll(
    /"timestamp":"([^"]+)"/g,
    (_, time) => `"timestamp":"${new Date(Date.parse(time) - DAY_MS).toISOString()}"`,
  );
  Deno.writeTextFileSync(path, older);
  Deno.writeTextFileSync(`${home.config}/trimtab.toml`, "[inside]\ntrim_when_cold = true\n");
  {
    // The turn of this prompt writes the cache again before a trim can run.
    await using terminal = await openTerminal({ ...start, args: ["--resume", id, "at once"] });
    await terminal.see(/your prompt has filled the\s+prompt\s+cache again/);
    assertEquals(countCuts(mock), 0);
  }
  Deno.writeTextFileSync(path, older);
  const requests = mock.requests.length;
  await using terminal = await openTerminal({ ...start, args: ["--resume", id] });
  await terminal.see(/2 tool outputs[^]*since the prompt cache has\s+expired/);
  assertEquals(mock.requests.length, requests, "the trim makes no request");
  await terminal.ask("go on", /● Done\./);
  assertEquals(countCuts(mock), 2);
  assertStringIncludes(newestJson(mock), "read it");
});

function askForTrim({ kind, body: { messages } }: LoggedRequest): ScriptedBlock[] | undefined {
  const sent = JSON.stringify(messages);
  if (kind !== "main" || !sent.includes("mcp__trimtab__trim (it may need ToolSearch first)")) {
    return;
  }
  if (sent.includes("is trimmed when your turn ends")) return;
  return [call("mcp__trimtab__trim", { why: "the log is no longer needed" })];
}

test.fullModuleInTerminal("the model may ask for a trim at the level recommend or above, unless the configuration forbids it", async () => {
  for (const isAllowed of [true, false]) {
    using home = newSmallHome();
    // With only two results kept, a trim frees enough to be recommended after any batch.
    const allowed = isAllowed ? "" : "[inside]\nmodel_may_trim = false\n";
    const config = `[context]\ntrim_keep_recent = 2\n${allowed}`;
    Deno.writeTextFileSync(`${home.config}/trimtab.toml`, config);
    await using mock = startMock({
      turns: [...readPages(home.cwd, PAGES), "All read."],
      respond: askForTrim,
    });
    await using terminal = await openTerminal({ home, mock, pluginDir: PLUGIN });
    await terminal.say("read it", /● All read\./);
    if (isAllowed) {
      const screen = await terminal.see(/trimmed in place: \d+ tool outputs?[^]*--undo/);
      const reason = 'cut because the model asked: "the log is no longer needed"';
      assertStringIncludes(screen.replaceAll(/\s+/g, " "), reason);
    }
    const requests = mock.of("main").length;
    await terminal.ask("go on", /● Done\./);
    assertEquals(mock.of("main").length, requests + 1, "the trim made no request");
    assertEquals(countCuts(mock) > 0, isAllowed);
    assertEquals(newestJson(mock).includes("mcp__trimtab__trim"), isAllowed);
  }
});
