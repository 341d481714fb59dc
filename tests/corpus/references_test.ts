// Checks that `trimtab show` can print the target of every reference in trimtab's texts.

import { assert } from "@std/assert";
import { textsOf } from "../../bench/continuity.ts";
import { extractState } from "../../src/extract/extract_state.ts";
import { checkpointSections } from "../../src/saved/views/checkpoint_view.ts";
import { rehydratedText, REHYDRATION_LEVELS } from "../../src/saved/views/rehydrated.ts";
import { contentOf, snapshotOf } from "../../src/saved/save.ts";
import { partOf } from "../full.ts";
import { CORPUS, corpusTest, names, parseLine } from "./corpus.ts";

/** Matches the reference after an item, such as `(line 12)` or `(the user, line 12)`. */
const REFERENCE = / \((?:[a-z ]+, )?(?:line (\d+)|([0-9a-f]{8})|(entry [^)]*))\)$/gm;

corpusTest("trimtab show prints the target of every reference in texts about real sessions", () => {
  let count = 0;
  for (const name of partOf(names, 20, "real sessions whose references are printed")) {
    const path = `${CORPUS}/${name}`;
    const lines = Deno.readTextFileSync(path).split("\n");
    const entries = lines.map((line) => parseLine(line)[0]);
    const ids = new Set(entries.map((entry) => String(entry?.uuid).slice(0, 8)));
    const states = [extractState(path), extractState(path, { activeOnly: true })];
    const texts = states.flatMap((state) => [
      checkpointSections(contentOf(state), "/p"),
      ...REHYDRATION_LEVELS.map((level) => rehydratedText(snapshotOf(state), level)),
    ]);
    const cut = { lines, past: [], future: [], summary: " ", projectDir: "/p" };
    for (const text of [...texts, ...Object.values(textsOf(cut))]) {
      for (const [reference, line, id] of text.matchAll(REFERENCE)) {
        count++;
        const isThere = line === undefined
          ? ids.has(id ?? "")
          : typeof entries[Number(line) - 1] === "object" ||
            // A message in the session can itself contain such a reference, for example to a line
            // of code.
            lines.some((one) => one.includes(`(line ${line})`));
        assert(isThere, `${name}: ${reference}`);
      }
    }
  }
  console.log(`  ${count} references`);
  assert(count > 1_000);
});
