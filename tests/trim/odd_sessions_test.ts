// Trims sessions with odd line orders, and trims their copies again: every entry and every result is
// kept, each notice leads to the full text, and the conversation is unchanged.

import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/record.ts";
import { blocksOf } from "../../src/transcript/content.ts";
import { viewEntry } from "../../src/transcript/entry.ts";
import { findActiveContext } from "../../src/transcript/tree/active_context.ts";
import { type TrimOptions, trimTranscript } from "../../src/trim/trim_transcript.ts";
import { mutateJson } from "../fuzz/mutate.ts";
import { Random } from "../fuzz/random.ts";
import { newFastFolder } from "../folder.ts";
import { IS_FULL } from "../full.ts";
import { sentChars } from "./build_session.ts";
import { cutCount } from "./by_length.ts";
import {
  assertExactCounts,
  assertNoSecondCut,
  assertSameEntries,
  entriesOf,
  type NumberedEntry,
} from "./invariants.ts";
import { makeOddSession, ODD_ID } from "./odd_session.ts";

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

/**
 * Whether the id of an entry or of a call occurs twice. If so, the context and a call's tool depend on where
 * reading starts, and cannot be compared.
 */
function hasDuplicates(entries: readonly NumberedEntry[]): boolean {
  const ids = entries.flatMap(({ raw }) => [
    ...[raw.uuid].filter((uuid) => uuid !== undefined),
    ...blocksOf(viewEntry(raw)).flatMap(({ type, id }) => type === "tool_use" ? [id] : []),
  ]);
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
      const files = { input, output };
      const options = { ...anyOptions(random), parentSessionId: parent };
      const original = Deno.readFileSync(input);
      const counts = trimTranscript({ ...options, ...files, sessionId, metadata: true });
      cut += cutCount(counts);
      assertEquals(Deno.readFileSync(input), original);
      for (const [before, after] of assertSameEntries(files)) assertPlaces(before, after, parent);
      if (!hasDuplicates(entriesOf(output))) {
        assertEquals(contextOf(output), contextOf(input));
        // An answer that reports no tokens is not used, so the copy's model and size come from another one.
        if (counts.tokens.after === 0) break;
        assertExactCounts(files, counts);
        // With `need`, the order of cuts depends on the text, which the first trim has changed.
        const isFixedOrder = options.targetPercent === undefined || options.keep !== "need";
        if (isFixedOrder) assertNoSecondCut(output, options);
      }
      [parent, input] = [sessionId, output];
    }
    for (const { name } of Deno.readDirSync(folder.path)) Deno.removeSync(`${folder.path}/${name}`);
  }
  assert(cut > SESSIONS, `only ${cut} cuts`);
});

Deno.test("trimTranscript() accepts any value anywhere in a line", () => {
  using folder = newFastFolder();
  const files = { input: `${folder.path}/${ODD_ID}.jsonl`, output: `${folder.path}/copy.jsonl` };
  for (let number = 0; number < SESSIONS; number++) {
    const random = new Random(SEED + 1, number);
    const { bytes } = makeOddSession(random, { isValid: true });
    const lines = new TextDecoder().decode(bytes).split("\n").map((line) =>
      line !== "" && random.chance(20) ? mutateJson(line, random) : line
    );
    Deno.writeTextFileSync(files.input, lines.join("\n"));
    const { context_chars: { before, after } } = trimTranscript({
      ...anyOptions(random),
      ...files,
    });
    assertEquals(before, sentChars(files.input).chars, `${number}`);
    assert(after <= before, `${number}: ${after} of ${before} characters`);
    Deno.removeSync(files.output);
  }
});
