/**
 * Words and numbers of a report, written alike everywhere.
 *
 * @module
 */

import { cleanText } from "../inject/clean.ts";

/**
 * Makes a text safe to stand in HTML, in an attribute too, and takes out what is no text: control
 * characters, terminal sequences and marks that turn the direction of writing.
 *
 * Permissions: none.
 *
 * @param text The text.
 * @returns The text with character references.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { escapeHtml } from "./words.ts";
 *
 * assertEquals(escapeHtml(`<b title="it's">&`), "&lt;b title=&quot;it&#39;s&quot;&gt;&amp;");
 * ```
 */
export function escapeHtml(text: string): string {
  return cleanText(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}

/**
 * Writes a time to the minute.
 *
 * Permissions: none.
 *
 * @param time ISO 8601, or null where nothing tells.
 * @returns Date and time, in UTC; a dash for null.
 */
export function minuteOf(time: string | null): string {
  return time === null ? "–" : time.slice(0, 16).replace("T", " ");
}

/**
 * Writes a share in percent.
 *
 * Permissions: none.
 *
 * @param part The part.
 * @param whole The whole.
 * @returns Whole percent; a dash where there is no whole.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { shareOf } from "./words.ts";
 *
 * assertEquals([shareOf(1, 3), shareOf(1, 1000), shareOf(1, 0)], ["33%", "<1%", "–"]);
 * ```
 */
export function shareOf(part: number, whole: number): string {
  if (!(whole > 0)) return "–";
  return part > 0 && part / whole < 0.005 ? "<1%" : `${Math.round((part / whole) * 100)}%`;
}

/**
 * Names a session briefly.
 *
 * Permissions: none.
 *
 * @param id Its id.
 * @returns The first 8 characters of it.
 */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
