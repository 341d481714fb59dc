/**
 * Preloaded by measured tests. A Deno child that inherited `DENO_COVERAGE_DIR` would measure its
 * coverage, too.
 */

Deno.env.delete("DENO_COVERAGE_DIR");
