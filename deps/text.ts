/**
 * The nearest word to a misspelt one: `closestString` of `@std/text` under its published name and type.
 *
 * The function comes from the npm package `deno-std`, which is plain JavaScript: without the
 * hand-written `text.d.ts` its result would be an unchecked `any`. To use the original from JSR,
 * change one line of deno.json, `"@std/text": "jsr:@std/text@1"`; no import changes. Then
 * `deno install --frozen=false` and `deno task lock` renew the two lock files.
 *
 * @module
 */

// @ts-types="./text.d.ts"
export { closestString, type ClosestStringOptions } from "deno-std/text/closest_string.js";
