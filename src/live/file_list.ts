/** Shapes lists of files: keeps the first files of each folder and counts the others. */

import { cutPath, foldGroups } from "./groups.ts";
import { NEWLINE } from "./marks.ts";

/** Matches a path, with or without a git status before it, such as `M src/a.ts` or `deleted: src/a.ts`. */
const ENTRY =
  /^\s*(?:(?:create|delete) mode \d+ |[MADRCU?!]{1,2}\s+|(?:modified|new file|deleted|renamed|typechange):\s+|[-+] )?((?:[A-Za-z]:[\\/])?[^\s:]*[/.][^\s:]*(?: [^\s:/]+)*?)\/?$/;

/** Longest line that counts as a path, in UTF-16 code units. */
const MAX_PATH = 1_000;

const MIN_PATH_SHARE = 0.9;

const MIN_ENTRIES = 12;

export function shapeFileList(text: string, maxChars: number): string {
  const lines = text.split(NEWLINE);
  const paths = lines.map((line) => line.length > MAX_PATH ? null : ENTRY.exec(line)?.[1] ?? null);
  const filled = lines.filter((line) => line.trim() !== "").length;
  const known = paths.filter((path) => path !== null).length;
  if (known < MIN_ENTRIES || known < filled * MIN_PATH_SHARE) return text;
  const keyOf = (index: number, depth: number): string | null => {
    const path = paths[index] ?? null;
    if (path === null) return null;
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    const key = cutPath(folder, depth);
    return key === "" ? "./" : key;
  };
  return foldGroups(lines, { keyOf, what: "more files", maxChars });
}
