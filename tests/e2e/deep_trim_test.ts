/**
 * Checks that the real client sends the copy of a deep trim as expected, and continues with it.
 *
 * @module
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { readTailUsage } from "../../src/transcript/tokens/tail_usage.ts";
import { trimByLength, type TrimCounts, type TrimOptions } from "../trim/by_length.ts";
import { CORPUS, sessionFiles } from "../corpus/corpus.ts";
import { newSmallHome, runClient, runClientWell, type TestHome } from "./bed/client.ts";
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
import { bash, call, sentChars } from "./trim_steps.ts";

const CLAIM_TOLERANCE = 0.05;

/** In percentage points. */
const PERCENT_TOLERANCE = 3;

const WINDOW = 200_000;

/** Sessions that people trim are larger than this. */
const LARGE_TOKENS = 100_000;

/** Whether to resume every large session, which takes several minutes, or only the smallest with thinking. */
const RESUMES_ALL = Deno.env.has("TRIMTAB_ALL_SESSIONS");

function thinkingBlock(thinking: string): ScriptedBlock {
  return { type: "thinking", thinking: `${thinking} `.repeat(100).trim() };
}

function fullTurns(cwd: string): ScriptedBlock[][] {
  const path = `${cwd}/large.txt`;
  const written = `${cwd}/written.ts`;
  const lines = (word: string): string =>
    Array.from({ length: 120 }, (_, n) => `export const ${word}${n} = "naïve \u{1f600}";\n`).join(
      "",
    );
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
  ];
}

async function makeSession(home: TestHome, mock: Mock): Promise<{ id: string; path: string }> {
  const lines = Array.from(
    { length: 600 },
    (_, n) => `${n}: a needle, "quoted", naïve \u{1f600}\n`,
  );
  Deno.writeTextFileSync(`${home.cwd}/large.txt`, lines.join(""));
  Deno.writeFileSync(`${home.cwd}/picture.png`, await makePng(1200, 900));
  await using chat = await startChat({ home, mock });
  for (const prompt of ["look around", "and again"]) await chat.say(prompt);
  await chat.end();
  const { sessionId } = chat;
  const transcriptPath = `${home.sessions}/${sessionId}.jsonl`;
  const data = (await makePng(900, 1200)).toBase64();
  const source = { type: "base64", media_type: "image/png", data };
  // Inserts a picture into the transcript, since a headless client cannot paste one.
  const text = Deno.readTextFileSync(transcriptPath);
  const content = JSON.stringify([{ type: "image", source }, {
    type: "text",
    text: "look around",
  }]);
  const pasted = text.replace(
    '"role":"user","content":"look around"',
    () => `"role":"user","content":${content}`,
  );
  assert(pasted !== text, "the first prompt must be found");
  Deno.writeTextFileSync(transcriptPath, pasted);
  return { id: sessionId, path: transcriptPath };
}

const SECOND_PROMPT: ScriptedBlock[][] = [
  [thinkingBlock("newest"), bash("echo short")],
  [thinkingBlock("last"), { type: "text", text: "Done again." }],
];

function trimCopy(
  home: TestHome,
  path: string,
  options: Partial<TrimOptions>,
): TrimCounts & { id: string } {
  const id = crypto.randomUUID();
  const output = `${home.sessions}/${id}.jsonl`;
  return {
    ...trimByLength({ input: path, output, sessionId: id, metadata: true, ...options }),
    id,
  };
}

