// Runs trims, drops, compactions and undos in random order, in sessions with odd line orders. A trim must
// keep every call, result and prompt, and an undo must restore what the undone step removed. Further tests
// check single steps in small sessions.

import { assert, assertEquals, assertFalse, assertMatch, assertRejects } from "@std/assert";
import { sessionOf } from "../../hooks/_inside_plan.ts";
import { replaceConversation } from "../../hooks/_inside_replace.ts";
import { cacheOf, forgetFreed, freedOf } from "../../hooks/_inside_status.ts";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { placeOfWhole } from "../../src/core/marks.ts";
import type { JsonObject } from "../../src/core/record.ts";
import { Random } from "../fuzz/random.ts";
import { contextFill, readFill } from "../../src/inside/fill.ts";
import { readRecord } from "../../src/inside/record.ts";
import { currentRows, MAX_ROWS } from "../../src/inside/rows.ts";
import { estimateTextTokens } from "../../src/transcript/tokens/tokens.ts";
import { hookContext } from "./laid_out.ts";
import {
  anyRules,
  INTERRUPTED,
  oddSession,
  optionsOf,
  partsOf,
  PlayClient,
  type SentConversation,
} from "./play_client.ts";
import { runsOf } from "../full.ts";

const NOTHING_TO_UNDO = "trimtab: there is no trim in place or compaction to undo";

const SEED = 28;
const SESSIONS = runsOf(150, 75, "sessions with steps in random order");

console.log(`play: seed ${SEED}, ${SESSIONS} sessions`);

/** Matches a cut result or argument, or the text in place of a tool search's result. */
const CUT = /See line \d+ of [0-9a-f]{8} for full content\]|search again to load$/;

/** Matches the client's lines about a command, and trimtab's lines in place of pictures and documents. */
const COMMAND_OR_MEDIA_LINE =
  /^<local-command-(?:caveat|stdout)>|^<command-name>| result masked -- /;

const QUEUED =
  /^<system-reminder>\nThe user sent a new message[^\n]*\n([^]*)\n<\/system-reminder>$/;
const HIDDEN = /^<local-command-caveat>(<system-reminder>[^]*)<\/local-command-caveat>$/;

function promptTexts({ prompts }: SentConversation): string[] {
  return prompts.map((text) => text.replace(HIDDEN, "$1").replace(QUEUED, "$1").trim())
    .filter((text) => text !== "" && !COMMAND_OR_MEDIA_LINE.test(text)).sort();
}

function assertOnlyCut(before: SentConversation, after: SentConversation): void {
  const [partsBefore, partsAfter] = [partsOf(before), partsOf(after)];
  assertEquals([...partsAfter.keys()].sort(), [...partsBefore.keys()].sort());
  for (const [key, text] of partsAfter) {
    if (text !== partsBefore.get(key)) assert(CUT.test(text), `${key} became ${text}`);
  }
  assertEquals(promptTexts(after), promptTexts(before));
}

function assertRestored(before: SentConversation, after: SentConversation): void {
  const [partsBefore, partsAfter] = [partsOf(before), partsOf(after)];
  for (const [key, text] of partsBefore) {
    const id = key.replace("call ", "result ");
    if (partsBefore.get(id)?.includes(INTERRUPTED)) continue;
    const found = partsAfter.get(key);
    assert(found === text || found?.endsWith("search again to load"), `${key} is now ${found}`);
  }
  const present = Map.groupBy(promptTexts(after), (text) => text);
  assertEquals(promptTexts(before).filter((text) => present.get(text)?.pop() === undefined), []);
}

async function assertRecalled(play: PlayClient, whole: ReadonlyMap<string, string>): Promise<void> {
  for (const [id, text] of play.sent().results) {
    const place = placeOfWhole(text.replace(/^error: /, ""));
    const first = whole.get(id)?.replace(/^error: /, "");
    if (place === undefined || first === undefined || first === INTERRUPTED) continue;
    assert((await play.recall(place)).includes(first), `${id} is not recalled whole`);
  }
}

