/**
 * Command-line arguments: `parseArgs` of `@std/cli` under its published name and types.
 *
 * The function comes from the npm package `deno-std`, which is plain JavaScript: without the
 * hand-written `cli.d.ts` every flag would be an unchecked `any`. To use the original from JSR,
 * change one line of deno.json, `"@std/cli": "jsr:@std/cli@1/parse-args"`; no import changes. Then
 * `deno install --frozen=false` and `deno task lock` update the two lock files.
 *
 * @module
 */

// @ts-types="./cli.d.ts"
export { parseArgs } from "deno-std/cli/parse_args.js";
