/** Ignore files, which hide the files of a folder from git and from searches. */

/** Outside a repository, a search reads only `.ignore`. */
export const IGNORE_FILES = { git: ".gitignore", search: ".ignore" } as const;

export const IGNORE_EVERYTHING = "*\n";

/** Returns false if the file has exceptions, such as `!notes.md`. */
export function ignoresEverything(text: string): boolean {
  const lines = text.split(/\r?\n/);
  return lines.includes("*") && !lines.some((line) => line.startsWith("!"));
}

export function isIgnoreName(name: string): boolean {
  return name === IGNORE_FILES.git || name === IGNORE_FILES.search;
}
