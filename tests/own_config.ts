/**
 * A configuration folder for tests: what a test saves is marked with a key that is kept there, and
 * never with the user's own. Import it for its effect.
 *
 * One for all, because tests that run side by side share one environment.
 *
 * @module
 */

// A child with just some permissions has a folder of its own, or none.
if (Deno.permissions.querySync({ name: "env" }).state === "granted") {
  Deno.env.set("CLAUDE_CONFIG_DIR", new URL("../.cache/test-config", import.meta.url).pathname);
}
