/**
 * Measures on real sessions, without a model, how much of the content that a trim cuts is used later.
 *
 *     deno task regret [--limit N] [--min-chars N] [--ablate] [--projects] [--svg FILE]
 *       [--tool NAME=COMMAND]... FOLDER|FILE...
 *
 * A session is cut in two, and the earlier part is trimmed. The later part shows which items it used from the
 * earlier part: lines that edits quote, names that calls use, and the lines that define those names. An item
 * that the trimmed copy does not contain is lost. `docs/background/regret.md` explains the limits of the
 * measure.
 */

import { parseArgs } from "@std/cli";
import { LIGHT_NEED, type NeedRules } from "../src/core/need.ts";
import { type ChartPoint, regretChart } from "./regret_chart.ts";
import { activeItemsOf, countLosses, type Point, pointsOf, type Sums } from "./regret_points.ts";
import {
  deepNumbers,
  describeFigures,
  figuresOf,
  leaveOneOut,
  lightNumbers,
  type Numbers,
  type NumberSet,
  projectOf,
  total,
} from "./regret_projects.ts";
import { linesIn, sessionsIn } from "./sessions.ts";
import { parseTool, type Trimmer, trimPast, trimtabTrimmer } from "./trimmers.ts";

/** `freed` and the fields after it are percentages. */
export interface Row {
  readonly tool: string;
  readonly points: number;
  readonly failed: number;
  readonly freed: number;
  readonly quotes: number;
  readonly names: number;
  readonly definitions: number;
}

const HELP = `Measure how much of the content that a trim cuts is used later.

Usage: deno task regret [OPTIONS] FOLDER|FILE...

  --limit N            at most this many points, evenly spaced
  --min-chars N        only moments with at least this many characters of context; 120000 are
                       about 40,000 tokens
  --ablate             also measure the light depth without each of its rules in turn
  --projects           choose the numbers on all projects except the measured one, and print
                       90 % intervals over projects
  --tool NAME=COMMAND  also measure another tool; {in} is the session, {out} a file to write
  --svg FILE           also draw the chart of docs/background/regret.md
`;

/** trimtab's default style with several settings, and its older styles `head` and `line`. */
export const OWN: readonly Trimmer[] = [
  trimtabTrimmer("trimtab trim", { keep: "need" }),
  trimtabTrimmer("trimtab trim --keep-recent 20", { keep: "need", keepRecent: 20 }),
  trimtabTrimmer("trimtab trim --keep-recent 10", { keep: "need", keepRecent: 10 }),
  trimtabTrimmer("trimtab trim --keep-recent 1", { keep: "need", keepRecent: 1 }),
  trimtabTrimmer("trimtab trim --depth deep", { keep: "need", depth: "deep" }),
  trimtabTrimmer("trimtab trim --depth deep --keep-recent 1", {
    keep: "need",
    depth: "deep",
    keepRecent: 1,
  }),
  trimtabTrimmer("trimtab trim --keep head", { keep: "head" }),
  trimtabTrimmer("trimtab trim --keep line --depth deep", { keep: "line", depth: "deep" }),
];

/** Changes to the rules of the light depth, each of which disables or changes one rule. */
const ABLATIONS: readonly (readonly [name: string, change: Partial<NeedRules>])[] = [
  ["without passages", { passages: [] }],
  ["without keeping reads that nothing used", { unused: { blocks: 0, share: 0 } }],
  ["without lower weights for names that many reads contain", { fade: Infinity }],
  ["without definitions", { read: { ...LIGHT_NEED.read, definitions: 0 } }],
  ["without names", {
    read: { ...LIGHT_NEED.read, names: 0 },
    other: { ...LIGHT_NEED.other, names: 0 },
    report: { ...LIGHT_NEED.report, names: 0 },
  }],
  ["without cutting replaced texts", { oldTextAge: Infinity }],
  ["with names of twice as many messages", { focusItems: 2 * LIGHT_NEED.focusItems }],
  ["with passages half as long", {
    passages: LIGHT_NEED.passages.map(({ reads, lines }) => ({ reads, lines: lines / 2 })),
  }],
];

export function ablatedTrimmers(): Trimmer[] {
  return ABLATIONS.map(([name, change]) =>
    trimtabTrimmer(name, { keep: "need", need: { ...LIGHT_NEED, ...change } })
  );
}

export function measure(contenders: readonly Trimmer[], points: readonly Point[]): Row[] {
  return contenders.map((contender) => {
    const all: Sums[] = [];
    let failed = 0;
    for (const point of points) {
      try {
        all.push(trimPoint(contender, point));
      } catch (error) {
        failed++;
        if (failed === 1) console.error(`${contender.name}: ${error}`);
      }
    }
    const sums = total(all);
    return {
      tool: contender.name,
      points: points.length - failed,
      failed,
      freed: percent([sums.before - sums.after, sums.before]),
      quotes: percent(sums.quotes),
      names: percent(sums.names),
      definitions: percent(sums.definitions),
    };
  });
}

