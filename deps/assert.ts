/**
 * Assertions for tests: `@std/assert` under its published names and types.
 *
 * The functions come from the npm package `deno-std`, which is plain JavaScript: without the
 * hand-written `assert.d.ts` every call would be an unchecked `any`. To use the original from JSR,
 * change one line of deno.json, `"@std/assert": "jsr:@std/assert@1"`; no import changes. Then
 * `deno install --frozen=false` and `deno task lock` update the two lock files.
 *
 * @module
 */

// @ts-types="./assert.d.ts"
export {
  assert,
  assertAlmostEquals,
  assertArrayIncludes,
  assertEquals,
  assertExists,
  assertFalse,
  assertGreater,
  assertGreaterOrEqual,
  assertInstanceOf,
  AssertionError,
  assertIsError,
  assertLess,
  assertLessOrEqual,
  assertMatch,
  assertNotEquals,
  assertNotInstanceOf,
  assertNotMatch,
  assertNotStrictEquals,
  assertObjectMatch,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
  equal,
  fail,
  unimplemented,
  unreachable,
} from "deno-std/assert/mod.js";
