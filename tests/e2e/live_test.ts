/** Runs live shaping in the real client: the model receives shortened outputs and can read the rest. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { readLiveStats } from "../../src/live/live_log.ts";
import { spillFolder } from "../../src/live/spill.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { newHome, runClientWell, type TestHome } from "./bed/client.ts";
import { type LoggedRequest, startMock, type TurnLike } from "./bed/mock_api.ts";
import { blocksOf } from "./bed/wire.ts";
import { test } from "./client_tests.ts";
import { bash, call } from "./trim_steps.ts";
import { writeTrusted } from "../trusted.ts";

const SESSION = "5b8f0c1e-3d2a-4c6b-9e7f-1a2b3c4d5e6f";
const TOOLS = "Bash Read Grep Glob Task Agent WebFetch mcp__bed";
const MCP_SERVER = new URL("./bed/mcp_server.ts", import.meta.url).pathname;

const NOTICE = /\[trimtab: shaped from [\d,]+ characters in [\d,]+ lines?; the whole output is in /;

function fill(home: TestHome): void {
  const { cwd } = home;
  const passing = Array.from({ length: 200 }, (_, n) => `--- PASS: TestNumber${n} (0.00s)`);
  const log = [...passing, "--- FAIL: TestOfAll (0.01s)", "    all_test.go:7: failed", "FAIL"];
  Deno.writeTextFileSync(`${cwd}/tests.log`, `${log.join("\n")}\n`);
  const lines = Array.from({ length: 900 }, (_, n) => `needle ${n} ${"hay ".repeat(8)}`);
  Deno.writeTextFileSync(`${cwd}/large.txt`, `${lines.join("\n")}\n`);
  Deno.mkdirSync(`${cwd}/many`);
  for (let n = 0; n < 120; n++) {
    Deno.writeTextFileSync(`${cwd}/many/a_file_with_a_rather_long_name_${n}.txt`, "needle\n");
  }
}

function switchOn(home: TestHome): void {
  Deno.mkdirSync(`${home.cwd}/.claude`, { recursive: true });
  writeTrusted(
    `${home.cwd}/.claude/trimtab.toml`,
    "[live]\nenabled = true\nmax_chars = 2000\n" +
      'tools = ["Bash", "Grep", "Glob", "WebFetch", "Read", "mcp__*"]\nprotect = ["tests.log"]\n',
    { projectDir: home.cwd, configDir: home.config },
  );
}

/** Serves a page over TLS, since WebFetch upgrades every address to https. */
function servePage(): Deno.HttpServer<Deno.NetAddr> {
  const fixture = (name: string): string =>
    Deno.readTextFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));
  const [cert, key] = [fixture("server.pem"), fixture("server.key")];
  return Deno.serve(
    { hostname: "127.0.0.1", port: 0, cert, key, onListen: () => {} },
    () => new Response("<p>A page.</p>", { headers: { "content-type": "text/html" } }),
  );
}

function resultsIn(request: LoggedRequest | undefined): string[] {
  assert(request !== undefined);
  const blocks = request.body.messages.flatMap(({ content }) => blocksOf(content));
  const results = blocks.filter(({ type }) => type === "tool_result");
  const texts = results.map(({ content }) =>
    typeof content === "string"
      ? content
      : (content ?? []).filter(({ text }) => text?.startsWith("<system-reminder>") !== true)
        .map(({ text }) => text ?? "[image]").join("\n")
  );
  // The client appends reminders to some of the results.
  return texts.map((text) => text.replaceAll(/\n*<system-reminder>[^]*?<\/system-reminder>/g, ""));
}

function logProblems(home: TestHome): string[] {
  const folder = `${home.config}/debug`;
  const texts = [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile)
    .map(({ name }) => Deno.readTextFileSync(`${folder}/${name}`));
  assert(texts.length > 0, "there is no debug log");
  return texts.flatMap((text) =>
    text.split("\n").filter((line) =>
      / \[(?:ERROR|WARN)\] .*(?:[Hh]ook |EPIPE)|does not match .*output shape/i.test(line)
    )
  );
}

function spillFile(home: TestHome, nth: number): string {
  const number = String(nth).padStart(4, "0");
  return `${spillFolder(home.cwd)}/${SESSION}/toolu_bed_${number}_0.txt`;
}