function turn(number: number, lines = 60): JsonObject[] {
  const [id, text] = [`toolu_new${number}`, `const newName = ${number};\n`.repeat(lines)];
  const use = { type: "tool_use", id, name: "Bash", input: { command: "make" } };
  const result = { type: "tool_result", tool_use_id: id, content: text };
  const answer = (content: JsonObject): JsonObject => ({
    type: "assistant",
    message: { id: `msg_${number}${content.type}`, role: "assistant", content: [content] },
  });
  return [
    { type: "user", message: { role: "user", content: `more words ${number}` } },
    answer(use),
    { type: "user", message: { role: "user", content: [result] } },
    answer({ type: "text", text: "Done. Shall I go on?" }),
  ];
}

Deno.test("in sessions with odd line orders, a trim keeps every call, result and prompt, and an undo restores what a trim, drop or compaction removed", async () => {
  const done = { trims: 0, drops: 0, compactions: 0, undos: 0 };
  for (let number = 0; number < SESSIONS; number++) {
    const random = new Random(SEED, number);
    // Each session has its own id, since the module remembers the last session.
    const id = `${0x10000000 + number}-0000-4000-8000-000000000000`;
    const play = new PlayClient(id, oddSession(random, { repeats: number % 2 === 0 }));
    const whole = new Map(play.sent().results);
    const history: SentConversation[] = [];
    for (let step = 1 + random.below(8); step > 0; step--) {
      const before = play.sent();
      const acts = ["turn", "trim", "trim", "undo", "undo", "drop", "compact", "branch"] as const;
      const act = random.pick(acts);
      if (act === "branch") {
        play.branch();
      } else if (act === "turn") {
        play.append(...turn(step));
        for (const [id, text] of play.sent().results) if (!whole.has(id)) whole.set(id, text);
      } else if (act === "trim") {
        const target = random.chance(25) ? ` --target-percent ${random.pick([10, 60])}` : "";
        const options = optionsOf(anyRules(random)) + target;
        const isTyped = random.chance(50);
        const skipped = await (isTyped ? play.type(options) : play.compact(`trimtab ${options}`));
        if (skipped !== undefined) continue;
        done.trims++;
        const after = play.sent();
        assertOnlyCut(before, after);
        await assertRecalled(play, whole);
        const isCut = (text: string, key: string): boolean => text !== partsOf(before).get(key);
        const cut = [...partsOf(after)].filter(([key, text]) => isCut(text, key));
        if (cut.some(([, text]) => text.includes("for full content]"))) history.push(before);
      } else if (act === "drop") {
        if (await play.compact(`trimtab --drop #${1 + random.below(3)}`) !== undefined) continue;
        done.drops++;
        history.push(before);
      } else if (act === "compact") {
        await play.compact("keep the tests");
        if (random.chance(50)) play.append(hookContext(random.pick(["", " ", "of a hook"])));
        done.compactions++;
        history.push(before);
      } else {
        const wanted = history.pop();
        const why = await play.compact("trimtab --undo");
        assertEquals(why === undefined, wanted !== undefined, `${number}: ${why}`);
        if (wanted === undefined) continue;
        done.undos++;
        assertRestored(wanted, play.sent());
      }
    }
  }
  for (const [act, count] of Object.entries(done)) assert(count > 20, `only ${count} ${act}`);
});

function twoCalls(...more: JsonObject[]): PlayClient {
  const play = new PlayClient(crypto.randomUUID(), "");
  play.append(...turn(1, 3000), ...turn(2, 3000), ...more);
  return play;
}

function withPictures(count: number): JsonObject {
  const source = { type: "base64", media_type: "image/png", data: "A".repeat(4000) };
  const pictures = Array.from({ length: count }, () => ({ type: "image", source }));
  const content = [...pictures, { type: "text", text: "see" }];
  return { type: "user", message: { role: "user", content } };
}

function plansOf(play: PlayClient): { count: number } {
  const plans = { count: 0 };
  const { session } = play.client;
  const messages = (args: never): Promise<unknown> => {
    if ("as" in args) plans.count++;
    return session.messages(args);
  };
  Object.assign(play.client, { session: { ...session, messages } });
  return plans;
}

