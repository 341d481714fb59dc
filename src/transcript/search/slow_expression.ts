/**
 * Tells regular expressions that can take for ever, before they are let loose on a session.
 *
 * @module
 */

/** A group without groups inside that may repeat without end. */
const REPEATED_GROUP =
  /\((?:\?:|\?<\w+>)?((?:\\.|\[(?:\\.|[^\]\\])*\]|[^\\()[\]])*)\)(?:[*+]|\{\d+,\d*\})/g;

/** An alternative in which everything may repeat or be missing. */
const ALL_REPEATED = /^(?:(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\\[\]*+?{}])(?:[*+?]|\{\d+,\d*\})\??)+$/;

/** Tried on texts of these letters, besides those of the pattern itself. */
const PROBE_LETTERS = ["a", "A", "0", " ", "_", "-", ".", "/"];

/** So many different letters of a pattern are tried. */
const MAX_OWN_LETTERS = 16;

/** The longest text that is tried; each is two letters longer than the one before. */
const MAX_PROBE_CHARS = 28;

/** What a sound expression needs for a text so short is a hundredth of this, in milliseconds. */
const MAX_PROBE_MS = 50;

/** The end of a text that is tried: hardly any expression takes it, so all ways to match are gone. */
const PROBE_END = "\u0001";

/**
 * Looks for what makes an expression slow: a repeated group of what already repeats, and time that
 * doubles with every letter.
 */
export function slowPartOf(expression: RegExp): string | null {
  const { source } = expression;
  for (const [group, body = ""] of source.matchAll(REPEATED_GROUP)) {
    if (body.split("|").some((part) => /[*+{]/.test(part) && ALL_REPEATED.test(part))) return group;
  }
  // Without a group that repeats, time cannot double.
  if (!/\)[*+{]/.test(source)) return null;
  const own = [...new Set(source.replaceAll(/[^\p{L}\p{N}]/gu, ""))].slice(0, MAX_OWN_LETTERS);
  const isSlow = [...PROBE_LETTERS, ...own].some((letter) => isSlowOn(expression, letter));
  return isSlow ? source : null;
}

function isSlowOn(expression: RegExp, letter: string): boolean {
  for (let chars = 8; chars <= MAX_PROBE_CHARS; chars += 2) {
    const text = letter.repeat(chars) + PROBE_END;
    // What took long once may have been interrupted.
    if (timeOf(expression, text) > MAX_PROBE_MS && timeOf(expression, text) > MAX_PROBE_MS) {
      return true;
    }
  }
  return false;
}

function timeOf(expression: RegExp, text: string): number {
  const start = performance.now();
  expression.test(text);
  return performance.now() - start;
}