test.full("live shaping shortens the output of each tool, and the model can read the rest", async (t) => {
  using home = newHome({ skipWebFetchPreflight: true });
  fill(home);
  switchOn(home);
  await using page = servePage();
  const url = `https://127.0.0.1:${page.addr.port}/page`;
  const json = { count: 300, text: "a name" };
  const calls: TurnLike[] = [
    [bash("sed s/tests/TESTS/ *.log")],
    [call("Grep", { pattern: "needle", path: "large.txt", output_mode: "content", head_limit: 0 })],
    [call("Grep", { pattern: "needle", head_limit: 0 })],
    [call("Glob", { pattern: "**/*.txt" })],
    [call("Read", { file_path: `${home.cwd}/large.txt` })],
    [call("mcp__bed__lines", { count: 400, text: "a line" })],
    [call("mcp__bed__structured", json)],
    [call("mcp__bed__picture", json)],
    [bash("cat tests.log")],
    [bash("seq 1 1000; exit 3")],
    [bash("seq 1 9000")],
    [call("Read", { file_path: spillFile(home, 1), offset: 150, limit: 40 })],
    [call("Agent", { description: "d", prompt: "look", subagent_type: "general-purpose" })],
    [call("WebFetch", { url, prompt: "all" })],
    "Done.",
    "Went on.",
  ];
  const pageWords = Array.from({ length: 300 }, (_, n) => `Word ${n} of the page.`).join("\n");
  await using mock = startMock({
    ids: "bed",
    turns: calls,
    respond: ({ kind, body }, index) => {
      if (kind === "subagent") {
        return index === 0 ? [bash("seq 1 1000")] : "Looked.";
      }
      return JSON.stringify(body.messages).includes("Web page content") && kind === "side"
        ? pageWords
        : undefined;
    },
  });
  const mcp = { mcpServers: { bed: { command: Deno.execPath(), args: ["run", MCP_SERVER] } } };
  const args = ["--debug", "--mcp-config", JSON.stringify(mcp), "--allowedTools", TOOLS];
  // The page's certificate does not contain the address.
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  const run = { home, mock, pluginDir: PLUGIN, env };
  await runClientWell({ ...run, prompt: "Go.", args: ["--session-id", SESSION, ...args] });
  const results = resultsIn(mock.of("main").at(-1));
  const [tests = "", matches = "", files = "", glob = "", read = ""] = results;
  const [lines = "", structured = "", picture = "", whole = "", failing = ""] = results.slice(5);
  const [moved = "", rest = "", , web = ""] = results.slice(10);

  await t.step("test output keeps failures, and states the number of omitted lines", () => {
    assertMatch(tests, /^\[trimtab: shaped from 6,/);
    assertStringIncludes(tests, `in ${spillFile(home, 1)}: Read it with offset and limit]`);
    assertStringIncludes(tests, "lines 1-200 left out, 200 passing]");
    assertStringIncludes(
      tests,
      "--- FAIL: TestOfAll (0.01s)\n    all_test.go:7: failed\nFAIL",
    );
  });
  await t.step("search results keep each file's first matches; file lists keep both ends", () => {
    assertMatch(matches, /\d+ more matches, lines \d+-900\]$/);
    assertMatch(matches, NOTICE);
    assertMatch(files, /^Found 12\d files[^\n]*\n\[trimtab: shaped from /);
    const gap = /^\[trimtab: lines \d+-\d+ left out\]$/m;
    assertMatch(files, gap);
    assertMatch(glob, NOTICE);
    assertMatch(glob, gap);
  });
  await t.step("the output of Read keeps its line numbers", () => {
    assertMatch(read, /^ *0\t\[trimtab: shaped from [^\n]*\n *1\tneedle 0 /);
    assertMatch(read, /\n *(\d+)\t\[trimtab: lines \1-900 left out\]/);
  });
  await t.step("outputs of an MCP server's tools are shortened, unless they have a picture", () => {
    assertMatch(lines, NOTICE);
    assertMatch(structured, /\[trimtab: [^\n]* left out\]/);
    // Newer clients append the path of a picture's file.
    const visible = picture.replace(/\n\[Image: source: [^\n]+\]\n?$/, "");
    assertEquals([visible.split("\n").length, visible.endsWith("[image]")], [301, true]);
  });
  await t.step("web pages are shortened", () => {
    assertMatch(web, NOTICE);
    assertStringIncludes(web, "Word 299 of the page.");
  });
  await t.step(
    "outputs are not shortened if they are protected, failed, stored by the client or from a subagent",
    () => {
      assertEquals(whole.split("\n").length, 203);
      assertMatch(failing, /^Exit code 3\n1\n2\n3\n/);
      assertMatch(moved, /^<persisted-output>/);
      for (const text of [whole, failing, moved]) assert(!text.includes("[trimtab: "));
      const agentResults = resultsIn(mock.of("subagent").at(-1));
      assertEquals(agentResults[0]?.split("\n").length, 1000);
    },
  );
  await t.step("the model can read the rest, byte for byte", () => {
    assertMatch(rest, /^ *150\t--- PASS: TestNumber149 /);
    assertEquals(
      Deno.readTextFileSync(spillFile(home, 1)),
      Deno.readTextFileSync(`${home.cwd}/tests.log`).trimEnd(),
    );
    assertEquals((Deno.statSync(spillFile(home, 1)).mode ?? 0) & 0o777, 0o600);
  });
  await t.step("the client accepts each shape, and the session resumes", async () => {
    const before = mock.of("main").at(-1);
    await runClientWell({ ...run, prompt: "Go on.", args: ["--resume", SESSION, ...args] });
    const again = resultsIn(mock.of("main").at(-1));
    assertEquals(again, resultsIn(before));
    assert(!JSON.stringify(mock.of("main").at(-1)).includes("updatedToolOutput"));
    assertEquals(logProblems(home), []);
  });
  await t.step("the log shows the savings", () => {
    const { totals, by_tool: tools } = readLiveStats(home.cwd);
    const names = ["Bash", "Glob", "Grep", "Read", "WebFetch"];
    const mcp = ["mcp__bed__lines", "mcp__bed__structured"];
    assertEquals(Object.keys(tools).sort(), [...names, ...mcp]);
    assert(totals.saved_percent > 60);
  });
});

test.full("live shaping is off by default and leaves outputs and the disk unchanged", async () => {
  using home = newHome();
  // Larger than the buffer of a pipe: the launcher exits without reading it, which must cause no error.
  const lines = Array.from({ length: 2_000 }, (_, n) => `needle ${n} ${"hay ".repeat(8)}`);
  Deno.writeTextFileSync(`${home.cwd}/large.txt`, lines.join("\n"));
  await using mock = startMock({
    turns: [[call("Read", { file_path: `${home.cwd}/large.txt` })], "Done."],
  });
  await runClientWell({ home, mock, prompt: "Go.", pluginDir: PLUGIN, args: ["--debug"] });
  const [read] = resultsIn(mock.of("main").at(-1));
  assertEquals(read?.split("\n").length, 2_000);
  assertEquals(logProblems(home), []);
  assertEquals([...Deno.readDirSync(home.cwd)].map(({ name }) => name), ["large.txt"]);
});

test.fullModule("live shaping leaves outputs unchanged if a permission rule hides stored outputs from the model", async () => {
  using home = newHome({ permissions: { deny: ["Read(./.claude/**)"] } });
  switchOn(home);
  await using mock = startMock({ turns: [[bash("seq 1 900")], "Done."] });
  await runClientWell({ home, mock, prompt: "Go.", pluginDir: PLUGIN });
  const [whole] = resultsIn(mock.of("main").at(-1));
  assertEquals(whole?.split("\n").length, 900);
});

test.full("the client logs that it refuses an output of another shape, and keeps the original", async () => {
  using home = newHome();
  const hookSpecificOutput = { hookEventName: "PostToolUse", updatedToolOutput: { text: "other" } };
  const command = `printf '%s' '${JSON.stringify({ hookSpecificOutput })}'`;
  const hooks = { PostToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command }] }] };
  const settings = JSON.stringify({ hooks });
  await using mock = startMock({ turns: [[bash("echo whole")], "Done."] });
  const args = ["--debug", "--settings", settings];
  await runClientWell({ home, mock, prompt: "Go.", args });
  assertEquals(resultsIn(mock.of("main").at(-1)), ["whole"]);
  const [problem = "", ...more] = logProblems(home);
  assertMatch(problem, /does not match .*output shape/i);
  assertEquals(more, []);
});
