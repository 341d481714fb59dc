/** The version of trimtab; the same as in deno.json and the plugin's manifests. */
export const VERSION = "0.1.0";
