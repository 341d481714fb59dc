import { assertEquals } from "@std/assert";
import { nearestName } from "../../src/config/nearest.ts";
import { CONFIG_SPECS } from "../../src/config/schema.ts";

const KEYS = Object.keys(CONFIG_SPECS.context);

Deno.test("nearestName() finds the intended key", () => {
  const rows = [
    ["warn_treshold", "warn_threshold"],
    ["warn-threshold", "warn_threshold"],
    ["warnThreshold", "warn_threshold"],
    ["WARN_THRESHOLD", "warn_threshold"],
    ["warning_threshold", "warn_threshold"],
    ["trim_target_tool", "trim_target_tools"],
    ["trim_threshold", "trim_threshold_chars"],
    ["retention", "retention_days"],
    ["windows_token", "window_tokens"],
    ["retain_days", "retention_days"],
    ["restore_max_char", "restore_max_chars"],
  ] as const;
  for (const [written, meant] of rows) assertEquals(nearestName(written, KEYS), meant, written);
});

Deno.test("nearestName() returns null when no key is similar", () => {
  for (const written of ["", "x", "colour", "worker_guidelines", "y".repeat(5_000)]) {
    assertEquals(nearestName(written, KEYS), null, written);
  }
  assertEquals(nearestName("warn_threshold", []), null);
  assertEquals(["lotex", "latex"].map((written) => nearestName(written, ["label"])), [
    null,
    "label",
  ]);
});
