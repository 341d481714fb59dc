/**
 * Decides which values of a project take effect without trust, because they make trimtab do at most what the
 * user's values allow.
 */

import { CONFIG_SPECS, type ConfigTable, type KeySpec } from "./schema.ts";

export function isNoLouder(table: ConfigTable, key: string, value: unknown, own: unknown): boolean {
  const specs: Readonly<Record<string, KeySpec>> = CONFIG_SPECS[table];
  switch (specs[key]?.quieter) {
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
