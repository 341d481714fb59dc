/** The ignore files of folders whose files must be hidden from git and from searches. */

/** Names of both files; outside a repository a search reads only the second. */
export const IGNORE_FILES = { git: ".gitignore", search: ".ignore" } as const;

/** Ignores everything in the folder, including the ignore file. */
export const IGNORE_EVERYTHING = "*\n";

/** Whether an ignore file ignores everything, without exceptions. */
export function ignoresEverything(text: string): boolean {
  const lines = text.split(/\r?\n/);
  return lines.includes("*") && !lines.some((line) => line.startsWith("!"));
}

/** Whether a file name is that of an ignore file. */
export function isIgnoreName(name: string): boolean {
  return name === IGNORE_FILES.git || name === IGNORE_FILES.search;
}
