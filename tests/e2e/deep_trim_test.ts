/** Checks that the real client sends the copy of a deep trim as expected, and continues with it. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { readNewestUsage } from "../../src/gauge/running_usage.ts";
import { trimByLength, type TrimCounts } from "../trim/by_length.ts";
import { CORPUS, sessionFiles } from "../corpus/corpus.ts";
import { newSmallHome, runClient, type TestHome } from "./bed/client.ts";
import { startChat } from "./chat.ts";
import { makePng } from "./bed/image.ts";
import {
  type LoggedRequest,
  type Mock,
  type ScriptedBlock,
  startMock,
  textOf,
} from "./bed/mock_api.ts";
import { contextTokensOf, countUsage } from "./bed/tokens.ts";
import { blocksOf, type WireBlock } from "./bed/wire.ts";
import { test } from "./client_tests.ts";
import { assertNear, bash, call, sentChars } from "./trim_steps.ts";

/** In percentage points. */
const PERCENT_TOLERANCE = 3;

const WINDOW = 200_000;

/** Minimum usage of the tested session, because people trim large sessions. */
const LARGE_TOKENS = 100_000;

function thinkingBlock(thinking: string): ScriptedBlock {
  return { type: "thinking", thinking: `${thinking} `.repeat(100).trim() };
}

function fullTurns(cwd: string): ScriptedBlock[][] {
  const path = `${cwd}/large.txt`;
  const written = `${cwd}/written.ts`;
  const lines = (word: string): string => `export const ${word} = "naïve \u{1f600}";\n`.repeat(120);
  return [
    [
      thinkingBlock("first"),
      { type: "text", text: "I look." },
      call("Read", { file_path: path, limit: 400 }),
    ],
    [
      thinkingBlock("second"),
      bash("head -n 150 large.txt"),
      call("Grep", { pattern: "needle", path, output_mode: "content", head_limit: 100 }),
    ],
    [
      thinkingBlock("third"),
      call("Write", { file_path: written, content: lines("a") + lines("b") }),
    ],
    [call("Edit", { file_path: written, old_string: lines("b"), new_string: lines("c") })],
    [call("Read", { file_path: `${cwd}/picture.png` })],
    [thinkingBlock("fourth"), { type: "text", text: "All looked at." }],
    // The turns of the second prompt.
    [thinkingBlock("newest"), bash("echo short")],
    [thinkingBlock("last"), { type: "text", text: "Done again." }],
  ];
}

async function makeSession(home: TestHome, mock: Mock): Promise<{ id: string; path: string }> {
  const lines = 'a needle, "quoted", naïve \u{1f600}\n'.repeat(600);
  Deno.writeTextFileSync(`${home.cwd}/large.txt`, lines);
  Deno.writeFileSync(`${home.cwd}/picture.png`, await makePng(1200, 900));
  const data = (await makePng(900, 1200)).toBase64();
  const source = { type: "base64", media_type: "image/png", data };
  await using chat = await startChat({ home, mock });
  await chat.say([{ type: "image", source }, { type: "text", text: "look around" }]);
  await chat.say("and again");
  const id = chat.sessionId;
  return { id, path: `${home.sessions}/${id}.jsonl` };
}

function trimCopy(home: TestHome, path: string): TrimCounts & { id: string } {
  const id = crypto.randomUUID();
  const output = `${home.sessions}/${id}.jsonl`;
  const counts = trimByLength({
    input: path,
    output,
    sessionId: id,
    metadata: true,
    depth: "deep",
  });
  return { ...counts, id };
}

async function resume(
  home: TestHome,
  mock: Mock,
  id: string,
  model: readonly string[] = [],
): Promise<LoggedRequest> {
  const before = mock.of("main").length;
  await runClient({ home, mock, prompt: "go on", args: ["--resume", id, ...model] });
  const request = mock.of("main")[before];
  assert(request !== undefined);
  return request;
}

function assertClaim(copy: TrimCounts, whole: LoggedRequest, trimmed: LoggedRequest): void {
  const fewer = sentChars(whole) - sentChars(trimmed);
  const claimed = copy.context_chars.before - copy.context_chars.after;
  assert(claimed > 30_000, `the trim claims to free only ${claimed} characters`);
  assertNear(claimed, fewer, "characters freed");
}

