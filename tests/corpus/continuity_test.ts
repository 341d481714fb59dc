// Restored text must contain a minimum share of the facts that later messages use.

import { assert } from "@std/assert";
import { cutsOf, measureContinuity } from "../../bench/continuity.ts";
import { CORPUS, corpusTest, sessionFiles } from "./corpus.ts";

const FLOORS = {
  restore: { all: 0.86, asks: 0.95, commands: 0.83 },
  standard: { all: 0.86, asks: 0.95 },
  handoff: { all: 0.86, asks: 0.95 },
  "summary and restore": { all: 0.92, asks: 0.95 },
} as const;

corpusTest(
  "measureContinuity() finds most of the needed facts in restored texts of real sessions",
  () => {
    const found = measureContinuity(cutsOf(sessionFiles.map((name) => `${CORPUS}/${name}`)));
    for (const [kind, floor] of Object.entries(FLOORS)) {
      const score = found[kind];
      const description = `${kind}: ${JSON.stringify(score)}`;
      console.log(`  ${description}`);
      assert(score !== undefined);
      for (const [column, least] of Object.entries(floor)) {
        assert((score[column as keyof typeof score] ?? 0) >= least, description);
      }
    }
  },
);
