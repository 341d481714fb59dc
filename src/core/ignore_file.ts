/** The `.gitignore` of folders whose files git must not see. */

/** Makes git leave out everything in the folder, this file too. */
export const IGNORE_EVERYTHING = "*\n";

/** Whether the lines of an ignore file leave out everything, with no exception. */
export function ignoresEverything(text: string): boolean {
  const lines = text.split(/\r?\n/);
  return lines.includes("*") && !lines.some((line) => line.startsWith("!"));
}