Deno.test("freedOf() ignores a broken record, and logs why an estimate fails", async () => {
  const play = twoCalls();
  const fill = await readFill(play.client);
  const state = `/p/.claude/trimtab/state/${await play.client.session.id()}.json`;
  await play.client.fs.write(state, "{");
  const freed = () => freedOf(play.client, DEFAULT_CONFIG.context, fill);
  assert((await freed())?.rollover !== undefined, "the record is not needed");
  forgetFreed();
  const { session } = play.client;
  const messages = (args: never) =>
    "as" in args
      ? Promise.resolve(Array.from({ length: MAX_ROWS }, () => ({ role: "user", content: [] })))
      : session.messages(args);
  Object.assign(play.client, { session: { ...session, messages } });
  assertEquals(await freed(), undefined);
  assertMatch(play.text, /the conversation has too many messages/);
});

Deno.test("cacheOf() uses the newest answer of a model and the newest known cache lifetime, even from before a boundary", async () => {
  const play = twoCalls();
  const answer = (
    timestamp: string,
    cache_creation: JsonObject,
    model = "claude-sonnet-4-6",
  ): JsonObject => {
    const content = [{ type: "text", text: "So." }];
    const usage = { input_tokens: 150_000, cache_creation };
    const message = { id: `msg_${timestamp}`, model, role: "assistant", content, usage };
    return { type: "assistant", timestamp, message };
  };
  play.append(
    answer("2026-03-01T10:00:00.000Z", { ephemeral_1h_input_tokens: 5 }),
    answer("2026-03-01T10:30:00.000Z", {}),
  );
  const expected = { usedAt: "2026-03-01T10:30:00.000Z", ttl: 3600 };
  const cache = async (): Promise<unknown> =>
    cacheOf(await sessionOf(play.client, await currentRows(play.client)));
  assertEquals(await cache(), expected);
  assertEquals(await play.compact("trimtab --keep-recent 0"), undefined);
  // The client writes the answers among a trim's rows with the model `<synthetic>`.
  play.append(answer("2026-03-01T12:00:00.000Z", {}, "<synthetic>"));
  assertEquals(await cache(), expected);
});

