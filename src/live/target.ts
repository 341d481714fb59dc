/** Whose outputs are shaped. Apart from how, because the hook asks this of every call. */

import type { LiveConfig } from "../config/schema.ts";

export function isTarget(toolName: string, names: readonly string[]): boolean {
  return names.some((name) => {
    if (!name.includes("*")) return name === toolName;
    const pattern = name.split("*").map((part) => RegExp.escape(part)).join(".*");
    return new RegExp(`^${pattern}$`, "s").test(toolName);
  });
}

/** Characters of error output above which it is shaped: less than of other output, for it is rarely long. */
export function maxErrorChars({ max_chars: chars }: Pick<LiveConfig, "max_chars">): number {
  return Math.floor(chars / 2);
}
