/**
 * Decides which values of a project need no trust, because they make trimtab do no more than the user's
 * values.
 */

import type { ConfigTable, ContextConfig, InsideConfig, LiveConfig } from "./schema.ts";

/** The direction in which a value makes trimtab do less. */
type Quieter = "higher" | "lower" | "fewer" | "more" | "off" | "save";

const QUIETER: {
  readonly context: Readonly<Record<keyof ContextConfig, Quieter>>;
  readonly live: Readonly<Record<keyof LiveConfig, Quieter>>;
  readonly inside: Readonly<Record<keyof InsideConfig, Quieter>>;
} = {
  context: {
    warn_threshold: "higher",
    recommend_threshold: "higher",
    urgent_threshold: "higher",
    auto_compact_threshold: "higher",
    check_interval_seconds: "higher",
    trim_threshold_chars: "higher",
    trim_target_tools: "fewer",
    trim_keep_recent: "higher",
    window_tokens: "higher",
    retention_days: "lower",
    kept_days: "higher",
    restore_max_chars: "lower",
    restore_on: "fewer",
  },
  live: {
    enabled: "off",
    max_chars: "higher",
    tools: "fewer",
    protect: "more",
  },
  inside: {
    before_compaction: "save",
    compact_after_trim_percent: "lower",
    trim_at_percent: "higher",
    trim_when_cold: "off",
    model_may_trim: "off",
  },
};

export function isNoLouder(table: ConfigTable, key: string, value: unknown, own: unknown): boolean {
  const directions: Readonly<Record<string, Quieter>> = QUIETER[table];
  switch (directions[key]) {
    case "higher":
      return typeof value === "number" && typeof own === "number" && value >= own;
    case "lower":
      return typeof value === "number" && typeof own === "number" && value <= own;
    case "fewer":
      return isPart(value, own);
    case "more":
      return isPart(own, value);
    case "off":
      return value === false || value === own;
    case "save":
      return value === "save" || value === own || (value === "auto" && own === "trim");
    default:
      return false;
  }
}

function isPart(some: unknown, all: unknown): boolean {
  return Array.isArray(some) && Array.isArray(all) && some.every((one) => all.includes(one));
}
