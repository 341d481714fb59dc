/** Whose outputs are shaped. Apart from how, because the hook asks this of every call. */

export function isTarget(toolName: string, names: readonly string[]): boolean {
  return names.some((name) => {
    if (!name.includes("*")) return name === toolName;
    const pattern = name.split("*").map((part) => RegExp.escape(part)).join(".*");
    return new RegExp(`^${pattern}$`, "s").test(toolName);
  });
}
