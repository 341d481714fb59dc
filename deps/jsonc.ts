/**
 * JSON with comments and trailing commas: `parse` of `@std/jsonc` under its published name and type.
 *
 * The function comes from the npm package `deno-std`, which is plain JavaScript: without the
 * hand-written `jsonc.d.ts` its result would be an unchecked `any`. To use the original from JSR,
 * change one line of deno.json, `"@std/jsonc": "jsr:@std/jsonc@1"`; no import changes. Then
 * `deno install --frozen=false` and `deno task lock` update the two lock files.
 *
 * @module
 */

// @ts-types="./jsonc.d.ts"
export { type JsonValue, parse } from "deno-std/jsonc/parse.js";
