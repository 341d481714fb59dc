/** The version of trimtab; equal to those of deno.json and the plugin's manifests. */
export const VERSION = "0.1.0";
