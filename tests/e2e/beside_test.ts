/**
 * Newer clients also log each request in the transcript: the contents of results, the system prompt and the
 * tools. These lines are not messages, and a resumed client does not send them.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { PLUGIN } from "../plugin_copy.ts";
import { newSmallHome, runClientWell } from "./bed/client.ts";
import { newestText, startMock } from "./bed/mock_api.ts";
import { startChat } from "./chat.ts";
import { test } from "./client_tests.ts";
import { bash, readReport, runTrimtab } from "./trim_steps.ts";

const SIDE_LINE_TYPES = [
  "api-request",
  "api-request-blob",
  "api-request-shape",
  "atis-latch",
  "cost-state",
  "mode",
  "tools-used",
];

/** Occurs only in a result, so far from the start of the result that a trim cuts it. */
const NEEDLE = "a needle in line 180";
const SERVER = new URL("./bed/mcp_server.ts", import.meta.url).pathname;

function sideLinesIn(transcript: string): string[] {
  const isSideLine = new RegExp(`^\\{"type":"(?:${SIDE_LINE_TYPES.join("|")})"`);
  return Deno.readTextFileSync(transcript).split("\n").filter((line) => isSideLine.test(line));
}

test.fullModule("search skips the requests that a newer client logs in the transcript, a trim keeps these requests, and report shows sizes from them", async (t) => {
  // The small model gets reminders inside of results, so the client also logs the results as sent.
  using home = newSmallHome();
  await using mock = startMock({
    turns: [[bash("seq -f 'a needle in line %g' 1 400")], "Looked.", "Looked again."],
  });
  const mcp = { mcpServers: { bed: { command: Deno.execPath(), args: ["run", SERVER] } } };
  const args = ["--mcp-config", JSON.stringify(mcp)];
  // Without this variable, the client defines a server's tools only after a search for them.
  const env = { ENABLE_TOOL_SEARCH: "false" };
  const base = { home, mock, env };
  const { sessionId, transcriptPath } = await runClientWell({
    ...base,
    prompt: "look around",
    args,
  });
  await runClientWell({ ...base, prompt: "again", args: [...args, "--resume", sessionId] });
  const text = Deno.readTextFileSync(transcriptPath);
  for (const type of SIDE_LINE_TYPES) assertStringIncludes(text, `{"type":"${type}",`);
  assert(
    sideLinesIn(transcriptPath).some((line) => line.includes(NEEDLE)),
    "no blob contains the result",
  );

  await t.step("search finds a result once", async () => {
    const { matches } = JSON.parse(await runTrimtab(home, ["search", "--json", NEEDLE]));
    assertEquals(matches.length, 1);
  });
  await t.step("the report shows the sizes of system prompt, tools and servers", async () => {
    const { report } = JSON.parse(await runTrimtab(home, ["report", sessionId, "--json"]));
    const [group] = report.contents.groups;
    assertEquals(group.kind, "system");
    const parts: { name: string; tokens: number }[] = group.parts;
    assertEquals(parts.map(({ name }) => name).sort(), [
      "MCP server bed",
      "System prompt",
      "Tools",
    ]);
    assertEquals(parts.reduce((sum, { tokens }) => sum + tokens, 0), group.tokens);
  });
  await t.step(
    "a copy keeps the logged requests, and the client does not send the cut text from them",
    async () => {
      const args = ["--resume", sessionId];
      await using chat = await startChat({ home, mock, pluginDir: PLUGIN, args });
      const { id } = readReport(await chat.say("/trim --keep-recent 0"));
      await chat.end();
      const copy = transcriptPath.replace(sessionId, id);
      const kept = new Set(sideLinesIn(copy).map((line) => line.replaceAll(id, sessionId)));
      const lost = sideLinesIn(transcriptPath).filter((line) => !kept.has(line));
      // Lines that the client wrote during `/trim` may be missing from the copy, so only older lines count.
      assertEquals(lost.filter((line) => text.includes(line)), []);
      await runClientWell({ home, mock, prompt: "go on", args: ["--resume", id] });
      const sent = newestText(mock);
      assertStringIncludes(sent, "a needle in line 1\n");
      assert(!sent.includes(NEEDLE), "the result is sent in full");
    },
  );
});
