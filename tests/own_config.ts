/**
 * Sets a configuration folder for tests, so that no test uses the user's own key. trimtab marks each save with
 * a key from this folder. Import this module for its side effect.
 *
 * All tests share one folder, because tests that run at the same time share one environment.
 */

// A child process without permission for the environment cannot set the variable.
if (Deno.permissions.querySync({ name: "env" }).state === "granted") {
  Deno.env.set("CLAUDE_CONFIG_DIR", new URL("../.cache/test-config", import.meta.url).pathname);
}
