/**
 * Shared steps of the end-to-end tests of `/trim`: they make a session worth trimming and read the result.
 */

import { assert, assertEquals, assertExists } from "@std/assert";
import { ensureDirSync, walkSync } from "@std/fs";
import { runChild } from "../../tools/child.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { environmentOf, type TestHome } from "./bed/home.ts";
import type { LoggedRequest, Mock, TurnLike } from "./bed/mock_api.ts";
import { blocksOf, withoutTokensLeft } from "./bed/wire.ts";
import type { Chat } from "./chat.ts";
import { charsOfBlock } from "./golden/compare.ts";
import { bash, call } from "./golden/script.ts";

export { bash, call } from "./golden/script.ts";

const LARGE_LINES = 2_000;

const MANY_FILES = 60;

/**
 * Adds files from which tools produce long outputs: `large.txt` with characters that are hard to
 * cut and to count, `small.txt`, and many names below `many/`.
 */
export function fillProject(cwd: string): void {
  const lines = Array.from(
    { length: LARGE_LINES },
    (_, n) =>
      `${n}: a needle, "quoted", C:\\path\\${n}, naïve 日本 \u{1f600}\u{1f469}\u{200d}\u{1f4bb}`,
  );
  Deno.writeTextFileSync(`${cwd}/large.txt`, lines.join("\n") + "\n");
  Deno.writeTextFileSync(`${cwd}/small.txt`, "alpha\n");
  ensureDirSync(`${cwd}/many`);
  for (let n = 0; n < MANY_FILES; n++) {
    Deno.writeTextFileSync(`${cwd}/many/a_file_with_a_long_name_${n}.txt`, "x");
  }
}

/**
 * Returns turns with a long output of every tool that is trimmed by default; some calls run in parallel.
 *
 * @param last The assistant's last text.
 */
export function longTurns(cwd: string, last: string): TurnLike[] {
  const path = `${cwd}/large.txt`;
  return [
    [{ type: "thinking", thinking: "I must look." }, call("Read", { file_path: path, limit: 500 })],
    [
      bash("head -n 250 large.txt"),
      call("Grep", { pattern: "needle", path, output_mode: "content", head_limit: 200 }),
      call("Glob", { pattern: "many/*.txt", path: cwd }),
    ],
    // Too long to be sent in full, so the client stores it in a file.
    [{ type: "text", text: "All of it." }, bash("cat large.txt")],
    [bash("head -n 200 large.txt; exit 3")],
    [call("Read", { file_path: path, offset: 600, limit: 40 })],
    // Mentions the file, because a trim keeps the newest reads until a later turn uses them.
    [bash("grep -c nothing large.txt; true")],
    last,
  ];
}

/** Writes pages of about 20,000 tokens. Returns turns that each read one page and mention the previous page. */
export function readPages(cwd: string, count: number): TurnLike[] {
  return Array.from({ length: count }, (_, page): TurnLike => {
    const path = `${cwd}/page_${page}.txt`;
    const lines = Array.from({ length: 800 }, (_, n) => `${page}.${n}: ${"words ".repeat(13)}`);
    Deno.writeTextFileSync(path, lines.join("\n"));
    const used = { type: "text", text: `page_${page - 1}.txt is used.` } as const;
    return [...(page > 0 ? [used] : []), call("Read", { file_path: path })];
  });
}

export async function sayWithoutRequest(chat: Chat, mock: Mock, typed: string): Promise<string> {
  const before = mock.requests.length;
  const reply = await chat.say(typed);
  assertEquals(mock.requests.length, before, `${typed} must not make a request`);
  return reply;
}

export interface TrimReport {
  id: string;
  trimmedCount: number;
  byTool: Record<string, number>;
  /** Characters of messages. */
  freedChars: number;
  tokens: { before: number; after: number };
  percent: { before: number; after: number };
}

export function readReport(text: string): TrimReport {
  const find = (pattern: RegExp): string[] => {
    const match = pattern.exec(text);
    assertExists(match, `no ${pattern} in:\n${text}`);
    return match.slice(1);
  };
  const numbers = (pattern: RegExp): number[] =>
    find(pattern).map((digits) => Number(digits.replaceAll(",", "")));
  const [trimmedCount = NaN] = numbers(/Trimmed ([\d,]+) tool outputs?/);
  const [tokensBefore = NaN, tokensAfter = NaN, percentBefore = NaN, percentAfter = NaN] = numbers(
    /Context: ([\d,]+) -> ([\d,]+) tokens, (\d+)% -> (\d+)%/,
  );
  const [freedChars = NaN] = numbers(/Messages: ([\d,]+) of [\d,]+ characters freed/);
  const [tools = ""] = find(/Trimmed .*? \(([^)]*)\)/);
  const byTool = Object.fromEntries(
    tools.split(", ").map((tool) => tool.split(" ")).map(([name, n]) => [name, Number(n)]),
  );
  const [id = ""] = find(/Resume with: claude --resume ([0-9a-f-]{36})/);
  assert(text.includes(`/resume ${id}`), "the report must show both ways to resume");
  return {
    id,
    trimmedCount,
    byTool,
    freedChars,
    tokens: { before: tokensBefore, after: tokensAfter },
    percent: { before: percentBefore, after: percentAfter },
  };
}

const CLAIM_TOLERANCE = 0.05;

export function assertNear(claimed: number, measured: number, unit: string): void {
  console.log(`claimed ${claimed} ${unit}, measured ${measured}`);
  assert(Math.abs(measured - claimed) <= CLAIM_TOLERANCE * measured);
}

/** Runs `bin/trimtab` of a plugin in the home's project, and returns what it prints. */
export async function runTrimtab(
  home: TestHome,
  args: readonly string[],
  plugin = PLUGIN,
): Promise<string> {
  const options = { cwd: home.cwd, clearEnv: true, env: environmentOf(home, "") };
  const { code, stdout, stderr } = await runChild(
    "sh",
    [`${plugin}/bin/trimtab`, ...args],
    options,
  );
  assertEquals({ code, stderr }, { code: 0, stderr: "" }, args.join(" "));
  return stdout;
}

/** Counts code points of a request's messages, independently of the library. */
export function sentChars(request: LoggedRequest | undefined): number {
  assertExists(request);
  return request.body.messages.flatMap((message) => blocksOf(message.content))
    .reduce((sum, block) => sum + charsOfBlock({ ...block }), 0);
}

/** Returns the texts of a request's results by call id, without the reminder that newer clients append. */
export function resultsOf(request: LoggedRequest | undefined): Record<string, string> {
  assertExists(request);
  const results = request.body.messages.flatMap(({ content }) => blocksOf(content))
    .filter(({ type }) => type === "tool_result");
  return Object.fromEntries(results.map((block) => [
    block.tool_use_id ?? "",
    withoutTokensLeft(blocksOf(block.content).map((inner) => inner.text ?? "").join("")),
  ]));
}

export function sessionIds(home: TestHome): string[] {
  return [...walkSync(`${home.config}/projects`, { exts: ["jsonl"], includeDirs: false })]
    .map(({ path }) => path)
    .filter((path) => !path.includes("/subagents/"))
    .map((path) => path.replace(/^.*\//, "").replace(/\.jsonl$/, ""))
    .sort();
}
