/**
 * What a shaped text says about what is not in it, and how that is recognised.
 *
 * @module
 */

/** How every mark begins. A text that has one is shaped already, and is never shaped again. */
export const MARK_START = "[trimtab: ";

/** A line's break, which joins and parts lines. */
export const NEWLINE = "\n";

/**
 * Tells whether a text holds a mark.
 *
 * Permissions: none.
 *
 * @param text The text.
 * @returns Whether it is shaped already, or quotes what is.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { isMarked, leftOutMark } from "./marks.ts";
 *
 * assert(isMarked(`a\n${leftOutMark(2, 9)}\nz`));
 * ```
 */
export function isMarked(text: string): boolean {
  return text.includes(MARK_START);
}

/**
 * Writes the line that stands for lines left out.
 *
 * Permissions: none.
 *
 * @param first The first of them, from 1, as the whole output counts.
 * @param last The last of them.
 * @param about What they are, in a few words.
 * @returns One line without its break.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { leftOutMark } from "./marks.ts";
 *
 * assertEquals(leftOutMark(31, 150, "118 passing"), "[trimtab: lines 31-150 left out, 118 passing]");
 * assertEquals(leftOutMark(7, 7), "[trimtab: line 7 left out]");
 * ```
 */
export function leftOutMark(first: number, last: number, about = ""): string {
  const where = first === last ? `line ${first}` : `lines ${first}-${last}`;
  return `${MARK_START}${where} left out${about === "" ? "" : `, ${about}`}]`;
}

/**
 * Writes what stands for characters left out of a line.
 *
 * Permissions: none.
 *
 * @param count How many, in UTF-16 code units.
 * @returns The mark.
 */
export function charactersMark(count: number): string {
  return `${MARK_START}${count} characters left out]`;
}

/**
 * Writes what stands for more of the same.
 *
 * Permissions: none.
 *
 * @param count How many.
 * @param what What they are, in the plural; a final `s` goes for one.
 * @param where Where they are, with what stands before it.
 * @returns The mark.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { moreMark } from "./marks.ts";
 *
 * assertEquals(moreMark(1, "more items"), "[trimtab: 1 more item]");
 * assertEquals(moreMark(3, "more matches", " in a.ts"), "[trimtab: 3 more matches in a.ts]");
 * ```
 */
export function moreMark(count: number, what: string, where = ""): string {
  const name = count === 1 ? what.replace(/(?<=match)es$|s$/, "") : what;
  return `${MARK_START}${count} ${name}${where}]`;
}

/**
 * Cuts the end of a text, never inside a surrogate pair.
 *
 * Permissions: none.
 *
 * @param text The text.
 * @param units At most so many UTF-16 code units.
 * @returns The end.
 */
export function endOf(text: string, units: number): string {
  if (text.length <= units) return text;
  const at = text.length - units;
  const [before, behind] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  const isSplit = before >= 0xd800 && before <= 0xdbff && behind >= 0xdc00 && behind <= 0xdfff;
  return text.slice(isSplit ? at + 1 : at);
}

/**
 * Counts the lines of a text as an editor does: a break at its end begins none.
 *
 * Permissions: none.
 *
 * @param text The text.
 * @returns How many there are.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { countLines } from "./marks.ts";
 *
 * assertEquals([countLines("a\nb"), countLines("a\nb\n")], [2, 2]);
 * ```
 */
export function countLines(text: string): number {
  return text.split(NEWLINE).length - (text.endsWith(NEWLINE) ? 1 : 0);
}
