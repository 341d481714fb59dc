/** Makes excerpts of session text that are safe to store. */

import { boundText } from "./bound.ts";
import { cleanLine, cleanText } from "./clean.ts";
import { redactSecrets } from "../secrets/redact.ts";

/** Maximum number of UTF-16 code units read from a string. The rest is cut. */
const MAX_SCREENED_CHARS = 64 * 1024;

/** Longest credential without a space, in UTF-16 code units. */
const MAX_WORD_CHARS = 4 * 1024;

const ELLIPSIS = "…";

export function excerpt(text: string, maxChars: number): string {
  // Redacts before cutting, because a partial credential would not be recognized.
  const clean = redactSecrets(cleanText(beginningOf(text))).trim();
  return cut(clean, maxChars, text.length > MAX_SCREENED_CHARS);
}

export function excerptLine(text: string, maxChars: number): string {
  const screened = redactSecrets(cleanText(beginningOf(text)));
  return cut(cleanLine(screened), maxChars, text.length > MAX_SCREENED_CHARS);
}

export function inBackquotes(words: string, maxChars: number): string {
  return `\`${excerptLine(words, maxChars).replaceAll("`", "'")}\``;
}

function cut(text: string, maxChars: number, isCut: boolean): string {
  if (text.length <= maxChars && !isCut) return text;
  return boundText(text, maxChars - ELLIPSIS.length).trimEnd() + ELLIPSIS;
}

/** Ends between words, because a partial word could be half a credential. */
function beginningOf(text: string): string {
  if (text.length <= MAX_SCREENED_CHARS) return text;
  let end = MAX_SCREENED_CHARS;
  const min = end - MAX_WORD_CHARS;
  while (end > min && !/\s/.test(text.charAt(end - 1))) end--;
  return boundText(text, end);
}
