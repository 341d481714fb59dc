/** Says what went wrong, the same for commands and hooks. */

import { adviceOn, reasonOf } from "../src/store/atomic.ts";

/** In place of what Deno says of a registry, which takes many lines and none of them helps. */
const NO_PACKAGES = "This needs packages from npm, which Deno has not got and could not fetch. " +
  "Start a session, or run this, once where the registry can be reached: after that nothing needs " +
  "the network. Hooks never do, nor commands without options such as status, show and rescue";

/** A proxy that reads what it passes on signs with an authority of its own. */
const UNKNOWN_ISSUER =
  "Deno could not fetch packages from npm: it does not know who signed the registry's certificate. " +
  "Behind a proxy with certificates of its own, set DENO_TLS_CA_STORE=system, or DENO_CERT to the file";

/** Puts an error into words for a person. */
export function messageOf(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) {
    return `${reasonOf(error)}. ` +
      "trimtab lacks this permission; see docs/reference/permissions.md";
  }
  const words = reasonOf(error);
  if (/invalid peer certificate/.test(words)) return UNKNOWN_ISSUER;
  if (/npm package|npm registry|registry.*npm|\bnpm:/.test(words)) return NO_PACKAGES;
  const advice = adviceOn(error);
  return advice === null || words.endsWith(advice) ? words : `${words}. ${advice}`;
}
