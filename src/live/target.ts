/** Decides which tools' outputs are shaped. This file is small, because the hook loads it for every call. */

import type { LiveConfig } from "../config/schema.ts";

export function isTarget(toolName: string, names: readonly string[]): boolean {
  return names.some((name) => {
    if (!name.includes("*")) return name === toolName;
    const pattern = name.split("*").map((part) => RegExp.escape(part)).join(".*");
    return new RegExp(`^${pattern}$`, "s").test(toolName);
  });
}

/** The limit for error output is lower, because errors are rarely long. */
export function maxErrorChars({ max_chars: chars }: Pick<LiveConfig, "max_chars">): number {
  return Math.floor(chars / 2);
}