Deno.test("a drop reports the thinking that it loses, and counts that thinking as freed", async () => {
  const signature = "Zm9v".repeat(5000);
  const content = [
    { type: "thinking", thinking: "so many words", signature },
    { type: "text", text: "So." },
  ];
  const message = { id: "msg_t", role: "assistant", content };
  const play = twoCalls({ type: "assistant", message }, ...turn(3));
  const planned = await play.compact("trimtab --drop #2 --dry-run");
  assertMatch(`${planned}`, /1 turn \(#2\) removed, .*\. 1 block of old thinking lost/);
  assertEquals(await play.compact("trimtab --drop #2"), undefined);
  assertMatch(
    play.text,
    /1 block of old thinking lost.*One-time cost: the next request writes [\d,]+ tokens to the cache/,
  );
  const [{ tokens_before: before, tokens_after: after } = {}] =
    (await readRecord(play.client)).trims;
  const [result = ""] = [...twoCalls().sent().results.values()];
  const resultTokens = estimateTextTokens(result);
  assert((before ?? 0) - (after ?? 0) > resultTokens + 1000, `${before} to ${after}`);
});

Deno.test("a large drop in a terminal must be confirmed by a second command, unless a dry run preceded it", async () => {
  for (const options of ["", " --dry-run"]) {
    const play = twoCalls(...turn(3));
    play.tokens = 40_000;
    const first = await play.type(`--drop #1-#2${options}`);
    const [start, end] = options === ""
      ? [/^trimtab: not done yet: /, /: type the command again to confirm$/]
      : [/^trimtab: dry run: /, /\(estimate\)$/];
    assertMatch(`${first}`, start);
    assertMatch(`${first}`, end);
    assertEquals(await play.type("--drop #1-#2"), undefined);
  }
});

Deno.test("/compact trimtab quotes an argument that it does not accept", async () => {
  for (const [args, named] of [["--copy", "--copy"], ["undo", "undo"]]) {
    const skipped = await twoCalls().compact(`trimtab ${args}`);
    const refused = `trimtab: ${named} is not an option of /compact trimtab; see /trim --help`;
    assertEquals(skipped, refused);
  }
});

Deno.test("a drop reports the removed turns, and shows them as a range only if they are consecutive", async () => {
  const play = twoCalls(...turn(3), ...turn(4), ...turn(5));
  for (
    const [ranges, named] of [
      ["#2", "1 turn (#2)"],
      ["#2-#4", "3 turns (#2 to #4)"],
      ["#4,#2", "2 turns (#2, #4)"],
      ["#1,#3-#4", "3 turns (#1, #3, #4)"],
    ]
  ) {
    const planned = await play.compact(`trimtab --drop ${ranges} --dry-run`);
    assert(planned?.includes(`: ${named} removed, `), planned);
  }
});

Deno.test("a trim in place accepts a list of tools, and reports those that the session does not call", async () => {
  const play = twoCalls();
  assertEquals(
    (await play.compact("trimtab --tool Nope,Read"))?.split(". ")[0],
    "trimtab: Nothing was cut: this session does not call Nope, Read, only Bash",
  );
  assertEquals(await play.compact("trimtab --keep-recent 0 --tool Read,Bash"), undefined);
});

Deno.test("a typed trim is planned once, and again only if the conversation has changed in the meantime", async () => {
  const options = "--keep-recent 0";
  const [once, again, compacted] = [twoCalls(), twoCalls(), twoCalls()];
  const [plans, plansAgain] = [plansOf(once), plansOf(again)];
  await compacted.compact(`trimtab ${options}`);
  const expected = [...compacted.sent().results.values()].map((text) => text.length);
  assertEquals(await once.type(options), undefined);
  assertEquals([...once.sent().results.values()].map((text) => text.length), expected);
  assertEquals(plans.count, 1);
  assertEquals(await again.type(options, () => again.append(...turn(9))), undefined);
  assert(again.sent().results.has("toolu_new9"), "a result that arrived meanwhile is kept");
  assertEquals(plansAgain.count, 2);
});

Deno.test("a trim, a drop or an undo changes nothing if the user opens another session before it runs", async () => {
  for (const options of ["--keep-recent 0", "--drop #1", "--undo"]) {
    const play = twoCalls(...turn(3));
    await play.compact("trimtab --keep-recent 0");
    await play.compact("trimtab --undo");
    const before = play.sent();
    const session = { ...play.client.session, id: () => Promise.resolve("opened") };
    const skipped = await play.type(options, () => void Object.assign(play.client, { session }));
    assertMatch(`${skipped}`, /^trimtab: nothing was changed, because .* another session$/);
    assertEquals(play.sent(), before);
  }
});

Deno.test("a trim that the user cancels leaves no message and no record", async () => {
  for (const next of ["", "trimtab --keep-recent 0"]) {
    const play = twoCalls();
    const cancelled = await play.compact("trimtab --keep-recent 0", { isCancelled: true });
    assertEquals(cancelled, "cancelled");
    assert((await contextFill(play.client)).tokens !== play.tokens);
    assertEquals(await play.compact(next), undefined);
    assertEquals(play.text.split("trimmed in place").length - 1, next === "" ? 0 : 1);
    const { trims } = await readRecord(play.client);
    assertEquals(
      trims.map(({ tokens_before: before }) => before),
      next === "" ? [] : [play.tokens],
    );
  }
});

Deno.test("a trim replaces a compaction only if the context has grown enough since the last trim or compaction", async () => {
  const play = twoCalls();
  await play.client.fs.write("/h/.claude/trimtab.toml", '[inside]\nbefore_compaction = "trim"\n');
  assertEquals(await play.compact("trimtab --keep-recent 1"), undefined);
  const [{ tokens_after: lastSize = 0 } = {}] = (await readRecord(play.client)).trims;
  play.append(...[3, 4, 5, 6, 7, 8].flatMap((number) => turn(number, 3000)));
  const isTrimmedAt = async (tokens: number): Promise<boolean> => {
    play.tokens = tokens;
    const before = play.text.length;
    assertEquals(await play.compact("", { trigger: "auto" }), undefined);
    return play.text.slice(before).includes("cut instead of compacting");
  };
  assert((lastSize ?? 0) > 120_000, `${lastSize}`);
  assertEquals(await isTrimmedAt(160_000), false, "too little growth since the trim");
  play.append(...[11, 12, 13, 14, 15, 16].flatMap((number) => turn(number, 3000)));
  const skipped = await play.compact("", { trigger: "precompute" });
  assertEquals(skipped, "trimtab trims in place instead", "a compaction is not prepared");
  assertEquals(await isTrimmedAt(160_000), true);
});

Deno.test("before a compaction, the module does not read the session if `before_compaction` is `save`", async () => {
  const play = twoCalls();
  await play.client.fs.write("/h/.claude/trimtab.toml", '[inside]\nbefore_compaction = "save"\n');
  const { session } = play.client;
  const model = () => Promise.reject(new Error("the session is read"));
  Object.assign(play.client, { session: { ...session, model } });
  assertEquals(await play.compact("", { trigger: "auto" }), undefined);
  assertFalse(play.text.includes("the session is read"));
});

Deno.test("an undo skips a trim that only removed a picture, and reverts the trim before it", async () => {
  const play = twoCalls();
  const before = play.sent();
  assertEquals(await play.compact("trimtab --keep-recent 0"), undefined);
  play.append(withPictures(1), ...turn(3));
  assertEquals(await play.compact("trimtab --drop-images"), undefined);
  const { trims: [first, pictures] } = await readRecord(play.client);
  assertEquals(await play.compact("trimtab --undo"), undefined);
  assertRestored(before, play.sent());
  const freed = Number(first?.tokens_before) - Number(first?.tokens_after);
  const { trims } = await readRecord(play.client);
  assertEquals(trims.at(-1)?.tokens_after, Number(pictures?.tokens_after) + freed);
});

Deno.test("an undo reports how many pictures are still replaced by lines, and a second undo reports that nothing is left to undo", async () => {
  const play = twoCalls(withPictures(2), ...turn(3), ...turn(4));
  assertEquals(await play.compact("trimtab --keep-recent 0"), undefined);
  assertEquals(await play.compact("trimtab --undo"), undefined);
  assertEquals(
    /trim undone: .*?the original\)/.exec(play.text)?.[0].replace(/\d+ tool/, "N tool"),
    "trim undone: N tool outputs restored; " +
      "2 pictures or documents still replaced with a line (recall returns the original)",
  );
  assertEquals(await play.compact("trimtab --undo"), NOTHING_TO_UNDO);
});

Deno.test("an undo restores only the last dropped turn, even if that turn is a single prompt", async () => {
  const singlePrompt = { type: "user", message: { role: "user", content: "Not this" } };
  const play = twoCalls(singlePrompt, ...turn(3));
  await play.compact("trimtab --drop #1");
  await play.compact("trimtab --drop #2");
  const prompts = play.sent().prompts.filter((text) => !COMMAND_OR_MEDIA_LINE.test(text));
  assertEquals(prompts, ["more words 2", "more words 3"]);
  assertEquals(await play.compact("trimtab --undo"), undefined);
  assertEquals(play.sent().prompts.includes("Not this"), true);
  assertEquals(play.sent().prompts.includes("more words 1"), false);
  assertEquals(await play.compact("trimtab --undo"), undefined);
  assertEquals(play.sent().results.has("toolu_new1"), true);
});

Deno.test("an undo does not repeat a question that the drop kept, even if a command follows the question", async () => {
  const content = "<command-name>/cost</command-name>";
  const command = { type: "user", message: { role: "user", content } };
  const play = new PlayClient(crypto.randomUUID(), "");
  play.append(...turn(1), ...turn(2), command, ...turn(3));
  const questions = (): number =>
    play.sent().answers.filter((text) => text === "Done. Shall I go on?").length;
  assertEquals(questions(), 3);
  assertEquals(await play.compact("trimtab --drop #2"), undefined);
  assertEquals(questions(), 3);
  assertEquals(await play.compact("trimtab --undo"), undefined);
  assertEquals(questions(), 3);
});

Deno.test("replaceConversation() refuses rows that lack a call and its result, unless the user dropped them", async () => {
  const play = twoCalls();
  const session = await sessionOf(play.client, await currentRows(play.client));
  const [rows, dropped] = [session.rows.slice(4), session.rows.slice(0, 4)];
  const replacement = { kind: "trim", rows, message: "" } as const;
  await assertRejects(
    () => replaceConversation(play.client, session, replacement),
    Error,
    "call toolu_new1 would be lost",
  );
  await replaceConversation(play.client, session, { ...replacement, dropped });
});

Deno.test("a drop or an undo changes nothing if it would lose a block", async () => {
  const search = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} };
  const message = { id: "msg_s", role: "assistant", content: [search] };
  const play = twoCalls({ type: "assistant", message }, ...turn(3));
  const before = play.text;
  const why = "because a change in place would lose blocks of type server_tool_use";
  assertEquals(await play.compact("trimtab --drop #1"), `trimtab: nothing was changed, ${why}`);
  assertEquals(await play.compact("trimtab --undo"), NOTHING_TO_UNDO);
  assertEquals(play.text, before);
  assertEquals(await play.compact(""), undefined);
  const compacted = play.text;
  assertEquals(await play.compact("trimtab --undo"), `trimtab: nothing was changed, ${why}`);
  assertEquals(play.text, compacted);
});

