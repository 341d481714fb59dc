// Checks the invariants of trims of real sessions.

import { isObject } from "../../src/core/record.ts";
import { assert, assertEquals, assertGreater } from "@std/assert";
import { placeEntries } from "../../src/transcript/entry.ts";
import { cutCount, trimByLength, type TrimCounts, type TrimOptions } from "../trim/by_length.ts";
import { sentChars, skeletonOf } from "../trim/build_session.ts";
import { newFastFolder } from "../folder.ts";
import { partOf } from "../full.ts";
import { CORPUS, corpusTest, sessionFiles } from "./corpus.ts";

corpusTest("trimTranscript() keeps the invariants in a deep trim of every real session", () => {
  const totals = { results: 0, inputs: 0, images: 0, thinking: 0 };
  const sessions = partOf(sessionFiles, 25, "real sessions that are trimmed deeply");
  for (const name of sessions) {
    using copy = copyOf(name);
    const counts = copy.trim({ depth: "deep" });
    assertInvariants(name, copy, counts, { depth: "deep" });
    totals.results += counts.trimmed_count;
    totals.inputs += counts.inputs.count;
    totals.images += counts.images.count;
    totals.thinking += counts.thinking.count;
  }
  console.log(`  ${sessions.length} sessions: ${JSON.stringify(totals)}`);
  for (const count of Object.values(totals)) assertGreater(count, 0);
});

corpusTest(
  "trimTranscript() keeps the invariants of real sessions with each style and depth, and with protected files",
  () => {
    const optionSets: Partial<TrimOptions>[] = [
      { keep: "line", keepRecent: 5 },
      { keep: "need", keepRecent: 5 },
      { keep: "need", depth: "deep", keepRecent: 1, threshold: 100 },
      { keep: "head", depth: "deep", threshold: 100 },
      { depth: "deep", threshold: 0, protect: ["*.md", "src/**"] },
    ];
    // Trims each session with only one set of options, to save time. Together, the sessions cover all sets.
    const what = "real sessions that are trimmed with each set of options";
    for (const [n, name] of partOf(sessionFiles, 25, what).entries()) {
      const options = optionSets[n % optionSets.length] ?? {};
      using copy = copyOf(name);
      assertInvariants(name, copy, copy.trim(options), options);
    }
  },
);

corpusTest("trimTranscript() reaches a target between no trim and a full trim", () => {
  // Only a sample, because each session is trimmed four times.
  for (const name of partOf(sessionFiles, 12, "real sessions that are trimmed to a target")) {
    using copy = copyOf(name);
    const all = trimByLength({ input: copy.input, depth: "deep" });
    const limitTokens = Math.max(1, all.tokens.before);
    // Halfway between no trim and a full trim.
    const targetPercent = 50 + (50 * all.tokens.after) / limitTokens;
    const options: Partial<TrimOptions> = { depth: "deep", targetPercent, limitTokens };
    const counts = copy.trim(options);
    assertInvariants(name, copy, counts, options);
    assertEquals(counts.target?.is_reached, counts.tokens.after <= (counts.target?.tokens ?? 0));
    assert(counts.tokens.after >= all.tokens.after);
    if (all.tokens.after < all.tokens.before) assert(counts.target?.is_reached, name);
  }
});

interface Copy extends Disposable {
  input: string;
  output: string;
  trim(options: Partial<TrimOptions>): TrimCounts;
}

function copyOf(name: string): Copy {
  const folder = newFastFolder();
  // Both files are in one folder, as after `trimtab trim`.
  const input = `${folder.path}/${name}`;
  const output = `${folder.path}/copy-${name}`;
  Deno.copyFileSync(`${CORPUS}/${name}`, input);
  return {
    input,
    output,
    trim: (options) => trimByLength({ input, output, ...options }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

function assertInvariants(
  name: string,
  copy: Copy,
  counts: TrimCounts,
  options: Partial<TrimOptions>,
): void {
  const [before, after] = [sentChars(copy.input), sentChars(copy.output)];
  assertEquals(counts.context_chars, { before: before.chars, after: after.chars }, name);
  assertEquals(after.entries, before.entries, name);
  assertEquals(skeletonOf(copy.output).flat(), skeletonOf(copy.input).flat(), name);
  assertUntouched(name, copy, counts);
  const again = trimByLength({ input: copy.output, ...options });
  assertEquals(cutCount(again), 0, name);
  const dry = trimByLength({ input: copy.input, ...options });
  assertEquals(dry, counts, name);
}

function assertUntouched(name: string, copy: Copy, counts: TrimCounts): void {
  const before = objectsOf(copy.input);
  const after = objectsOf(copy.output);
  let changed = 0;
  for (const [n, line] of after.entries()) {
    if (line === before[n]) continue;
    changed++;
    const entry: unknown = JSON.parse(line);
    assert(isObject(entry), name);
    assert(entry.type === "user" || entry.type === "assistant", `${name}: a line of ${entry.type}`);
  }
  const cuts = cutCount(counts);
  // The 30 allows for the lines of the newest message, each of which contains the lowered usage.
  assert(changed <= cuts + 30, `${name}: ${changed} lines changed for ${cuts} cuts`);
}

/** Returns the lines of a file. Splits a line with several objects, because a copy splits it too. */
function objectsOf(path: string): string[] {
  return Deno.readTextFileSync(path).replace(/\n$/, "").split("\n").flatMap((line) => {
    const bytes = new TextEncoder().encode(line);
    const placed = placeEntries(bytes);
    return placed.length > 1
      ? placed.map(({ start, end }) => new TextDecoder().decode(bytes.subarray(start, end)))
      : [line];
  });
}
