/** Decides which tools' outputs are shaped; in a small file, because the hook asks it for every call. */

import type { LiveConfig } from "../config/schema.ts";

export function isTarget(toolName: string, names: readonly string[]): boolean {
  return names.some((name) => {
    if (!name.includes("*")) return name === toolName;
    const pattern = name.split("*").map((part) => RegExp.escape(part)).join(".*");
    return new RegExp(`^${pattern}$`, "s").test(toolName);
  });
}

/** Length above which error output is shaped; less than for other output, because errors are rarely long. */
export function maxErrorChars({ max_chars: chars }: Pick<LiveConfig, "max_chars">): number {
  return Math.floor(chars / 2);
}
