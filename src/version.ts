/** The version of trimtab; the same as in deno.json and the plugin's manifests. */
export const VERSION = "0.1.0";

/** The oldest Claude Code that loads modules, which a trim of a running session needs. */
export const MIN_INSIDE_CLIENT_VERSION = "2.1.287";
