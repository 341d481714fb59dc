import { adviceOn, reasonOf } from "../src/store/atomic.ts";

/** Replaces Deno's long message about npm packages that it could not fetch. */
const NO_PACKAGES = "This needs npm packages that are not cached and could not be fetched. " +
  "Run this command once while the registry is reachable; later runs need no network";

/** Shown if Deno rejects the registry's certificate, usually behind a proxy with its own certificates. */
const UNKNOWN_ISSUER =
  "Deno could not fetch packages from npm: it does not trust the signer of the registry's certificate. " +
  "Behind a proxy with its own certificates, set DENO_TLS_CA_STORE=system, or DENO_CERT to the certificate file";

const NO_SPACE = /\(os error 28\)|no space left/i;

const FULL_CACHE = "Deno could not save npm packages in its cache: no space is left on the disk. " +
  "Free disk space, or set DENO_DIR to a folder on another disk";

/** Matches Deno's message for a failed system call, such as `Not found (os error 2): open '/a/b'`. */
const CALL = /^(.+ \(os error \d+\)): (open|mkdir|remove) '([^']+)'$/;

const VERBS: Record<string, string> = { open: "open", mkdir: "make the folder", remove: "delete" };

export function errorMessage(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) {
    return `${reasonOf(error)}. ` +
      "trimtab lacks this permission; see docs/reference/permissions.md";
  }
  const message = reasonOf(error).replace(
    CALL,
    (_, why, call, path) => `Cannot ${VERBS[call]} ${JSON.stringify(path)}: ${why}`,
  );
  if (/invalid peer certificate/.test(message)) return UNKNOWN_ISSUER;
  if (/npm package|npm registry|registry.*npm|\bnpm:/.test(message)) {
    return NO_SPACE.test(message) ? FULL_CACHE : NO_PACKAGES;
  }
  const advice = adviceOn(error);
  return advice === null || message.endsWith(advice) ? message : `${message}. ${advice}`;
}
