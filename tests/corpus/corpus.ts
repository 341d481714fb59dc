/**
 * The real sessions that tests run on. They are not part of the project: without them, a test is
 * ignored and its name says so.
 */

export const CORPUS = Deno.env.get("TRIMTAB_CORPUS") ??
  decodeURIComponent(new URL("../../../shared/corpus", import.meta.url).pathname);

export const sessionFiles: readonly string[] = listSessionFiles();

export const isCorpusMissing = sessionFiles.length === 0;

export const ignoredNote = isCorpusMissing ? ` (ignored: no sessions in ${CORPUS})` : "";

export function corpusTest(what: string, fn: () => void | Promise<void>): void {
  Deno.test({ name: `${what}${ignoredNote}`, ignore: isCorpusMissing, fn });
}

/** Returns the objects of a line before the first broken object. A line has two if a newline is missing. */
// deno-lint-ignore no-explicit-any
export function parseLine(line: string): any[] {
  try {
    return line.trim() === "" ? [] : [JSON.parse(line)];
  } catch {
    for (let at = line.indexOf("}{"); at >= 0; at = line.indexOf("}{", at + 1)) {
      const [first] = parseLine(line.slice(0, at + 1));
      if (first !== undefined) return [first, ...parseLine(line.slice(at + 1))];
    }
    return [];
  }
}

function listSessionFiles(): string[] {
  try {
    return [...Deno.readDirSync(CORPUS)].map(({ name }) => name)
      .filter((name) => name.endsWith(".jsonl")).sort();
  } catch {
    return [];
  }
}
