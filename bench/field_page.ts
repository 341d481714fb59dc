/** Renders the field bench's page. */

import { counted } from "../src/inject/bound.ts";
import { addUp, type FieldRow, type FieldSums, freedTokens } from "./field_measure.ts";
import { DRAWS, type Interval, intervalsOf, SHARE } from "./intervals.ts";
import { share } from "./regret_projects.ts";
import { markdownTable } from "./table.ts";

/** Repeated reads are reported per this many freed tokens. */
const PER_TOKENS = 100_000;

export interface PageSource {
  readonly sessions: number;
  readonly isGenerated: boolean;
}

const FIGURES = {
  freed: ({ before, after }: FieldSums) => share([before - after, before]),
  quotes: ({ quotesLost, quotes }: FieldSums) => share([quotesLost, quotes]),
  names: ({ namesLost, names }: FieldSums) => share([namesLost, names]),
  errors: ({ errorsLost, errors }: FieldSums) => share([errorsLost, errors]),
  points: ({ momentsWithLostQuote, points }: FieldSums) => share([momentsWithLostQuote, points]),
  rereads: (sums: FieldSums) => perTokens(sums.rereads, sums),
  rereadsAnyway: (sums: FieldSums) => perTokens(sums.rereadsAnyway, sums),
  faulty: ({ faulty, points }: FieldSums) => share([faulty, points]),
  notResumed: ({ notResumed, tried }: FieldSums) => share([notResumed, tried]),
  claims: ({ claims, overclaimed }: FieldSums) => claims === 0 ? 0 : overclaimed / claims,
  /** A geometric mean, so that one slow run does not dominate it. */
  time: ({ logTime, points }: FieldSums) => Math.exp(logTime / points),
};

function perTokens(count: number, sums: FieldSums): number {
  const freed = freedTokens(sums);
  return freed === 0 ? 0 : PER_TOKENS * count / freed;
}

const LOST_HEAD = [
  "lost, but used later",
  "freed, %",
  "quotes, %",
  "names, %",
  "errors, %",
  "moments, %",
];

const COST_HEAD = [
  "costs",
  "reads to repeat",
  "read again anyway",
  "faulty copies, %",
  "do not resume, %",
  "claimed − freed, points",
  "time, × copying",
];

export function fieldPage(rows: readonly FieldRow[], source: PageSource): string {
  const figures = rows.map(({ tool, sessions }) => {
    return { tool, whole: addUp(sessions), of: intervalsOf(sessions, addUp, FIGURES) };
  });
  const table = (head: readonly string[], keys: readonly (keyof typeof FIGURES)[]): string =>
    markdownTable(
      head,
      figures.map(({ tool, whole, of }) => [
        tool,
        ...keys.map((key) => isKnown(key, whole) ? cell(of[key]) : "-"),
      ]),
    ).trimEnd();
  const whole = addUp(rows[0]?.sessions ?? []);
  return [
    "# Space freed by trims, and what it costs",
    `${counted(whole.points, "moment")} of ${
      counted(source.sessions, source.isGenerated ? "generated session" : "session")
    }, each cut in two. The later parts used ${whole.quotes} quotes, ${whole.names} ` +
    `names and ${whole.errors} errors from the earlier parts. In parentheses: the range of ${
      100 * SHARE
    } % of ` +
    `${DRAWS.toLocaleString("en-US")} random draws of the sessions (bootstrap).`,
    ...(source.isGenerated
      ? [
        "Generated sessions repeat one session, so only the speed and the faults are meaningful, " +
        "not the losses.",
      ]
      : []),
    table(LOST_HEAD, ["freed", "quotes", "names", "errors", "points"]),
    table(COST_HEAD, ["rereads", "rereadsAnyway", "faulty", "notResumed", "claims", "time"]),
    `Reads are counted per ${PER_TOKENS.toLocaleString("en-US")} tokens freed. Times include the ` +
    "start of each program, including the one that only copies.",
    ...problemsOf(rows),
    "Measured without a model. `docs/background/bench.md` explains its limits. Other commands " +
    "measure money (`deno task money FOLDER`) and restored text (`deno run -A " +
    "bench/continuity.ts FOLDER`).",
    "",
  ].join("\n\n").trimEnd() + "\n";
}

function isKnown(key: keyof typeof FIGURES, whole: FieldSums): boolean {
  const base = key === "notResumed" ? "tried" : key;
  const isPart = ["quotes", "names", "errors", "claims", "tried"].includes(base);
  return whole.points > 0 && (!isPart || whole[base as keyof FieldSums] > 0);
}

function cell({ value, low, high }: Interval): string {
  const shown = value.toFixed(1);
  const bounds = [low.toFixed(1), high.toFixed(1)];
  return bounds.every((bound) => bound === shown) ? shown : `${shown} (${bounds.join(" to ")})`;
}

function problemsOf(rows: readonly FieldRow[]): string[] {
  const lines = rows.flatMap(({ tool, sessions, failures, notResumed }) => {
    const { points, faulty, broken, unpaired, orphans, rewritten, tried } = addUp(sessions);
    const faults = [
      [broken, "lines that are not JSON"],
      [unpaired, "calls without a result, or results without a call"],
      [orphans, "messages without their parent"],
      [rewritten, "lines with the same JSON value but different bytes"],
    ].filter(([count]) => count !== 0).map(([count, what]) => `${count} ${what}`);
    const [first] = failures;
    return [
      ...(faulty === 0 ? [] : [`- ${tool}: ${faulty} of ${points} copies: ${faults.join(", ")}`]),
      ...(notResumed.length === 0 ? [] : [
        `- ${tool}: ${notResumed.length} of ${tried} copies do not resume: ${notResumed[0]}`,
      ]),
      ...(first === undefined ? [] : [
        `- ${tool} failed at ${failures.length} of ${points + failures.length} moments: ${first}`,
      ]),
    ];
  });
  return lines.length === 0 ? [] : [lines.join("\n")];
}