function trimPoint(contender: Trimmer, point: Point): ReturnType<typeof countLosses> {
  const past = linesIn(point.file).slice(0, point.lineCount);
  return countLosses(point, activeItemsOf(trimPast(contender, past).lines));
}

function percent([part = 0, whole = 0]: readonly number[]): number {
  return whole === 0 ? 0 : Number(((100 * part) / whole).toFixed(1));
}

function byProject(
  contender: Trimmer,
  points: readonly Point[],
  projects: ReadonlyMap<string, string>,
): Map<string, Sums> {
  const groups = Map.groupBy(points, ({ file }) => projects.get(file) ?? "unknown");
  return new Map([...groups].map(([project, projectPoints]) => {
    return [project, total(projectPoints.map((point) => trimPoint(contender, point)))];
  }));
}

/** Minimum percentage that a set of numbers must free on the projects used to choose it. */
const MIN_FREED = { light: 57, deep: 67 };

function describeProjects(points: readonly Point[], files: readonly string[]): string[] {
  const projects = new Map(files.map((file) => [file, projectOf(linesIn(file))]));
  const setsOf = (numbers: readonly Numbers[], depth: "light" | "deep"): NumberSet[] =>
    numbers.map(({ name, rules: need }) => ({
      name,
      byProject: byProject(trimtabTrimmer(name, { keep: "need", depth, need }), points, projects),
    }));
  const depths = [["light", lightNumbers()], ["deep", deepNumbers()]] as const;
  return depths.flatMap(([depth, numbers]) => {
    const shipped = byProject(trimtabTrimmer(depth, { keep: "need", depth }), points, projects);
    const left = leaveOneOut(setsOf(numbers, depth), MIN_FREED[depth]);
    const chosen = [...left.chosen].map(([name, times]) => `${name}: ${times}`).join("; ");
    return [
      describeFigures(`${depth}, shipped numbers`, figuresOf([...shipped.values()])),
      describeFigures(`${depth}, chosen on other projects`, left),
      `  ${left.projects} projects; ${chosen}`,
    ];
  });
}

function describe(row: Row): string {
  const failed = row.failed === 0 ? "" : ` (${row.failed} failed)`;
  return `${row.tool.padEnd(46)} ${row.points} points${failed}: freed ${row.freed} %, lost: ` +
    `quotes ${row.quotes} %, names ${row.names} %, definitions ${row.definitions} %`;
}

/** Figures of other tools, measured on 150 similar points before this project began. */
const OTHERS = [{ freed: 49, lost: 25 }, { freed: 72, lost: 70 }, { freed: 85, lost: 88 }];

export function drawRows(rows: readonly Row[]): string {
  const pointsOfRows = (isIncluded: (tool: string) => boolean): ChartPoint[] =>
    rows.filter(({ tool }) => isIncluded(tool)).map(({ tool, freed, quotes }) => ({
      label: LABELS.get(tool) ?? "",
      freed,
      lost: quotes,
    }));
  const ownNames = new Set(OWN.map(({ name }) => name));
  return regretChart([
    {
      name: "trimtab --keep need",
      color: "#2563eb",
      isLine: true,
      isBelow: true,
      points: pointsOfRows((tool) => ownNames.has(tool) && !tool.includes("--keep ")),
    },
    {
      name: "trimtab --keep head or line",
      color: "#d97706",
      isLine: false,
      points: pointsOfRows((tool) => tool.includes("--keep ")),
    },
    {
      name: "the best-known others",
      color: "#6b7280",
      isLine: false,
      points: OTHERS.map((point) => ({ label: "", ...point })),
    },
  ]);
}

const LABELS: ReadonlyMap<string, string> = new Map([
  ["trimtab trim", "/trim"],
  ["trimtab trim --depth deep", "--depth deep"],
  ["trimtab trim --keep head", "--keep head"],
  ["trimtab trim --keep line --depth deep", "--keep line --depth deep"],
]);

function main(): number {
  const args = parseArgs(Deno.args, {
    boolean: ["help", "ablate", "projects"],
    string: ["limit", "tool", "svg", "min-chars"],
    collect: ["tool"],
  });
  if (args.help || args._.length === 0) {
    console.log(HELP);
    return args.help ? 0 : 2;
  }
  const files = sessionsIn(args._.map(String));
  const points = pointsOf(files, {
    limit: Number(args.limit ?? Infinity),
    minChars: Number(args["min-chars"] ?? 0),
  });
  if (args.projects) {
    for (const line of describeProjects(points, files)) console.log(line);
    return 0;
  }
  const contenders = [
    ...OWN,
    ...(args.ablate ? ablatedTrimmers() : []),
    ...args.tool.map(parseTool),
  ];
  const rows = contenders.map((contender) => {
    const [row] = measure([contender], points);
    if (row !== undefined) console.log(describe(row));
    return row;
  });
  if (args.svg !== undefined) {
    Deno.writeTextFileSync(args.svg, drawRows(rows.filter((row) => row !== undefined)));
  }
  return 0;
}

if (import.meta.main) Deno.exit(main());
