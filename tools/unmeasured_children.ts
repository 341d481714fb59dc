/**
 * Preloaded by measured tests. A Deno child process that inherits `DENO_COVERAGE_DIR` would also measure its
 * coverage.
 */

Deno.env.delete("DENO_COVERAGE_DIR");