async function resume(home: TestHome, mock: Mock, id: string): Promise<LoggedRequest> {
  const before = mock.of("main").length;
  await runClientWell({ home, mock, prompt: "go on", args: ["--resume", id] });
  const request = mock.of("main")[before];
  assert(request !== undefined);
  return request;
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

test.full("the client sends a deep copy at the size that the trim claims, and the API accepts it", async (t) => {
  using home = newSmallHome();
  await using mock = startMock({ turns: [...fullTurns(home.cwd), ...SECOND_PROMPT] });
  const { id, path } = await makeSession(home, mock);
  const copy = trimCopy(home, path, { depth: "deep" });
  const whole = await resume(home, mock, id);
  const trimmed = await resume(home, mock, copy.id);

  const fewer = sentChars(whole) - sentChars(trimmed);
  const claimed = copy.context_chars.before - copy.context_chars.after;
  console.log(`claimed ${claimed} characters freed; the client sends ${fewer} fewer`);
  assert(claimed > 30_000, `the trim claims to free only ${claimed} characters`);
  assert(Math.abs(fewer - claimed) <= CLAIM_TOLERANCE * fewer);
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
  assert(!textOf(trimmed).includes("(no content)"), "no line may have become an empty message");
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

  await t.step("a trim to a target percentage makes fewer cuts, and still reaches it", async () => {
    const all = trimByLength({ input: path, depth: "deep" });
    const targetPercent = Math.round((50 * (all.tokens.before + all.tokens.after)) / WINDOW);
    const toTarget = { depth: "deep", targetPercent, limitTokens: WINDOW } as const;
    const smaller = trimCopy(home, path, toTarget);
    assert(smaller.target?.is_reached);
    assert(
      smaller.context_chars.after > all.context_chars.after,
      "some of the cuts are enough to reach the target",
    );
    const usage = contextTokensOf(countUsage((await resume(home, mock, smaller.id)).body));
    const percent = (usage * 100) / WINDOW;
    console.log(
      `target ${targetPercent} %: from ${all.tokens.before} tokens to ${smaller.tokens.after} by the ` +
        `estimate, ${usage} by the mock (${percent.toFixed(1)} %)`,
    );
    assert(percent <= targetPercent + PERCENT_TOLERANCE);
  });
});

test.full("the client resumes a deep copy and edits a file whose content was cut, and a second deep trim removes new thinking but cuts no result", async () => {
  using home = newSmallHome();
  const written = `${home.cwd}/written.ts`;
  const edit = { file_path: written, old_string: "const a7 =", new_string: "const seven =" };
  await using mock = startMock({
    turns: [
      ...fullTurns(home.cwd),
      ...SECOND_PROMPT,
      [thinkingBlock("then"), call("Edit", edit)],
      "Edited.",
    ],
  });
  const { path } = await makeSession(home, mock);
  const copy = trimCopy(home, path, { depth: "deep" });
  await resume(home, mock, copy.id);
  assertStringIncludes(Deno.readTextFileSync(written), "const seven =");

  const again = trimCopy(home, `${home.sessions}/${copy.id}.jsonl`, { depth: "deep" });
  assertEquals(again.thinking.count, 2);
  assertEquals(again.trimmed_count, 0);
  const request = await resume(home, mock, again.id);
  assertEquals(thoughtsOf(request), ["then"]);
});

test.fullWithCorpus(
  "the client sends deep copies of real sessions at the size that the trim claims",
  async () => {
    const usages = sessionFiles.map((name) => ({
      name,
      usage: readTailUsage(`${CORPUS}/${name}`).usage,
    }));
    const large = usages.filter(({ usage }) => (usage?.tokens ?? 0) > LARGE_TOKENS);
    assert(large.length > 0, `${CORPUS} contains no session of over ${LARGE_TOKENS} tokens`);
    const size = ({ name }: { name: string }): number => Deno.statSync(`${CORPUS}/${name}`).size;
    large.sort((a, b) => size(a) - size(b));
    const hasThinking = ({ name }: { name: string }): boolean =>
      trimByLength({ input: `${CORPUS}/${name}`, depth: "deep" }).thinking.chars_saved > 0;
    const chosen = RESUMES_ALL ? large : [...large.values().filter(hasThinking).take(1)];
    assert(chosen.length > 0);
    for (const { name, usage } of chosen) {
      using home = newSmallHome();
      await using mock = startMock({ turns: [], expectsViolations: true });
      const id = crypto.randomUUID();
      const path = `${home.sessions}/${id}.jsonl`;
      // Uses the session's model, because the client does not send the thinking of other models. Uses the
      // large window for a large session; otherwise, the client would compact it.
      const window = (usage?.tokens ?? 0) > WINDOW * 0.8 ? "[1m]" : "";
      const model = ["--model", `${usage?.model}${window}`];
      trimByLength({ input: `${CORPUS}/${name}`, output: path, sessionId: id, tools: [] });
      const copy = trimCopy(home, path, { depth: "deep" });
      const sent: number[] = [];
      for (const resumed of [id, copy.id]) {
        const before = mock.of("main").length;
        // The mock may reject the request, but it logs the request anyway.
        await runClient({ home, mock, prompt: "go on", args: ["--resume", resumed, ...model] });
        const request = mock.of("main")[before];
        assert(request !== undefined, name);
        sent.push(sentChars(request));
      }
      const [whole = 0, trimmed = 0] = sent;
      const fewer = whole - trimmed;
      const claimed = copy.context_chars.before - copy.context_chars.after;
      console.log(`${name}: claimed ${claimed} characters freed; the client sends ${fewer} fewer`);
      assert(claimed > 0, name);
      assert(Math.abs(fewer - claimed) <= CLAIM_TOLERANCE * fewer, name);
    }
  },
);
