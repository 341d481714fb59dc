/**
 * Whose outputs are shaped. Apart from how, because the hook asks this of every call.
 *
 * @module
 */

/**
 * Tells whether outputs of a tool are to be shaped.
 *
 * Permissions: none.
 *
 * @param toolName The tool.
 * @param names Names of tools; a `*` stands for anything.
 * @returns Whether one of them is its name.
 *
 * @example
 * ```ts
 * import { assert, assertFalse } from "@std/assert";
 * import { isTarget } from "./target.ts";
 *
 * assert(isTarget("mcp__github__list", ["Bash", "mcp__*"]));
 * assertFalse(isTarget("BashOutput", ["Bash"]));
 * ```
 */
export function isTarget(toolName: string, names: readonly string[]): boolean {
  return names.some((name) => {
    if (!name.includes("*")) return name === toolName;
    const pattern = name.split("*").map((part) => RegExp.escape(part)).join(".*");
    return new RegExp(`^${pattern}$`, "s").test(toolName);
  });
}
