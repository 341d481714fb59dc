/**
 * Makes JSON strings in every form in which a text can be written.
 *
 * @module
 */

import fc from "fast-check";

/** A text, and one of its forms inside the quotes. */
export interface JsonString {
  /** What it says. */
  text: string;
  /** How it is written. */
  raw: string;
}

const anyCharacter = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  fc.constantFrom("a", "é", "\u2028", "😀", "👩‍👩‍👧", '"', "\\", "/", "\n", "\u0000", "\ufeff", "]"),
  fc.constantFrom("plain text ", "漢字仮名"),
);

/** Any text of whole characters; each of them raw, by its short escape, or by its number. */
export const anyJsonString: fc.Arbitrary<JsonString> = fc.array(
  fc.tuple(anyCharacter, fc.boolean()),
  { maxLength: 60 },
).map((parts) => ({
  text: parts.map(([character]) => character).join(""),
  raw: parts.map(([character, isEscaped]) => escaped(character, () => isEscaped)).join(""),
}));

/**
 * Writes a text as the inside of a JSON string.
 *
 * @param text The text.
 * @param isEscaped Which of its units are written by their number; others only where they must.
 * @returns The text with its escapes.
 */
export function escaped(text: string, isEscaped: (unit: string) => boolean): string {
  let raw = "";
  for (const character of text) {
    raw += isEscaped(character)
      ? Array.from(
        { length: character.length },
        (_, n) => `\\u${character.charCodeAt(n).toString(16).padStart(4, "0")}`,
      ).join("")
      : JSON.stringify(character).slice(1, -1);
  }
  return raw;
}
