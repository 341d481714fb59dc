/**
 * TOML: `parse` and `stringify` of `@std/toml` under their published names and types.
 *
 * The functions come from the npm package `deno-std`, which is plain JavaScript: without the
 * hand-written `toml.d.ts` a parsed file would be an unchecked `any`. To use the original from JSR,
 * change one line of deno.json, `"@std/toml": "jsr:@std/toml@1"`; no import changes. Then
 * `deno install --frozen=false` and `deno task lock` update the two lock files.
 *
 * @module
 */

// @ts-types="./toml.d.ts"
export { parse } from "deno-std/toml/parse.js";
// @ts-types="./toml.d.ts"
export { type FormatOptions, stringify } from "deno-std/toml/stringify.js";
