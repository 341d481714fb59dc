import { assert, assertEquals, assertFalse } from "@std/assert";
import {
  CONFIG_SPECS,
  configOf,
  type ContextConfig,
  DEFAULT_CONFIG,
  expectationOf,
  fitsSpec,
} from "../../src/config/schema.ts";

Deno.test("DEFAULT_CONFIG has the documented defaults", () => {
  assertEquals(DEFAULT_CONFIG, {
    context: {
      warn_threshold: 60,
      recommend_threshold: 75,
      urgent_threshold: 85,
      auto_compact_threshold: 80,
      check_interval_seconds: 60,
      trim_threshold_chars: 500,
      trim_target_tools: ["Read", "Bash", "Grep", "Glob"],
      trim_keep_recent: 5,
      window_tokens: null,
      retention_days: 7,
      kept_days: 365,
      restore_max_chars: 9000,
      restore_on: ["compact", "clear"],
    },
    live: {
      enabled: false,
      max_chars: 20_000,
      tools: ["Bash", "Grep", "Glob", "WebFetch", "mcp__*"],
      protect: [],
    },
    inside: {
      before_compaction: "auto",
      compact_after_trim_percent: 50,
      trim_at_percent: null,
      trim_when_cold: false,
      model_may_trim: true,
    },
  });
});

Deno.test("fitsSpec() checks both ends of each number's range", () => {
  const ranges: readonly (readonly [keyof ContextConfig, number, number])[] = [
    ["warn_threshold", 0, 100],
    ["recommend_threshold", 0, 100],
    ["urgent_threshold", 0, 100],
    ["auto_compact_threshold", 0, 100],
    ["check_interval_seconds", 0, 86_400],
    ["trim_threshold_chars", 0, 10_000_000],
    ["trim_keep_recent", 0, 1_000_000],
    ["window_tokens", 1_000, 100_000_000],
    ["retention_days", 1, 36_500],
    ["restore_max_chars", 500, 9_500],
  ];
  for (const [key, min, max] of ranges) {
    const spec = CONFIG_SPECS.context[key];
    assert(fitsSpec(spec, min), `${key} at ${min}`);
    assert(fitsSpec(spec, max), `${key} at ${max}`);
    assertFalse(fitsSpec(spec, min - 1), `${key} under ${min}`);
    assertFalse(fitsSpec(spec, max + 1), `${key} over ${max}`);
    for (const bad of [min + 0.5, NaN, Infinity, String(min), true, null, [min], {}, undefined]) {
      assertFalse(fitsSpec(spec, bad), `${key} with ${String(bad)}`);
    }
    assertEquals(expectationOf(spec), `a whole number from ${min} to ${max}`);
  }
});

Deno.test("fitsSpec() accepts lists of one-line words, and known session starts", () => {
  const toolsSpec = CONFIG_SPECS.context.trim_target_tools;
  for (const good of [[], ["Read"], ["mcp__*", "日本"], ["x".repeat(500)], Array(200).fill("a")]) {
    assert(fitsSpec(toolsSpec, good), JSON.stringify(good).slice(0, 80));
  }
  const bad = ["Read", [""], [1], [null], [["a"]], ["a\nb"], ["\ud800"], ["x".repeat(501)], {}];
  for (const value of [...bad, Array(201).fill("a")]) {
    assertFalse(fitsSpec(toolsSpec, value), JSON.stringify(value).slice(0, 80));
  }
  const restoreOn = CONFIG_SPECS.context.restore_on;
  assert(fitsSpec(restoreOn, []));
  assert(fitsSpec(restoreOn, ["startup", "resume", "clear", "compact", "fork"]));
  for (const value of [["Compact"], ["start"], "compact", [1]]) {
    assertFalse(fitsSpec(restoreOn, value));
  }
});

Deno.test("configOf() skips values that do not fit, and inherited members", () => {
  const config = configOf({
    context: { warn_threshold: "50", urgent_threshold: 95, unknown: 1, trim_target_tools: [] },
    live: { enabled: 1, max_chars: 700 },
  });
  assertEquals(config.context, {
    ...DEFAULT_CONFIG.context,
    urgent_threshold: 95,
    trim_target_tools: [],
  });
  assertEquals(config.live, { ...DEFAULT_CONFIG.live, max_chars: 700 });
  assertEquals(configOf({ context: Object.create({ warn_threshold: 1 }), live: {} }), {
    ...DEFAULT_CONFIG,
  });
});

Deno.test("configOf() resets all three thresholds when they are out of order", () => {
  const { context } = configOf({
    context: { warn_threshold: 90, urgent_threshold: 95, trim_keep_recent: 0 },
    live: {},
  });
  assertEquals(context, { ...DEFAULT_CONFIG.context, trim_keep_recent: 0 });
});

Deno.test("fitsSpec() accepts only the named values of a choice", () => {
  const spec = { kind: "choice", of: ["trim", "save"], value: "trim" } as const;
  for (const value of ["trim", "save"]) assert(fitsSpec({ ...spec, help: "" } as never, value));
  for (const value of ["Trim", "", 1, null, ["trim"]]) {
    assertFalse(fitsSpec({ ...spec, help: "" } as never, value));
  }
});
