// Measures the precision and recall of extracted decisions on sessions that a person labeled. The README of
// tests/fixtures/labels explains how.

import { assertGreaterOrEqual } from "@std/assert";
import { DecisionCollector } from "../../src/decisions/decisions.ts";
import { feedSession } from "../../src/extract/session_events.ts";
import { isFile } from "../../src/store/exists.ts";
import { entriesIn } from "../../src/transcript/entry.ts";

const CORPUS = Deno.env.get("TRIMTAB_CORPUS") ??
  decodeURIComponent(new URL("../../../shared/corpus", import.meta.url).pathname);

const LABELS = new URL("../fixtures/labels/", import.meta.url);

/** A labeled fact. */
interface Label {
  /** A matching decision contains every keyword. In a keyword, `|` separates alternatives. */
  readonly keywords: readonly string[];
  readonly optional?: boolean;
}

interface LabelFile {
  readonly session: string;
  readonly split: "tune" | "report";
  readonly decisions: readonly Label[];
}

interface Score {
  /** Extracted decisions that count. */
  readonly items: number;
  /** Items that match a label. */
  readonly hits: number;
  /** Labels that are not optional. */
  readonly labels: number;
  /** Labels that are not optional and match a decision. */
  readonly found: number;
}

const files = [...Deno.readDirSync(LABELS)].map(({ name }) => name)
  .filter((name) => name.endsWith(".json")).sort()
  .map((name): LabelFile => JSON.parse(Deno.readTextFileSync(new URL(name, LABELS))))
  .filter(({ session }) => isFile(`${CORPUS}/${session}`));
const ignore = files.length === 0;

/** Just below the current scores. `report` is never used for tuning; its floor only catches regressions. */
const FLOORS = {
  tune: { precision: 0.9, recall: 0.49 },
  report: { precision: 0.89, recall: 0.46 },
};

for (const split of ["tune", "report"] as const) {
  Deno.test({
    name: `DecisionCollector.finish() finds the labeled decisions in the "${split}" sessions` +
      (ignore ? ` (ignored: no sessions in ${CORPUS})` : ""),
    ignore,
    fn(): void {
      const scores = files.filter((file) => file.split === split).map(scoreOf);
      const [items = 0, hits = 0, labels = 0, found = 0] =
        (["items", "hits", "labels", "found"] as const)
          .map((name) => scores.reduce((sum, score) => sum + score[name], 0));
      const [precision, recall] = [hits / items, found / labels];
      console.log(
        `  ${split}: precision ${precision.toFixed(2)} (${hits} of ${items}), ` +
          `recall ${recall.toFixed(2)} (${found} of ${labels})`,
      );
      assertGreaterOrEqual(precision, FLOORS[split].precision);
      assertGreaterOrEqual(recall, FLOORS[split].recall);
    },
  });
}

/** Compares decisions with labels. Does not count a decision if earlier decisions match all of its labels. */
function scoreOf({ session, decisions: labels }: LabelFile): Score {
  const collector = new DecisionCollector();
  const lines = Deno.readTextFileSync(`${CORPUS}/${session}`).split("\n");
  feedSession(
    lines.flatMap((text, at) => entriesIn(text).map((entry) => ({ entry, line: at + 1 }))),
    [collector],
  );
  const met = new Set<Label>();
  let [items, hits] = [0, 0];
  for (const { decision, rationale, alternatives } of collector.finish()) {
    const text = [decision, rationale, ...alternatives].join("\n").toLowerCase();
    const hit = labels.filter(({ keywords }) =>
      keywords.every((word) => word.toLowerCase().split("|").some((one) => text.includes(one)))
    );
    if (hit.length > 0 && hit.every((label) => met.has(label))) continue;
    items++;
    if (hit.length > 0) hits++;
    for (const label of hit) met.add(label);
  }
  const counted = labels.filter((label) => label.optional !== true);
  const found = counted.filter((label) => met.has(label)).length;
  return { items, hits, labels: counted.length, found };
}
