/**
 * Measures a trim on projects that were not used to tune it (leave-one-out cross-validation). For each
 * project, the numbers of the rules are chosen on all other projects, and the trim is measured on that
 * project.
 */

import { DEEP_NEED, LIGHT_NEED, type NeedRules } from "../src/core/need.ts";
import { type Interval, intervalsOf } from "./intervals.ts";
import type { Sums } from "./regret_points.ts";

export interface NumberSet {
  readonly name: string;
  readonly byProject: ReadonlyMap<string, Sums>;
}

export interface LeftOut {
  readonly projects: number;
  readonly freed: Interval;
  readonly quotes: Interval;
  readonly names: Interval;
  /** Number of projects for which each set of numbers was chosen. */
  readonly chosen: ReadonlyMap<string, number>;
}

export interface Numbers {
  readonly name: string;
  readonly rules: NeedRules;
}

export function lightNumbers(): Numbers[] {
  return [4, 6, 8].flatMap((focusItems) =>
    [0.5, 1, 2].flatMap((scale) =>
      [0, 40].map((blocks) => ({
        name: `names of ${focusItems} messages, passages x ${scale}, unused reads of ${blocks}`,
        rules: {
          ...LIGHT_NEED,
          focusItems,
          passages: scaled(LIGHT_NEED, scale),
          unused: { ...LIGHT_NEED.unused, blocks },
        },
      }))
    )
  );
}

export function deepNumbers(): Numbers[] {
  return [20, 60, 120].flatMap((newTextAge) =>
    [1, 3].map((scale) => ({
      name: `new texts after ${newTextAge} blocks, passages x ${scale}`,
      rules: { ...DEEP_NEED, newTextAge, passages: scaled(DEEP_NEED, scale) },
    }))
  );
}

function scaled({ passages }: NeedRules, scale: number): NeedRules["passages"] {
  return passages.map(({ reads, lines }) => ({ reads, lines: Math.round(lines * scale) }));
}

/** Returns the folder in which the session started. All worktrees of a project count as that project. */
export function projectOf(lines: readonly string[]): string {
  const cwd = lines.map((line) => /"cwd":"([^"]+)"/.exec(line)?.[1]).find(Boolean);
  return (cwd ?? "unknown").replace(/\/\.(?:claude\/)?worktrees\/.*$/, "");
}

/** @param minFreed Minimum percentage that a set of numbers must free on the projects used to choose it. */
export function leaveOneOut(sets: readonly NumberSet[], minFreed: number): LeftOut {
  const projects = [...new Set(sets.flatMap(({ byProject }) => [...byProject.keys()]))];
  const chosen = new Map<string, number>();
  const found = projects.flatMap((project) => {
    const set = bestOf(sets, projects.filter((other) => other !== project), minFreed);
    chosen.set(set.name, (chosen.get(set.name) ?? 0) + 1);
    const sums = set.byProject.get(project);
    return sums === undefined ? [] : [sums];
  });
  return { projects: found.length, ...figuresOf(found), chosen };
}

function bestOf(
  sets: readonly NumberSet[],
  projects: readonly string[],
  minFreed: number,
): NumberSet {
  const rated = sets.map((set) => {
    const sums = total(projects.flatMap((project) => set.byProject.get(project) ?? []));
    return { set, freed: freedOf(sums), quotes: share(sums.quotes) };
  });
  const eligible = rated.filter(({ freed }) => freed >= minFreed);
  const [best] = eligible.length > 0
    ? eligible.sort((a, b) => a.quotes - b.quotes)
    : rated.sort((a, b) => b.freed - a.freed);
  if (best === undefined) throw new RangeError("Cannot choose: there are no numbers");
  return best.set;
}

export function figuresOf(all: readonly Sums[]): Pick<LeftOut, "freed" | "quotes" | "names"> {
  return intervalsOf(all, total, {
    freed: freedOf,
    quotes: ({ quotes }) => share(quotes),
    names: ({ names }) => share(names),
  });
}

export function total(all: readonly Sums[]): Sums {
  const sum = (count: (sums: Sums) => number): number =>
    all.reduce((total, sums) => total + count(sums), 0);
  const pair = (key: "quotes" | "names" | "definitions"): [number, number] => [
    sum((sums) => sums[key][0]),
    sum((sums) => sums[key][1]),
  ];
  return {
    before: sum(({ before }) => before),
    after: sum(({ after }) => after),
    quotes: pair("quotes"),
    names: pair("names"),
    definitions: pair("definitions"),
  };
}

/** Returns the freed characters as a percentage of the original characters. */
export function freedOf({ before, after }: Sums): number {
  return share([before - after, before]);
}

export function share([part, whole]: readonly [number, number]): number {
  return whole === 0 ? 0 : (100 * part) / whole;
}

export function describeFigures(name: string, figures: ReturnType<typeof figuresOf>): string {
  const formatInterval = ({ value, low, high }: Interval): string =>
    `${value.toFixed(1)} % (${low.toFixed(1)} to ${high.toFixed(1)})`;
  const { freed, quotes, names } = figures;
  return `${name.padEnd(46)} freed ${formatInterval(freed)}, lost: quotes ${
    formatInterval(quotes)
  }, names ${formatInterval(names)}`;
}
