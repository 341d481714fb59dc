/** Selects the lines of an output that contain names which the session looks for. */

import { eachName, namesIn } from "../core/names.ts";
import { redactSecrets } from "../secrets/redact.ts";

const MAX_OUTPUT_CHARS = 64 * 1024;

/** Matches the number that the client puts before each line of a file. */
const LINE_NUMBER = /^\s*(\d+)(?:→|\t)\s*/;

/** Matches lines that only say that a test starts or passed. */
const TEST_PROGRESS = /^\s*(?:=== \w+|--- PASS)/;

/** Returns the names in a request and in the patterns of the searches for it. */
export function wantedNames(texts: readonly string[]): ReadonlySet<string> {
  return namesIn(texts.join("\n"));
}

/** Returns the first lines of an output that contain a wanted name, each with its number in a file. */
export function linesNaming(
  output: string,
  wanted: ReadonlySet<string>,
  maxLines: number,
): string[] {
  if (wanted.size === 0) return [];
  // Redacts before splitting, because a credential can span lines.
  return redactSecrets(output.slice(0, MAX_OUTPUT_CHARS)).split("\n")
    .filter((line) => !TEST_PROGRESS.test(line) && namesAny(line, wanted))
    .slice(0, maxLines)
    .map((line) => line.replace(LINE_NUMBER, "$1: ").trim());
}

export function namesAny(line: string, wanted: ReadonlySet<string>): boolean {
  let isNamed = false;
  eachName(line, (name) => isNamed ||= wanted.has(name));
  return isNamed;
}
