// Checks the invariants of a trim on real sessions.

import { assert, assertEquals, assertGreater } from "@std/assert";
import { cutCount, trimByLength, type TrimCounts, type TrimOptions } from "../trim/by_length.ts";
import { assertExactCounts, assertNoSecondCut, assertSameEntries } from "../trim/invariants.ts";
import { newFastFolder } from "../folder.ts";
import { partOf } from "../full.ts";
import { CORPUS, corpusTest, sessionFiles } from "./corpus.ts";

const OPTION_SETS: readonly Partial<TrimOptions>[] = [
  { depth: "deep" },
  { keep: "line", keepRecent: 5 },
  { keep: "need", keepRecent: 5 },
  { keep: "need", depth: "deep", keepRecent: 1, threshold: 100 },
  { keep: "head", depth: "deep", threshold: 100 },
  {
    depth: "deep",
    threshold: 0,
    protect: ["*.md", "src/**"],
    targetPercent: 20,
    limitTokens: 200_000,
  },
];

corpusTest(
  "trimTranscript() upholds the invariants on real sessions with any options",
  () => {
    const totals = { results: 0, inputs: 0, images: 0, thinking: 0 };
    const sessions = partOf(sessionFiles, 30, "real sessions that are trimmed");
    // Each session is trimmed with one set of options, to save time; together, they cover all sets.
    for (const [index, name] of sessions.entries()) {
      using copy = copyOf(name);
      const options = OPTION_SETS[index % OPTION_SETS.length] ?? {};
      const counts = copy.trim(options);
      assertInvariants(name, copy, counts, options);
      totals.results += counts.trimmed_count;
      totals.inputs += counts.inputs.count;
      totals.images += counts.images.count;
      totals.thinking += counts.thinking.count;
    }
    console.log(`  ${sessions.length} sessions: ${JSON.stringify(totals)}`);
    for (const count of Object.values(totals)) assertGreater(count, 0);
  },
);

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
  assertExactCounts(copy, counts);
  const changed = assertSameEntries(copy);
  for (const [{ raw }] of changed) {
    assert(raw.type === "user" || raw.type === "assistant", `${name}: an entry of ${raw.type}`);
  }
  // The 30 allows for the lines of the newest message, each of which contains the lowered usage.
  assert(changed.length <= cutCount(counts) + 30, `${name}: ${changed.length} entries changed`);
  assertNoSecondCut(copy.output, options);
  assertEquals(trimByLength({ input: copy.input, ...options }), counts, name);
}