Deno.test("an undo or a drop that would replace a picture of the newest turn changes nothing", async () => {
  const play = twoCalls();
  assertEquals(await play.compact("trimtab --keep-recent 0"), undefined);
  play.append(withPictures(1));
  const before = play.text;
  const why = "trimtab: nothing was changed, because a change in place would replace " +
    "1 picture or document of the newest turn with a line of text. It works after your next message";
  assertEquals(await play.compact("trimtab --undo"), why);
  assertEquals(await play.compact("trimtab --drop #1"), why);
  assertEquals(play.text, before);
});

Deno.test("an undo of a trim that only replaced pictures reports that pictures cannot be restored", async () => {
  const play = twoCalls(withPictures(1));
  assertEquals(await play.compact("trimtab --drop-images --keep-recent 9"), undefined);
  assertEquals(
    await play.compact("trimtab --undo"),
    "trimtab: nothing was undone: replaced pictures and documents cannot be restored",
  );
});

Deno.test("a trim and its undo record the size of the context, and the undo reports that the context fills the window", async () => {
  const play = twoCalls(...turn(3), ...turn(4));
  const recorded = async (): Promise<unknown> => {
    const { fill, trims } = await readRecord(play.client);
    assertEquals(fill?.tokens, trims.at(-1)?.tokens_after);
    return [fill?.model, fill?.window, fill?.limit, fill?.tokens];
  };
  play.tokens = 190_000;
  assertEquals(await play.compact("trimtab --keep-recent 0"), undefined);
  const [model, window, limit, after] = await recorded() as [string, number, number, number];
  assertEquals([model, window, limit], ["claude-sonnet-4-6", 200_000, 180_000]);
  assert(after < 190_000, `${after}`);
  assertEquals(await play.compact("trimtab --undo"), undefined);
  assertEquals(await recorded(), [model, window, limit, 190_000]);
  assert(play.text.includes("that fills the window, so the next request will need another trim"));
});

Deno.test("an undo of a compaction counts the system prompt and tools once", async () => {
  const message = {
    ...{ id: "msg_u", model: "claude-sonnet-4-6", role: "assistant", content: [] },
    usage: { input_tokens: 1000 },
  };
  const used = [["System prompt", 9_000], ["System tools", 17_000]] as const;
  const categories = used.map(([name, tokens]) => ({ name, tokens, kind: "used" }));
  const breakdown = { rawMaxTokens: 200_000, categories };
  // If no answer reported a usage, the client's `preTokens` counts only messages, so the undo adds the rest.
  for (
    const [lines, expected] of [[[], 27_000], [[{ type: "assistant", message }], 1000]] as const
  ) {
    const play = twoCalls(...lines);
    assertEquals(await play.compact(""), undefined);
    play.append(...turn(3));
    const context = { tokens: 26_000, window: 200_000, breakdown };
    Object.assign(play.client.session, { usage: () => Promise.resolve({ context }) });
    assertEquals(await play.compact("trimtab --undo"), undefined);
    assertEquals((await readRecord(play.client)).fill?.tokens, expected);
  }
});
