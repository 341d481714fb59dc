/** Generates strings of any characters. */

import fc from "fast-check";

/** UTF-16 reserves these code points for surrogates, so no text contains them as characters. */
const SURROGATES = { first: 0xd800, count: 0x800 };

const CODE_POINT = fc.integer({ min: 0, max: 0x10ffff - SURROGATES.count }).map(
  (n) => String.fromCodePoint(n < SURROGATES.first ? n : n + SURROGATES.count),
  indexOf,
);

/**
 * Inverts the mapping of `CODE_POINT`: returns the number that it maps to a character.
 *
 * @throws {TypeError} When the value is not a single character; fast-check catches this.
 */
function indexOf(value: unknown): number {
  const code = typeof value === "string" ? value.codePointAt(0) ?? -1 : -1;
  if (code < 0 || String.fromCodePoint(code) !== value) throw new TypeError("not one character");
  return code < SURROGATES.first ? code : code - SURROGATES.count;
}

/**
 * Generates the same strings as `fc.string({ unit: "binary" })`, which fast-check prepares for about 3 seconds
 * in each test file.
 */
export function anyCharacters(
  lengths: Omit<fc.StringConstraints, "unit"> = {},
): fc.Arbitrary<string> {
  return fc.string({ ...lengths, unit: CODE_POINT });
}