function allBlocks(request: LoggedRequest): WireBlock[] {
  return request.body.messages.flatMap((message) => blocksOf(message.content));
}

function thoughtsOf(request: LoggedRequest): string[] {
  return allBlocks(request).flatMap((block) => block.thinking?.split(" ")[0] ?? []);
}

function picturesOf(request: LoggedRequest): number {
  return allBlocks(request).flatMap((block) => [block, ...blocksOf(block.content)])
    .filter((block) => block.type === "image").length;
}

test.full("the client sends a deep copy at the size that the trim claims, and the API accepts it", async () => {
  using home = newSmallHome();
  await using mock = startMock({ turns: fullTurns(home.cwd) });
  const { id, path } = await makeSession(home, mock);
  const copy = trimCopy(home, path);
  const whole = await resume(home, mock, id);
  const trimmed = await resume(home, mock, copy.id);

  assertClaim(copy, whole, trimmed);
  assertEquals(copy.images.count, 2);
  assertEquals([picturesOf(whole), picturesOf(trimmed)], [2, 0]);
  assertEquals(copy.thinking.count, 4);
  assertEquals(thoughtsOf(whole), ["first", "second", "third", "fourth", "newest", "last"]);
  assertEquals(thoughtsOf(trimmed), ["newest", "last"]);
  assertEquals(copy.inputs.count, 2);

  // Both requests must contain the same calls and results in the same messages.
  const shape = (request: LoggedRequest): unknown[] =>
    request.body.messages.map(({ role, content }) => [
      role,
      ...blocksOf(content).filter(({ type }) => type !== "thinking").map((block) =>
        block.type === "image"
          ? "text"
          : [block.type, block.id ?? block.tool_use_id ?? ""].join(" ").trim()
      ),
    ]);
  assertEquals(shape(trimmed), shape(whole));
  assert(!textOf(trimmed).includes("(no content)"), "no line may become an empty message");
  // Parallel calls return in any order.
  const texts = allBlocks(trimmed).flatMap((block) => blocksOf(block.content))
    .map(({ text = "" }) => text).join("\n");
  assertMatch(texts, /^\[Read result masked -- 400 lines, file: ".*large\.txt", limit: 400, /m);
  assertMatch(texts, /^\[Bash result masked -- \d+ bytes of output, command: "head -n 150/m);
  const written = allBlocks(trimmed).find(({ name }) => name === "Write")?.input;
  assertEquals(Object.keys(Object(written)), ["file_path", "content"]);
  assertStringIncludes(Object(written).content, `of ${id.slice(0, 8)} for full content]`);

  const usage = contextTokensOf(countUsage(trimmed.body));
  const percent = (tokens: number): number => (tokens * 100) / WINDOW;
  console.log(`estimated ${copy.tokens.after} tokens after the trim; the mock counts ${usage}`);
  assert(Math.abs(percent(usage) - percent(copy.tokens.after)) <= PERCENT_TOLERANCE);
});

test.fullWithCorpus("the client sends the deep copy of a real session at the size that the trim claims", async () => {
  const size = (name: string): number => Deno.statSync(`${CORPUS}/${name}`).size;
  const inputs = sessionFiles.toSorted((a, b) => size(a) - size(b)).map((name) =>
    `${CORPUS}/${name}`
  );
  const input = inputs.find((path) =>
    (readNewestUsage(path).usage?.tokens ?? 0) > LARGE_TOKENS &&
    trimByLength({ input: path, depth: "deep" }).thinking.chars_saved > 0
  );
  assert(input !== undefined, `${CORPUS} has no large session with thinking`);
  using home = newSmallHome();
  // The mock may reject the requests, but it logs them anyway.
  await using mock = startMock({ turns: [], expectsViolations: true });
  const id = crypto.randomUUID();
  const path = `${home.sessions}/${id}.jsonl`;
  trimByLength({ input, output: path, sessionId: id, tools: [] });
  const copy = trimCopy(home, path);
  // Uses the session's model, because the client does not send the thinking of other models. Uses the
  // large window for a large session; otherwise, the client would compact it.
  const { usage } = readNewestUsage(input);
  const window = (usage?.tokens ?? 0) > WINDOW * 0.8 ? "[1m]" : "";
  const model = ["--model", `${usage?.model}${window}`];
  const whole = await resume(home, mock, id, model);
  assertClaim(copy, whole, await resume(home, mock, copy.id, model));
});
