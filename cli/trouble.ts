/**
 * Says what went wrong, the same for commands and hooks.
 *
 * @module
 */

import { adviceOn, reasonOf } from "../src/store/atomic.ts";

/** Puts an error into words for a person. */
export function messageOf(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) {
    return `${reasonOf(error)}. ` +
      "trimtab may only touch what the table of permissions in README.md names";
  }
  const words = reasonOf(error);
  const advice = adviceOn(error);
  return advice === null || words.endsWith(advice) ? words : `${words}. ${advice}`;
}
