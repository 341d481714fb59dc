/**
 * Undoes the client's own compaction: the next request has the same content as the request before
 * the compaction.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { PLUGIN } from "../plugin_copy.ts";
import { IS_FULL } from "../full.ts";
import { CORPUS, sessionFiles } from "../corpus/corpus.ts";
import { anyInterleaving, linesOf } from "./any_interleaving.ts";
import { newHome, newSmallHome } from "./bed/client.ts";
import { startMock } from "./bed/mock_api.ts";
import { startChat } from "./chat.ts";
import { test } from "./client_tests.ts";
import { writeTranscript } from "./golden/lines.ts";
import { type SentConversation, undoCompaction, type UndoneRun } from "./in_place.ts";

const SESSIONS = IS_FULL ? 6 : 1;
const SEED = 26;

/** Real sessions that contain a rewind, missing lines, agents, or commands at the end. */
const REAL = ["entireio-cli-08", "entireio-git-sync-01"];

function contentOf({ answers, calls, results, prompts }: SentConversation): unknown {
  return { answers, calls, results, prompts };
}

function check({ before, undone, answers, violations }: UndoneRun, name: string): void {
  assertEquals(violations, [], name);
  assertEquals(contentOf(undone), contentOf(before), `${name}: ${JSON.stringify(answers)}`);
}

test.module("undoing a compaction restores every message and result, whatever the order of the session's lines", async () => {
  using home = newHome();
  for (const session of fc.sample(anyInterleaving, { numRuns: SESSIONS, seed: SEED })) {
    const id = writeTranscript(home, linesOf(session));
    const transcript = Deno.readTextFileSync(`${home.sessions}/${id}.jsonl`);
    check(await undoCompaction(transcript, ["What else?"]), JSON.stringify(session));
  }
});

test.fullModuleWithCorpus("undoing a compaction of a real session loses nothing", async () => {
  for (const name of sessionFiles.filter((name) => REAL.includes(name.slice(0, -6)))) {
    const transcript = Deno.readTextFileSync(`${CORPUS}/${name}`);
    check(await undoCompaction(transcript), name);
  }
});

test.fullModule("an undo restores a mentioned file once, and removes the checkpoint text that followed the summary", async () => {
  using home = newHome();
  Deno.writeTextFileSync(`${home.cwd}/notes.txt`, "The notes say: forty-two.\n");
  await using mock = startMock({ turns: ["Read."] });
  await using chat = await startChat({ home, mock, pluginDir: PLUGIN });
  const sentCountsAfter = async (prompt: string): Promise<number[]> => {
    await chat.say(prompt);
    const sent = JSON.stringify(mock.of("main").at(-1)?.body.messages);
    return ["forty-two", "Resuming from Checkpoint"].map((words) => sent.split(words).length - 1);
  };
  assertEquals(await sentCountsAfter("Look at @notes.txt"), [1, 0]);
  await chat.say("/compact");
  await chat.say("/compact trimtab --undo");
  assertEquals(await sentCountsAfter("And now?"), [1, 0]);
});

test.fullModule("an undo does not restore outputs that would overfill the window, and keeps calls paired with results", async () => {
  using home = newSmallHome();
  const turns = Array.from({ length: 12 }, (_, n) => ({
    blocks: [{
      type: "tool_use" as const,
      id: `toolu_${n}`,
      name: "Bash",
      input: { command: `seq ${n}000 ${n}900` },
    }],
    usage: { input_tokens: 150_000 + n * 1_000 },
  }));
  const last = {
    blocks: [{ type: "text" as const, text: "Counted." }],
    usage: { input_tokens: 162_000 },
  };
  await using mock = startMock({ turns: [...turns, last] });
  await using chat = await startChat({ home, mock, pluginDir: PLUGIN });
  await chat.say("Count");
  await chat.say("/compact");
  await chat.say("/compact trimtab --undo");
  await chat.say("Go on");
  const results = (mock.of("main").at(-1)?.body.messages ?? []).flatMap(({ content }) =>
    typeof content === "string" ? [] : content.filter(({ type }) => type === "tool_result")
  );
  const texts = results.map(({ content }) => JSON.stringify(content));
  assertEquals(texts.length, 12);
  assert(texts.some((text) => / for full content\]/.test(text)), texts[0] ?? "");
  assertStringIncludes(texts.at(-1) ?? "", "11899");
});
