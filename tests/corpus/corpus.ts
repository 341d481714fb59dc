/**
 * The real sessions that tests are held against. They are no part of the project: a test that finds
 * none says so in its name.
 *
 * @module
 */

/** Where the sessions are. */
export const CORPUS = Deno.env.get("TRIMTAB_CORPUS") ??
  decodeURIComponent(new URL("../../../shared/corpus", import.meta.url).pathname);

/** The files of the sessions, by name. */
export const names: readonly string[] = sessionNames();

/** Whether the corpus has no sessions. */
export const ignore = names.length === 0;

/** Appended to the name of an ignored test. */
export const unless = ignore ? ` (ignored: no sessions in ${CORPUS})` : "";

/** A test over the sessions; ignored if there are none. */
export function corpusTest(what: string, fn: () => void | Promise<void>): void {
  Deno.test({ name: `${what}${unless}`, ignore, fn });
}

/** The objects of a line, up to the first that is broken: two where a newline was left out. */
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

function sessionNames(): string[] {
  try {
    return [...Deno.readDirSync(CORPUS)].map(({ name }) => name)
      .filter((name) => name.endsWith(".jsonl")).sort();
  } catch {
    return [];
  }
}

/** Takes out what a command deleted: it is no file that the work left. */
export function forgetDeleted(files: Map<string, number>, command: unknown): void {
  if (typeof command !== "string") return;
  for (const part of command.split(/&&|[;|\n]/)) {
    const [, names = ""] = /^\s*(?:git\s+)?rm\s+(.*)$/.exec(part) ?? [];
    for (const word of names.split(/[\s"']+/).filter((word) => word !== "")) {
      for (const file of [...files.keys()]) {
        if (file === word || file.endsWith(`/${word}`)) files.delete(file);
      }
    }
  }
}
