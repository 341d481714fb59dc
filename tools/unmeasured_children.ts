/** Loaded before each measured test: a Deno child that inherits this variable measures its coverage. */

Deno.env.delete("DENO_COVERAGE_DIR");
