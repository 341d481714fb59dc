// Trims sessions with odd line orders, and trims their copies again: every entry and every result is
// kept, each notice leads to the full text, and the conversation is unchanged.

import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/record.ts";
import { blocksOf } from "../../src/transcript/content.ts";
import { placeEntries, viewEntry } from "../../src/transcript/entry.ts";
import { readLines } from "../../src/transcript/lines.ts";
import { findActiveContext } from "../../src/transcript/tree/active_context.ts";
import { type TrimOptions, trimTranscript } from "../../src/trim/trim_transcript.ts";
import { Random } from "./random.ts";
import { newFastFolder } from "../folder.ts";
import { IS_FULL } from "../full.ts";
import { skeletonOf } from "../trim/build_session.ts";
import { cutCount } from "../trim/by_length.ts";
import { makeOddSession, ODD_ID } from "../trim/odd_session.ts";

const SEED = 28;
const SESSIONS = IS_FULL ? 200 : 100;

console.log(`odd sessions: seed ${SEED}, ${SESSIONS} sessions`);

function anyOptions(random: Random): Partial<TrimOptions> {
  return {
    threshold: random.pick([20, 150, 500]),
    keepRecent: random.pick([0, 0, 1, 5]),
    keep: random.pick(["head", "line", "need", "need"]),
    depth: random.pick(["light", "deep"]),
    ...(random.chance(40) ? { dropImages: random.chance(70) } : {}),
    ...(random.chance(20) ? { protect: ["**/a.ts"] } : {}),
    ...(random.chance(35)
      ? { targetPercent: random.pick([0, 5, 10, 30, 50]), limitTokens: 40_000 }
      : {}),
  };
}

interface NumberedEntry {
  readonly number: number;
  readonly text: string;
  readonly raw: JsonObject;
}

function entriesOf(path: string): NumberedEntry[] {
  using file = Deno.openSync(path);
  const found: NumberedEntry[] = [];
  for (const { bytes, number } of readLines(file)) {
    for (const { entry, start, end } of placeEntries(bytes)) {
      const text = new TextDecoder().decode(bytes.subarray(start, end));
      found.push({ number, text: text.trim(), raw: entry.raw });
    }
  }
  return found;
}

function blocksWithoutThinking({ raw }: NumberedEntry): JsonObject[] {
  return blocksOf(viewEntry(raw)).filter(({ type }) => !String(type).endsWith("thinking"));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function assertPlaces(original: NumberedEntry, copy: NumberedEntry, parent: string): void {
  const before = blocksWithoutThinking(original);
  for (const [index, block] of blocksWithoutThinking(copy).entries()) {
    const known = new Set(stringsIn(before[index]));
    for (const text of stringsIn(block)) {
      // A cut picture becomes a block of type `text`.
      if (known.has(text) || text === "text") continue;
      const place = `See line ${original.number} of ${parent.slice(0, 8)} for full content]`;
      assert(text.endsWith(place), `not at ${place}: ${text.slice(-120)}`);
    }
  }
}

function assertSameSession(input: string, output: string, parent: string): void {
  const [before, after] = [entriesOf(input), entriesOf(output)];
  assertEquals(after.length, before.length);
  for (const [index, original] of before.entries()) {
    const copy = after[index] ?? original;
    if (copy.text !== original.text) assertPlaces(original, copy, parent);
  }
  assertEquals(skeletonOf(output).flat(), skeletonOf(input).flat());
  if (!hasDuplicates(before)) assertEquals(contextOf(output), contextOf(input));
}

/** If an id occurs twice, the context depends on how far back a file is read, so it cannot be compared. */
function hasDuplicates(entries: readonly NumberedEntry[]): boolean {
  const ids = entries.flatMap(({ raw }) => raw.uuid ?? []);
  return new Set(ids).size < ids.length;
}

function contextOf(path: string): string[] {
  using file = Deno.openSync(path);
  return findActiveContext(file, file.statSync().size).nodes.map(({ uuid }) => uuid);
}

Deno.test("trimTranscript() neither loses nor moves entries of sessions with odd line orders, even in copies of copies", () => {
  using folder = newFastFolder();
  let cut = 0;
  for (let number = 0; number < SESSIONS; number++) {
    const random = new Random(SEED, number);
    let [parent, input] = [ODD_ID, `${folder.path}/${ODD_ID}.jsonl`];
    Deno.writeFileSync(input, makeOddSession(random).bytes);
    for (let generation = random.below(3); generation >= 0; generation--) {
      const sessionId = ODD_ID.replace("0dd5e551", `0dd5e55${generation + 2}`);
      const output = `${folder.path}/${sessionId}.jsonl`;
      const options = { ...anyOptions(random), parentSessionId: parent };
      const original = Deno.readFileSync(input);
      cut += cutCount(trimTranscript({ ...options, input, output, sessionId, metadata: true }));
      assertEquals(Deno.readFileSync(input), original);
      assertSameSession(input, output, parent);
      if (options.targetPercent === undefined && !hasDuplicates(entriesOf(output))) {
        const again = trimTranscript({ ...options, input: output });
        assertEquals(cutCount(again), 0, `${number} twice`);
      }
      [parent, input] = [sessionId, output];
    }
    for (const { name } of Deno.readDirSync(folder.path)) Deno.removeSync(`${folder.path}/${name}`);
  }
  assert(cut > SESSIONS, `only ${cut} cuts`);
});
