/** Sections of Markdown within a bound, of which each keeps what matters most. */

import { boundText } from "./bound.ts";

/** When not everything has room, an item takes no more than this part of it. */
const MAX_ITEM_PART = 1 / 8;

const ELLIPSIS = "…";

export interface Section {
  readonly heading: string;
  /** The items, the one that matters most first; each a line or more. */
  readonly items: readonly string[];
}

export function fitSections(title: string, sections: readonly Section[], maxChars: number): string {
  const whole = wordSections(title, sections, sections.map(({ items }) => items.length));
  if (whole.length <= maxChars) return whole;
  const short = sections.map(({ heading, items }) => ({
    heading,
    items: items.map((item) => shortened(item, Math.floor(maxChars * MAX_ITEM_PART))),
  }));
  return wordSections(title, short, countsThatFit(title, short, maxChars));
}

/** The text around the sections that can be shortened; both are bounded already. */
interface Around {
  readonly title: string;
  readonly first: Section;
  /** Where it stopped; none where nothing tells. */
  readonly last: readonly Section[];
}

/** Words sections between two that are never shortened, unless there is no room for them alone. */
export function fitBetween(around: Around, sections: readonly Section[], maxChars: number): string {
  const { title, first, last } = around;
  if (last.length === 0) return fitSections(title, [first, ...sections], maxChars);
  const head = wordSections(title, [first], [first.items.length]);
  const tail = wordSections("", last, last.map(({ items }) => items.length));
  const room = Math.max(0, maxChars - tail.length);
  return boundText(fitSections(head, sections, room), room) + boundText(tail, maxChars);
}

/** Counts the items of each section that have room, taking one from each in turn. */
function countsThatFit(title: string, sections: readonly Section[], maxChars: number): number[] {
  const counts = sections.map(() => 0);
  // With nothing taken every section has its longest note, so taking an item adds no more than it.
  let room = maxChars - wordSections(title, sections, counts).length;
  let open = sections.map((_, i) => i);
  for (let round = 0; open.length > 0; round++) {
    open = open.filter((i) => {
      const item = sections[i]?.items[round];
      if (item === undefined || item.length + 1 > room) return false;
      room -= item.length + 1;
      counts[i] = round + 1;
      return true;
    });
  }
  return counts;
}

function wordSections(
  title: string,
  sections: readonly Section[],
  counts: readonly number[],
): string {
  const texts = sections.flatMap(({ heading, items }, i) => {
    // A heading with nothing under it says nothing.
    if (items.length === 0) return [];
    const kept = items.slice(0, counts[i] ?? 0);
    const left = items.length - kept.length;
    if (left > 0) kept.push(`(${left} more in the snapshot)`);
    return [[heading, ...kept].join("\n")];
  });
  return [title, ...texts].join("\n\n");
}

function shortened(item: string, maxChars: number): string {
  if (item.length <= maxChars) return item;
  return boundText(item, Math.max(0, maxChars - ELLIPSIS.length)).trimEnd() + ELLIPSIS;
}
