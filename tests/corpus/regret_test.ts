import { assert } from "@std/assert";
import { measure, OWN } from "../../bench/regret.ts";
import { pointsOf } from "../../bench/regret_points.ts";
import { spread } from "../../bench/sessions.ts";
import { IS_FULL } from "../full.ts";
import { CORPUS, corpusTest, sessionFiles } from "./corpus.ts";

/** Number of points to measure; `deno task regret` measures all points. */
const POINTS = IS_FULL ? 60 : 24;

/** Percentages: the minimum for `freed`, and the maximum for each other figure. */
const BOUNDS = {
  "trimtab trim": { freed: 48, quotes: 4.5, names: 0.5, definitions: 10 },
  "trimtab trim --depth deep": { freed: 56, quotes: 8, names: 2, definitions: 36 },
} as const;

corpusTest("a trim frees enough, and loses no more needed content than BOUNDS allows", () => {
  const points = pointsOf(spread(sessionFiles, 40).map((name) => `${CORPUS}/${name}`), {
    limit: POINTS,
  });
  for (const [tool, bounds] of Object.entries(BOUNDS)) {
    const [row] = measure(OWN.filter(({ name }) => name === tool), points);
    assert(row !== undefined && row.failed === 0, `${tool} failed`);
    const { freed, quotes, names: lost, definitions } = row;
    const figures = JSON.stringify(row);
    console.log(figures);
    assert(freed >= bounds.freed, figures);
    assert(quotes <= bounds.quotes && lost <= bounds.names, figures);
    assert(definitions <= bounds.definitions, figures);
  }
});
