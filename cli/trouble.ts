/**
 * Says what went wrong, the same for commands and hooks.
 *
 * @module
 */

import { adviceOn, reasonOf } from "../src/store/atomic.ts";

/**
 * Puts an error into words for a person.
 *
 * @param error What was thrown.
 * @returns One sentence or two. A missing permission is said to be one, without Deno's advice to
 * grant more than trimtab needs; of a full disk and its like it is said what can be done.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { messageOf } from "./trouble.ts";
 *
 * assertEquals(messageOf(new RangeError("Cannot trim: over the limit")), "Cannot trim: over the limit");
 * ```
 */
export function messageOf(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) {
    return `${reasonOf(error)}. ` +
      "trimtab may only touch what the table of permissions in README.md names";
  }
  const words = reasonOf(error);
  const advice = adviceOn(error);
  return advice === null || words.endsWith(advice) ? words : `${words}. ${advice}`;
}
