// Trims sessions with odd line orders twice with the same options, as a copy or in place. The second
// trim must not change any result or argument, including results of several texts.

import { assert, assertEquals, assertMatch } from "@std/assert";
import { trimTranscript } from "../../src/trim/trim_transcript.ts";
import { Random } from "../fuzz/random.ts";
import { SessionBuilder } from "../trim/build_session.ts";
import { newFastFolder } from "../folder.ts";
import {
  anyRules,
  INTERRUPTED,
  oddSession,
  optionsOf,
  partsOf,
  PlayClient,
} from "./play_client.ts";
import { runsOf } from "../full.ts";

const SEED = 41;
const SESSIONS = runsOf(250, 150, "sessions that are trimmed twice");

console.log(`twice: seed ${SEED}, ${SESSIONS} sessions`);

/** Matches the text that a row has in place of a tool search's result. */
const REFERENCE = /^(error: )?Found .* search again to load$/;

/** Matches the place in a notice. Comparisons ignore it, since a repeated result has two possible lines. */
const PLACE = /See line \d+ of [0-9a-f]{8}/g;

type TrimKind = "copy" | "in place";

function wordsIn(play: PlayClient): Record<string, string> {
  const words = [...partsOf(play.sent())].map(([key, text]) =>
    [key, text.replace(REFERENCE, "$1").replaceAll(PLACE, "")] as const
  );
  return Object.fromEntries(words.sort());
}

Deno.test("a second trim with the same options changes nothing, as a copy or in place", async () => {
  using folder = newFastFolder();
  const pairs = new Map<string, number>();
  for (let number = 0; number < SESSIONS; number++) {
    const random = new Random(SEED, number);
    const idOf = (generation: number): string =>
      `${(0x20000000 + 16 * number + generation).toString(16)}-0000-4000-8000-000000000000`;
    const texts: Record<string, string> = { [idOf(0)]: oddSession(random) };
    let play = new PlayClient(idOf(0), texts[idOf(0)] ?? "");
    const hasOpen = [...play.sent().results.values()].some((text) => text.endsWith(INTERRUPTED));
    // If a result is missing or late, a trim in place writes the client's error result instead. A later trim
    // would then plan other cuts.
    const first = random.pick<TrimKind>(["copy", hasOpen ? "copy" : "in place"]);
    const second = random.pick<TrimKind>(["copy", "in place"]);
    const isSame = first === second;
    const any = anyRules(random);
    // With `head` and `line`, a trim decides about each result independently.
    const keep = isSame || any.keep !== "need" ? any.keep : "line";
    const rules = { ...any, keep, keepRecent: isSame ? any.keepRecent : 0 };
    const instructions = `trimtab ${optionsOf(rules)}`;
    const trim = async (kind: TrimKind, generation: number): Promise<boolean> => {
      if (kind === "in place") return await play.compact(instructions) === undefined;
      const parent = idOf(generation - 1);
      texts[parent] = play.text;
      const sessionId = idOf(generation);
      const pathOf = (id: string): string => `${folder.path}/${id}.jsonl`;
      const [input, output] = [pathOf(parent), pathOf(sessionId)];
      Deno.writeTextFileSync(input, play.text);
      trimTranscript({ ...rules, dropImages: true, input, output, sessionId, metadata: true });
      texts[sessionId] = Deno.readTextFileSync(output);
      play = new PlayClient(sessionId, texts[sessionId] ?? "", texts);
      return true;
    };
    if (!await trim(first, 1)) continue;
    const before = wordsIn(play);
    await trim(second, first === "copy" ? 2 : 1);
    const pair = `${first}, then ${second}`;
    assertEquals(wordsIn(play), before, `${number}: ${pair}: ${instructions}`);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    for (const { name } of Deno.readDirSync(folder.path)) Deno.removeSync(`${folder.path}/${name}`);
  }
  assertEquals(pairs.size, 4);
  for (const [pair, count] of pairs) assert(count > 8, `${pair}: only ${count}`);
});

Deno.test("a trim in place does not change a copy's cuts, even if the copied session was deleted", async () => {
  const sessionId = "44444444-0000-4000-8000-000000000000";
  const session = new SessionBuilder().user("start");
  for (const id of ["a", "b"]) {
    session.call(id, "Bash", { command: id }, `of ${id} `.repeat(60_000));
  }
  using place = session.assistant("end", [{ type: "text", text: "Done." }]).write();
  const { input, output } = place;
  trimTranscript({
    ...{ input, output, sessionId, metadata: true },
    ...{ keep: "head", keepRecent: 0, threshold: 100_000 },
  });
  const play = new PlayClient(sessionId, Deno.readTextFileSync(output));
  const before = [...play.sent().results.values()];
  assert(before.every((text) => text.endsWith("of b82405ba for full content]")), before.join());
  const skipped = await play.compact("trimtab --keep head --threshold 20 --keep-recent 0");
  assertMatch(skipped ?? "", /^trimtab: Nothing was cut: /);
  assertEquals([...play.sent().results.values()], before);
});
