/** Outlines a long text, such as a plan, by its headings and the sections with decisions and rules. */

export const HEADING = /^\s*#{1,6}\s/;

/** A text with at most this many headings is not outlined. Its first line counts as a heading. */
const FEW_HEADINGS = 4;

/** Widths of lines in an outline with sections, in UTF-16 code units. */
const SECTION_WIDTHS = [110, 70];

/** Widths of lines in an outline of headings alone, in UTF-16 code units. */
const HEADING_WIDTHS = [120, 60];

/** Patterns for headings of sections with decisions and rules. The first also matches sections with risks. */
const KEY_SECTIONS = [
  /\b(?:decisions?|insights?|constraints?|requirements?|scope|non-goals?|notes?|edge cases?|risks?|formats?)\b/i,
  /\b(?:decisions?|insights?|constraints?|scope|non-goals?|notes?)\b/i,
];

/**
 * Returns the outlines to try, the most detailed first. `width` is the limit for each line. The list is empty
 * if there are few headings.
 */
export function outlinesOf(
  lines: readonly string[],
): (readonly [lines: readonly string[], width: number])[] {
  // A heading that ends in a colon is uninformative without the text below it.
  const headings = lines.filter((line, index) =>
    index === 0 || (HEADING.test(line) && !/:[*_\s]*$/.test(line))
  );
  if (headings.length <= FEW_HEADINGS) return [];
  const detailed = KEY_SECTIONS.map((pattern) => linesBelow(lines, pattern))
    .filter((sections) => sections.length > 0);
  return [
    ...detailed.flatMap((sections) =>
      SECTION_WIDTHS.map((width) => [[...headings, ...sections], width] as const)
    ),
    ...HEADING_WIDTHS.map((width) => [headings, width] as const),
  ];
}

/** Returns the lines in the sections whose headings match. */
function linesBelow(lines: readonly string[], heading: RegExp): string[] {
  let isBelow = false;
  return lines.filter((line) => {
    if (!HEADING.test(line)) return isBelow;
    isBelow = heading.test(line);
    return false;
  });
}
