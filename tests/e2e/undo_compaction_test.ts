/**
 * Undoes the client's own compaction where the next request differs from the request before it.
 * `in_place_property_test.ts` checks that nothing is lost.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { PLUGIN } from "../plugin_copy.ts";
import { newHome, newSmallHome } from "./bed/client.ts";
import { newestJson, startMock, type Turn } from "./bed/mock_api.ts";
import { startChat } from "./chat.ts";
import { test } from "./client_tests.ts";
import { bash, resultsOf } from "./trim_steps.ts";

test.fullModule("an undo restores a mentioned file once, and removes the checkpoint text that followed the summary", async () => {
  using home = newHome();
  Deno.writeTextFileSync(`${home.cwd}/notes.txt`, "The notes say: forty-two.\n");
  await using mock = startMock({ turns: ["Read."] });
  await using chat = await startChat({ home, mock, pluginDir: PLUGIN });
  const sentCountsAfter = async (prompt: string): Promise<number[]> => {
    await chat.say(prompt);
    const sent = newestJson(mock);
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
    blocks: [bash(`seq ${n}000 ${n}900`)],
    usage: { input_tokens: 150_000 + n * 1_000 },
  }));
  const last: Turn = {
    blocks: [{ type: "text", text: "Counted." }],
    usage: { input_tokens: 162_000 },
  };
  await using mock = startMock({ turns: [...turns, last] });
  await using chat = await startChat({ home, mock, pluginDir: PLUGIN });
  await chat.say("Count");
  await chat.say("/compact");
  await chat.say("/compact trimtab --undo");
  await chat.say("Go on");
  const texts = Object.values(resultsOf(mock.of("main").at(-1)));
  assertEquals(texts.length, 12);
  assert(texts.some((text) => / for full content\]/.test(text)), texts[0] ?? "");
  assertStringIncludes(texts.at(-1) ?? "", "11899");
});
