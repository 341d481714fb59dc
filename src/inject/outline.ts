/** Outlines a long text, such as a plan, by its headings and the sections with decisions and rules. */

import { MARK } from "./code_blocks.ts";

export const HEADING = /^\s*#{1,6}\s/;

/** A text with at most this many headings is not outlined. Its first line counts as a heading. */
const FEW_HEADINGS = 4;

/** Matches headings of sections with decisions and rules. */
const KEY_SECTION =
  /\b(?:decisions?|insights?|constraints?|requirements?|scope|non-goals?|notes?|edge cases?|risks?)\b/i;

/** Matches the start of a plan. Other texts, such as reviews, often end with their conclusion. */
const PLAN = /\bplan\b/i;
const TITLE_LINES = 3;

/** Matches the count of lines that an earlier cut left out. */
const MORE = /^\((\d+) more\)$/;

/** Patterns for lines, the most important last. Short lines that only introduce others match none. */
const LINE_RANKS = [
  /[^:*\s][*\s]*$|.{60}/,
  /\b(?:never|always|must|only|not|no|cannot|keep|instead)\b|n't\b/i,
  /^\s*\*\*(?:fix|solution)\b/i,
];

export function isPlan(lines: readonly string[]): boolean {
  const written = lines.filter((line) => line.trim() !== "");
  return written.slice(0, TITLE_LINES).some((line) => PLAN.test(line)) &&
    written.filter((line, at) => at === 0 || HEADING.test(line)).length > FEW_HEADINGS;
}

interface PlanSection {
  readonly heading: string;
  readonly lines: readonly string[];
  /** Indexes of the lines, in the order in which they are kept. */
  readonly order: readonly number[];
  /** Number of lines that an earlier cut left out. */
  readonly omitted: number;
  kept: number;
}

/**
 * Shortens a plan. Keeps all headings and, below each, as many whole lines as fit, fixes and limits first,
 * with a count of the others. The sections take turns, those with decisions and rules first. Returns
 * an empty string if the text is not a plan or has few headings, or if the headings and counts do not fit.
 */
export function wholeLines(lines: readonly string[], maxChars: number): string {
  if (!isPlan(lines)) return "";
  const sections = sectionsOf(lines);
  const isFitting = (): boolean => render(sections).length <= maxChars;
  if (!isFitting()) return "";
  const full = new Set<PlanSection>();
  const grow = (section: PlanSection): void => {
    section.kept++;
    if (isFitting()) return;
    section.kept--;
    full.add(section);
  };
  const isOpen = (one: PlanSection): boolean => one.kept < one.lines.length && !full.has(one);
  // The first text below the title states the goal.
  sections.filter(isOpen).slice(0, 1).forEach(grow);
  const isKey = ({ heading }: PlanSection): number => Number(KEY_SECTION.test(heading));
  const inTurns = sections.toSorted((a, b) => isKey(b) - isKey(a));
  while (inTurns.some(isOpen)) inTurns.filter(isOpen).forEach(grow);
  return render(sections);
}

function sectionsOf(lines: readonly string[]): PlanSection[] {
  const starts = [...lines.keys()].filter((at) => at === 0 || HEADING.test(lines[at] ?? ""));
  return starts.map((start, at) => {
    const below = lines.slice(start + 1, starts[at + 1]);
    const omitted = below.map((line) => line === MARK ? 1 : Number(MORE.exec(line)?.[1] ?? 0));
    const own = below.filter((_, index) => omitted[index] === 0);
    const heading = lines[start] ?? "";
    const rank = (index: number): number =>
      LINE_RANKS.findLastIndex((pattern) => pattern.test(own[index] ?? ""));
    return {
      heading,
      lines: own,
      order: [...own.keys()].toSorted((a, b) => rank(b) - rank(a)),
      omitted: omitted.reduce((sum, one) => sum + one, 0),
      kept: 0,
    };
  });
}

function render(sections: readonly PlanSection[]): string {
  return sections.flatMap(({ heading, lines, order, omitted, kept }) => {
    const shown = new Set(order.slice(0, kept));
    const count = lines.length - kept + omitted;
    return [
      heading,
      ...lines.filter((_, index) => shown.has(index)),
      ...(count === 0 ? [] : [`(${count} more)`]),
    ];
  }).join("\n");
}
