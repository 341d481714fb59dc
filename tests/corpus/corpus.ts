/**
 * The real sessions that tests run on. They are not part of the project: without them, a test is
 * ignored and its name says so.
 *
 * @module
 */

export const CORPUS = Deno.env.get("TRIMTAB_CORPUS") ??
  decodeURIComponent(new URL("../../../shared/corpus", import.meta.url).pathname);

export const names: readonly string[] = sessionNames();

export const ignore = names.length === 0;

export const ignoredNote = ignore ? ` (ignored: no sessions in ${CORPUS})` : "";

export function corpusTest(what: string, fn: () => void | Promise<void>): void {
  Deno.test({ name: `${what}${ignoredNote}`, ignore, fn });
}

/** Returns the objects of a line up to the first broken one; a line has two if a newline is missing. */
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

/**
 * Returns the number of edits by file, including edits by subagents, which the client reports as
 * progress.
 */
// deno-lint-ignore no-explicit-any
export function editedFiles(objects: readonly any[]): Map<string, number> {
  const blocks = objects.flatMap(({ message, data }) => {
    const { content } = message ?? data?.message?.message ?? {};
    return Array.isArray(content) ? content : [];
  });
  const good = new Set(
    blocks.filter(({ type, is_error: isError }) => type === "tool_result" && !isError)
      .map((block) => block.tool_use_id),
  );
  const files = new Map<string, number>();
  const committed = new Set<string>();
  for (const { type, id, name, input } of blocks) {
    if (type !== "tool_use" || !good.has(id)) continue;
    if (typeof input.command === "string") {
      removeDeleted(files, committed, input.command);
      if (/\bgit\b.*\bcommit\b/.test(input.command)) {
        for (const file of files.keys()) committed.add(file);
      }
    }
    if (!/^(?:Multi|Notebook)?Edit$|^Write$/.test(name)) continue;
    const file = input.file_path ?? input.notebook_path;
    files.set(file, (files.get(file) ?? 0) + 1);
  }
  return files;
}

function removeDeleted(
  files: Map<string, number>,
  committed: ReadonlySet<string>,
  command: string,
): void {
  for (const part of command.split(/&&|[;|\n]/)) {
    const [, removed = ""] = /^\s*(?:git\s+)?rm\s+(.*)$/.exec(part) ?? [];
    const [, moved = ""] = /^\s*(?:git\s+)?mv\s+(.*)\s\S+\s*$/.exec(part) ?? [];
    const [, reverted = ""] = /^\s*git\s+(?:checkout|restore)\s+--\s+(.*)$/.exec(part) ?? [];
    for (const word of `${removed} ${moved} ${reverted}`.split(/[\s"']+/)) {
      for (const file of word === "" ? [] : [...files.keys()]) {
        const isKept = reverted.includes(word) && committed.has(file);
        const folder = word.replace(/\/$/, "");
        const matches = file === word || file.endsWith(`/${word}`) ||
          file.startsWith(`${folder}/`) ||
          (folder.includes("/") && file.includes(`/${folder}/`));
        if (matches && !isKept) files.delete(file);
      }
    }
  }
}
