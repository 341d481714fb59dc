/** The ignore files of folders whose files neither git nor a search of the project must see. */

/** Names of both files; outside a repository a search reads only the second. */
export const IGNORE_FILES = { git: ".gitignore", search: ".ignore" } as const;

/** Makes git leave out everything in the folder, this file too. */
export const IGNORE_EVERYTHING = "*\n";

/** Whether the lines of an ignore file leave out everything, with no exception. */
export function ignoresEverything(text: string): boolean {
  const lines = text.split(/\r?\n/);
  return lines.includes("*") && !lines.some((line) => line.startsWith("!"));
}

/** Whether a file's name is that of either. */
export function isIgnoreName(name: string): boolean {
  return name === IGNORE_FILES.git || name === IGNORE_FILES.search;
}
