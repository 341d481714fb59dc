/**
 * Colours for a terminal: the functions of `@std/fmt/colors` that trimtab uses, under their names and types.
 *
 * The functions come from the npm package `deno-std`, which is plain JavaScript: without the
 * hand-written `colors.d.ts` every call would be an unchecked `any`. They do nothing under
 * `NO_COLOR`. To use the original from JSR, change one line of deno.json,
 * `"@std/fmt/colors": "jsr:@std/fmt@1/colors"`; no import changes. Then
 * `deno install --frozen=false` and `deno task lock` renew the two lock files.
 *
 * @module
 */

// @ts-types="./colors.d.ts"
export {
  bold,
  cyan,
  dim,
  getColorEnabled,
  green,
  red,
  setColorEnabled,
  stripAnsiCode,
  yellow,
} from "deno-std/fmt/colors.js";
