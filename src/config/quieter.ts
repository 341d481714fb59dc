/**
 * Decides which values of a project take effect without trust, because they make trimtab do at most what the
 * user's values allow.
 */

import { CONFIG_SPECS, type ConfigTable, type KeySpec } from "./schema.ts";

export function isNoLouder(
  table: ConfigTable,
  key: string,
  value: unknown,
  userValue: unknown,
): boolean {
  const specs: Readonly<Record<string, KeySpec>> = CONFIG_SPECS[table];
  switch (specs[key]?.quieter) {
    case "higher":
      return typeof value === "number" && typeof userValue === "number" && value >= userValue;
    case "lower":
      return typeof value === "number" && typeof userValue === "number" && value <= userValue;
    case "fewer":
      return isSubset(value, userValue);
    case "more":
      return isSubset(userValue, value);
    case "off":
      return value === false || value === userValue;
    case "save":
      return value === "save" || value === userValue || (value === "auto" && userValue === "trim");
    default:
      return false;
  }
}

function isSubset(items: unknown, all: unknown): boolean {
  return Array.isArray(items) && Array.isArray(all) && items.every((item) => all.includes(item));
}
