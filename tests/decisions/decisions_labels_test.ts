// Measures precision and recall of the decisions on sessions that a person labelled.

import { assertGreaterOrEqual } from "@std/assert";
import { DecisionCollector } from "../../src/decisions/decisions.ts";
import {
  addScores,
  CORPUS,
  feed,
  type LabelFile,
  NO_SCORE,
  precision,
  readLabels,
  recall,
  scoreItems,
} from "./label_score.ts";

const files = readLabels();
const ignore = files.length === 0;

/**
 * Just below the current scores. `report` is never used for tuning; its floor only catches
 * regressions.
 */
const FLOORS = {
  tune: { precision: 0.88, recall: 0.42 },
  report: { precision: 0.82, recall: 0.43 },
};

for (const split of ["tune", "report"] as const) {
  Deno.test({
    name: `DecisionCollector.finish() meets the labels of the sessions to ${split}` +
      (ignore ? ` (ignored: no sessions in ${CORPUS})` : ""),
    ignore,
    fn(): void {
      const score = files.filter((file) => file.split === split).map(scoreOf)
        .reduce(addScores, NO_SCORE);
      const [exact, whole] = [precision(score), recall(score)];
      console.log(
        `  ${split}: precision ${exact.toFixed(2)} (${score.hits} of ${score.items}), ` +
          `recall ${whole.toFixed(2)} (${score.found} of ${score.labels})`,
      );
      assertGreaterOrEqual(exact, FLOORS[split].precision);
      assertGreaterOrEqual(whole, FLOORS[split].recall);
    },
  });
}

function scoreOf({ session, decisions: labels }: LabelFile): typeof NO_SCORE {
  const collector = new DecisionCollector();
  feed(session, [collector]);
  const texts = collector.finish().map(({ decision, rationale, alternatives }) =>
    [decision, rationale, ...alternatives].join("\n")
  );
  return scoreItems(texts, labels);
}
