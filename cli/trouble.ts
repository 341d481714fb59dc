/** Says what went wrong, the same for commands and hooks. */

import { adviceOn, reasonOf } from "../src/store/atomic.ts";

/** In place of what Deno says of a registry, which takes many lines and none of them helps. */
const NO_PACKAGES = "This needs packages from npm, which Deno has not got and could not fetch. " +
  "Start a session, or run this, once where the registry can be reached: after that nothing needs " +
  "the network. Hooks never do, nor commands without options such as status, show and rescue";

/** Puts an error into words for a person. */
export function messageOf(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) {
    return `${reasonOf(error)}. ` +
      "trimtab lacks this permission; see docs/reference/permissions.md";
  }
  const words = reasonOf(error);
  if (/npm package|npm registry|registry.*npm|\bnpm:/.test(words)) return NO_PACKAGES;
  const advice = adviceOn(error);
  return advice === null || words.endsWith(advice) ? words : `${words}. ${advice}`;
}
