/**
 * Where the permissions of scripts and hooks are written down, and what each place says.
 *
 * - README.md has a table with rows `` | `scripts/x.ts` | `--allow-read` | why | `` (the second
 *   cell may be empty); it is what a person reads before trusting a command.
 * - The launcher has a shell `case` with lines `  status) perms='--allow-read' ;;`, with `a|b)` for
 *   commands that share a line, and `  'hook stop') perms='' ;;` for hooks. The file of a command or
 *   a hook has its name with `_` for `-`. `CONFIG` and `PROJECT` stand for folders.
 * - hooks.json has commands that call the launcher with `hook NAME`.
 * - A script may have a shebang line `#!/usr/bin/env -S deno run ...`.
 *
 * @module
 */

/** Permission flags by path of script or hook, in the order in which they are written. */
export type Permissions = ReadonlyMap<string, readonly string[]>;

const ROW = /^\|\s*`((?:scripts|hooks)\/[\w-]+\.ts)`\s*\|\s*(?:`([^`]*)`)?\s*\|[^|]*\S[^|]*\|\s*$/;
const CASE =
  /^\s*((?:[a-z][a-z-]*|'hook [a-z][a-z-]*')(?:\s*\|\s*[a-z][a-z-]*)*)\)\s*perms='([^']*)'\s*;;\s*(?:#.*)?$/;
const LAUNCHED = /^sh "\$\{CLAUDE_PLUGIN_ROOT\}\/bin\/trimtab" hook ([a-z][a-z-]*)$/;
const FLAG = /^--(?:allow|deny)-[a-z]+(?:=\S+)?$/;

/**
 * Reads the table of permissions in README.md.
 *
 * @param text The page.
 * @returns The rows.
 * @throws {SyntaxError} When there is no table, a row stands twice, or a cell holds no flags.
 */
export function readmePermissions(text: string): Permissions {
  const found = new Map<string, readonly string[]>();
  for (const line of text.split(/\r?\n/)) {
    const row = ROW.exec(line);
    if (row?.[1] === undefined) continue;
    addOnce(found, row[1], flagsOf(row[2] ?? "", row[1]));
  }
  if (found.size === 0) {
    throw new SyntaxError(
      "Cannot read permissions in README.md: no row like | `scripts/x.ts` | `--allow-read` | why |",
    );
  }
  return found;
}

/**
 * Reads the `case` of the launcher.
 *
 * @param text The shell script.
 * @returns The permissions by the path of each command's script.
 * @throws {SyntaxError} When there is no such line, a command stands twice, or has no flags.
 */
export function launcherPermissions(text: string): Permissions {
  const found = new Map<string, readonly string[]>();
  for (const line of text.split(/\r?\n/)) {
    const match = CASE.exec(line);
    if (match?.[1] === undefined) continue;
    for (const command of match[1].split("|")) {
      const [, hook] = /^'hook (.*)'$/.exec(command.trim()) ?? [];
      const name = (hook ?? command.trim()).replaceAll("-", "_");
      const path = `${hook === undefined ? "scripts" : "hooks"}/${name}.ts`;
      addOnce(found, path, flagsOf(match[2] ?? "", path));
    }
  }
  if (found.size === 0) {
    throw new SyntaxError("Cannot read permissions in launcher: no line like status) perms='' ;;");
  }
  return found;
}

/**
 * Reads the commands of hooks.json.
 *
 * @param text The file.
 * @returns The paths of the hooks that they start; a hook may stand there several times.
 * @throws {SyntaxError} When a command does not call the launcher in quotes.
 */
export function hooksStarted(text: string): Set<string> {
  const found = new Set<string>();
  for (const command of commandsIn(JSON.parse(text))) {
    const name = LAUNCHED.exec(command)?.[1];
    if (name === undefined) {
      throw new SyntaxError(`Cannot read hooks.json: ${command} does not call the launcher`);
    }
    found.add(`hooks/${name.replaceAll("-", "_")}.ts`);
  }
  return found;
}

/**
 * Puts folders in the place of what stands for them.
 *
 * @param flags Permission flags.
 * @param folders What `CONFIG`, `PROJECT` and `OUTPUT` stand for; without an output its place goes.
 * @returns The flags as Deno takes them.
 */
export function withFolders(
  flags: readonly string[],
  folders: { config: string; project: string; output?: string },
): string[] {
  const output = folders.output === undefined ? "" : `,${folders.output}`;
  return flags.map((flag) =>
    flag.replaceAll(",OUTPUT", output).replaceAll(/(?<=[=,])CONFIG/g, folders.config)
      .replaceAll(/(?<=[=,])PROJECT/g, folders.project)
  );
}

/**
 * Adds up what several entry points need, for one program that does the work of all of them. Folders
 * are known only when it runs, so a permission that is limited to some becomes one for all.
 *
 * @param rows The flags of each.
 * @returns One flag for each permission, the values in order of the alphabet.
 */
export function unionOfPermissions(rows: Iterable<readonly string[]>): string[] {
  const union = new Map<string, Set<string> | "all">();
  for (const flag of [...rows].flat()) {
    const [name = flag, values] = flag.split("=", 2);
    const isForAll = values === undefined || /(?:^|,)(?:CONFIG|PROJECT|OUTPUT)/.test(values);
    const known = union.get(name);
    if (isForAll || known === "all") union.set(name, "all");
    else union.set(name, new Set([...(known ?? []), ...values.split(",")]));
  }
  return [...union].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([name, values]) => values === "all" ? name : `${name}=${[...values].sort().join(",")}`);
}

/**
 * Reads the shebang line of a script.
 *
 * @param text The script.
 * @returns Its flags, or nothing when it has no such line.
 */
export function shebangPermissions(text: string): readonly string[] | undefined {
  const line = /^#!.*\bdeno run\b(.*)$/m.exec(text.split("\n", 1)[0] ?? "")?.[1];
  return line?.split(/\s+/).filter((word) => FLAG.test(word));
}

/**
 * Compares what two places say.
 *
 * @param a One place.
 * @param aName How it is called in a sentence.
 * @param b The other.
 * @param bName How it is called.
 * @returns A sentence for each path on which they differ.
 */
export function permissionDifferences(
  a: Permissions,
  aName: string,
  b: Permissions,
  bName: string,
): string[] {
  const paths = [...new Set([...a.keys(), ...b.keys()])].sort();
  return paths.flatMap((path) => {
    const one = a.get(path)?.join(" ");
    const other = b.get(path)?.join(" ");
    if (one === other) return [];
    return [`${path}: ${aName} has "${one ?? "no row"}", ${bName} has "${other ?? "no row"}"`];
  });
}

function* commandsIn(value: unknown): Iterable<string> {
  if (typeof value !== "object" || value === null) return;
  if ("command" in value && typeof value.command === "string") {
    const args = "args" in value && Array.isArray(value.args) ? value.args : [];
    yield [value.command, ...args].join(" ");
  }
  for (const child of Object.values(value)) yield* commandsIn(child);
}

function addOnce(map: Map<string, readonly string[]>, path: string, flags: string[]): void {
  if (map.has(path)) throw new SyntaxError(`Cannot read permissions of ${path}: it stands twice`);
  map.set(path, flags);
}

function flagsOf(text: string, path: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const wrong = words.find((word) => !FLAG.test(word));
  if (wrong !== undefined) {
    throw new SyntaxError(`Cannot read permissions of ${path}: "${wrong}" is no permission flag`);
  }
  return words;
}
