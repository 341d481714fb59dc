import { assert, assertEquals, assertFalse } from "@std/assert";
import { expectedOf } from "../../src/config/describe.ts";
import {
  CONFIG_SPECS,
  configOf,
  type ContextConfig,
  DEFAULT_CONFIG,
  type KeySpec,
} from "../../src/config/schema.ts";

Deno.test("CONFIG_SPECS checks both ends of each number's range", () => {
  const ranges: readonly (readonly [keyof ContextConfig, number, number])[] = [
    ["warn_threshold", 0, 100],
    ["check_interval_seconds", 0, 86_400],
    ["trim_threshold_chars", 0, 10_000_000],
    ["trim_keep_recent", 0, 1_000_000],
    ["window_tokens", 1_000, 100_000_000],
    ["retention_days", 1, 36_500],
    ["restore_max_chars", 500, 9_500],
  ];
  for (const [key, min, max] of ranges) {
    const spec = CONFIG_SPECS.context[key];
    for (const good of [min, max]) assert(spec.fits(good), `${key} at ${good}`);
    for (const bad of [min - 1, max + 1]) assertFalse(spec.fits(bad), `${key} at ${bad}`);
    for (const bad of [min + 0.5, NaN, Infinity, String(min), true, null, [min], {}, undefined]) {
      assertFalse(spec.fits(bad), `${key} with ${String(bad)}`);
    }
    assertEquals(expectedOf(key, spec), `a whole number from ${min} to ${max}`);
  }
});

Deno.test("CONFIG_SPECS accepts only single-line names in a list, and only listed values for a choice", () => {
  const tools = CONFIG_SPECS.context.trim_target_tools;
  for (const good of [[], ["mcp__*", "日本"], ["x".repeat(500)], Array(200).fill("a")]) {
    assert(tools.fits(good), JSON.stringify(good).slice(0, 80));
  }
  const bad = ["Read", [""], [1], [null], [["a"]], ["a\nb"], ["\ud800"], ["x".repeat(501)], {}];
  for (const value of [...bad, Array(201).fill("a")]) {
    assertFalse(tools.fits(value), JSON.stringify(value).slice(0, 80));
  }
  const restoreOn = CONFIG_SPECS.context.restore_on;
  for (const good of [[], ["startup", "resume", "clear", "compact", "fork"]]) {
    assert(restoreOn.fits(good));
  }
  for (const bad of [["Compact"], "compact", [1]]) assertFalse(restoreOn.fits(bad));
  const { before_compaction: action } = CONFIG_SPECS.inside;
  assert(["auto", "trim", "save"].every((value) => action.fits(value)));
  for (const bad of ["Trim", "", 1, null, ["trim"]]) assertFalse(action.fits(bad));
});

Deno.test("configOf() resets all three thresholds when they are out of order", () => {
  const { context } = configOf({
    context: { warn_threshold: 90, urgent_threshold: 95, trim_keep_recent: 0 },
    live: {},
  });
  assertEquals(context, { ...DEFAULT_CONFIG.context, trim_keep_recent: 0 });
});

type Case = readonly [
  spec: KeySpec,
  userValue: unknown,
  quiet: readonly unknown[],
  loud: readonly unknown[],
];

const { live, inside } = CONFIG_SPECS;

const CASES: readonly Case[] = [
  [live.max_chars, 100, [100, 101], [99]],
  [live.max_chars, null, [], [100]],
  [inside.compact_after_trim_percent, 50, [50, 49], [51]],
  [inside.compact_after_trim_percent, "50", [], [49]],
  [live.tools, ["Bash", "Grep"], [["Grep"], [], ["Grep", "Bash"]], [["Read"], "Bash", null]],
  [live.tools, "Bash", [], [["Bash"]]],
  [live.protect, ["a"], [["a"], ["b", "a"]], [[], ["b"], "a"]],
  [live.enabled, false, [false], [true]],
  [live.enabled, true, [false, true], ["yes"]],
  [inside.before_compaction, "save", ["save"], ["auto", "trim"]],
  [inside.before_compaction, "auto", ["save", "auto"], ["trim"]],
  [inside.before_compaction, "trim", ["save", "auto", "trim"], ["other"]],
];

Deno.test("KeySpec.needsNoTrust() is true for a project's value that has no more effect than the user's value", () => {
  for (const [index, [spec, userValue, quiet, loud]] of CASES.entries()) {
    for (const [values, expected] of [[quiet, true], [loud, false]] as const) {
      for (const value of values) {
        const name = `case ${index}: ${JSON.stringify(value)} over ${JSON.stringify(userValue)}`;
        assertEquals(spec.needsNoTrust(value, userValue), expected, name);
      }
    }
  }
});
