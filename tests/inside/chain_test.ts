// Copies sessions with odd line orders up to three times, trims them in place and undoes the trims. The
// recall tool must return in full every result and argument that was cut, and every masked picture and
// document.

import { parseObject, stringsIn } from "../../src/core/record.ts";
import { assert } from "@std/assert";
import { viewEntry } from "../../src/transcript/entry.ts";
import { blocksOf } from "../../src/transcript/content.ts";
import { mediaIn } from "../../src/inside/media.ts";
import { trimTranscript } from "../../src/trim/trim_transcript.ts";
import { Random } from "../fuzz/random.ts";
import { newFastFolder } from "../folder.ts";
import { anyRules, INTERRUPTED, oddSession, optionsOf, PlayClient } from "./play_client.ts";
import { runsOf } from "../full.ts";

const SEED = 31;
const SESSIONS = runsOf(60, 30, "chains of copies and trims");

console.log(`chains: seed ${SEED}, ${SESSIONS} sessions`);

const PLACES = /See line (\d+) of ([0-9a-f]{8}) for full content\]/g;
const MEDIA_LINES = /^\[(?:image|document) result masked -- .*\]$\n?/gm;

/** Matches the start of a PNG picture or a PDF document in base64. */
const MEDIA_DATA = /iVBOR|JVBER/;

interface Original {
  readonly calls: ReadonlyMap<string, string>;
  readonly results: ReadonlyMap<string, string>;
  readonly media: ReadonlyMap<string, readonly string[]>;
}

function withoutErrorPrefix(text: string): string {
  return text.replace(/^error: /, "");
}

function originalOf(text: string): Original {
  const media = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    for (const block of blocksOf(viewEntry(parseObject(line) ?? {}))) {
      const data = mediaIn(block).map(({ source }) => `${(source as { data: string }).data}`);
      const id = `${block.tool_use_id}`;
      if (!media.has(id)) media.set(id, data);
    }
  }
  const { calls, results } = new PlayClient(crypto.randomUUID(), text).sent();
  return { calls, results, media };
}

async function recallAll(play: PlayClient, text: string): Promise<string> {
  const found: string[] = [];
  for (const [, line, session = ""] of text.matchAll(PLACES)) {
    found.push(await play.recall({ line: Number(line), session }));
  }
  return found.join("\n");
}

async function countRecalled(play: PlayClient, original: Original, when: string): Promise<number> {
  let count = 0;
  const { calls, results, prompts } = play.sent();
  for (const [id, sentText] of results) {
    const text = withoutErrorPrefix(sentText);
    const whole = withoutErrorPrefix(original.results.get(id) ?? "");
    if (text === whole || whole === INTERRUPTED || text.endsWith("search again to load")) continue;
    const found = await recallAll(play, text);
    count++;
    const rest = text.replace(MEDIA_LINES, "");
    if (rest !== text) {
      const isLost = original.media.get(id)?.some((data) => !found.includes(data));
      assert(!isLost, `${when}: a picture of ${id} is not recalled: ${text.slice(-300)}`);
    }
    assert(
      rest.trim() === whole.trim() || found.includes(whole),
      `${when}: ${id} is not recalled whole: ${text.slice(-300)}`,
    );
  }
  for (const [id, input] of calls) {
    const current = stringsIn(JSON.parse(input));
    for (
      const [index, whole] of stringsIn(JSON.parse(original.calls.get(id) ?? "{}")).entries()
    ) {
      if (current[index] === whole) continue;
      const found = await recallAll(play, current[index] ?? "");
      assert(
        found.includes(whole),
        `${when}: an argument of ${id} is not recalled: ${current[index]}`,
      );
      count++;
    }
  }
  for (const line of prompts.flatMap((text) => text.match(MEDIA_LINES) ?? [])) {
    assert(MEDIA_DATA.test(await recallAll(play, line)), `${when}: not recalled: ${line}`);
    count++;
  }
  return count;
}

Deno.test("recall returns everything that was cut by copies of copies and by trims in place", async () => {
  using folder = newFastFolder();
  let [recalled, trims, undos] = [0, 0, 0];
  for (let number = 0; number < SESSIONS; number++) {
    const random = new Random(SEED, number);
    const idOf = (generation: number): string =>
      `${(0x10000000 + 16 * number + generation).toString(16)}-0000-4000-8000-000000000000`;
    let id = idOf(0);
    const text = oddSession(random);
    const texts: Record<string, string> = { [id]: text };
    const original = originalOf(text);
    Deno.writeTextFileSync(`${folder.path}/${id}.jsonl`, text);
    for (let generation = 1 + random.below(3); generation > 0; generation--) {
      const [input, sessionId] = [`${folder.path}/${id}.jsonl`, idOf(generation)];
      const output = `${folder.path}/${sessionId}.jsonl`;
      const dropImages = random.chance(50);
      trimTranscript({ ...anyRules(random), dropImages, input, output, sessionId, metadata: true });
      texts[sessionId] = Deno.readTextFileSync(output);
      id = sessionId;
    }
    const play = new PlayClient(id, texts[id] ?? "", texts);
    recalled += await countRecalled(play, original, `${number}, a copy`);
    // An undo in a copy restores results in full, even those that the copy itself cut.
    if (random.chance(50) && await play.compact("trimtab --undo") === undefined) undos++;
    const options = optionsOf(anyRules(random));
    if (await play.compact(`trimtab ${options}`) === undefined) trims++;
    recalled += await countRecalled(play, original, `${number}, trimmed`);
    if (await play.compact("trimtab --undo") === undefined) undos++;
    recalled += await countRecalled(play, original, `${number}, undone`);
    for (const { name } of Deno.readDirSync(folder.path)) Deno.removeSync(`${folder.path}/${name}`);
  }
  for (const count of [recalled / 10, trims * 2, undos * 2]) assert(count > SESSIONS, `${count}`);
});
