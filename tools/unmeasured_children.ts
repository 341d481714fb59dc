/**
 * Preloaded by measured tests. A Deno child that inherited this variable would measure its
 * coverage, too.
 */

Deno.env.delete("DENO_COVERAGE_DIR");
