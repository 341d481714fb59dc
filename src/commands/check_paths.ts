/** Finds the filter, paths or script that limit a check, and the files in which it found errors. */

import { lastPart } from "../core/last_part.ts";
import { CHECK } from "../core/command_names.ts";

const TEST_FILTER =
  / (?:-run|-k|-t|-g|--grep|--filter|--testNamePattern)[= ](?:"[^"]*"|'[^']*'|\S+)/;

/** Returns the option that selects tests, such as `--filter login`; empty if there is none. */
export function filterOf(words: string): string {
  return TEST_FILTER.exec(words)?.[0].replaceAll(/["']/g, "") ?? "";
}

export function withoutFolder(words: string): string {
  return words.replace(/^cd \S+ && /, "");
}

/** Captures the program and the script that it runs, such as `npm` and `test:ci` in `npm run test:ci`. */
const SCRIPT = /^(npm|pnpm|yarn|bun|mise|deno|just|make|task|rake)(?: run| task)? (\w[\w:.-]*)/;

/** Matches a script that runs all others of its kind, such as `test:ci`. */
const FULL_SCRIPT = /(?:^|[:_-])(?:ci|all|full)$/;

/**
 * Whether the script that a check runs includes the script of another check. Also true if one of the checks
 * runs no script, or if their programs differ.
 */
export function includesScript(check: string, other: string): boolean {
  const [, program, script = ""] = SCRIPT.exec(withoutFolder(check)) ?? [];
  const [, otherProgram, otherScript = ""] = SCRIPT.exec(withoutFolder(other)) ?? [];
  return program !== otherProgram || script === otherScript || FULL_SCRIPT.test(script);
}

/** Matches an argument that is a path, such as `./internal/store/...` or `tests/a_test.ts`. */
const PATH_ARGUMENT = /^(?!-)[\w.@-]*\/[\w./@-]*$|^[\w@-]+(?:\.[\w-]+)*\.[a-z]{1,4}$/;

/** Matches an argument that names a folder or a test without a path, such as `src`. */
const BARE_ARGUMENT = /^[a-z_@][\w@-]*$/i;

/** Returns a command without its folder, filter and paths, which could contain the name of a check. */
export function taskOf(words: string): string {
  const [program = "", ...args] = withoutFolder(words).replace(TEST_FILTER, "").split(" ");
  return [program, ...args.filter((word) => !PATH_ARGUMENT.test(word))].join(" ");
}

/** Matches words between the name of a check and its arguments, as in `vitest run`. */
const SUBCOMMAND = /^(?:run|test|check|format|lint|build)$/;

/** Matches options without a value; a word after any other option may be the value of that option. */
const FLAG =
  /^(?:--|-[AvqxsS]|-race|-short|--(?:no-[\w-]+|quiet|verbose|allow-[\w-]+|ci|check|write|fix|bail|coverage))$/;

/** Whether the paths of a check include those of another. A check without paths covers the whole project. */
export function includesPaths(check: string, other: string): boolean {
  const paths = pathsOf(check);
  const others = pathsOf(other);
  if (paths.length === 0 || paths.includes("")) return true;
  return others.length > 0 &&
    others.every((path) => paths.some((one) => path === one || path.startsWith(`${one}/`)));
}

export function isFullCheck(check: string): boolean {
  return filterOf(check) === "" && includesPaths(check, "");
}

/** Returns the paths in a command, without `./` and `...`. An empty path is the root of the project. */
function pathsOf(words: string): string[] {
  const all = withoutFolder(words).replace(TEST_FILTER, "").replace(SCRIPT, "check").split(" ");
  // The arguments begin after the word that names the check.
  const first = all.findIndex((word) => CHECK.test(word));
  return all.filter((word, at) => {
    if (at > 0 && PATH_ARGUMENT.test(word)) return true;
    const before = all[at - 1] ?? "";
    return first >= 0 && at > first && BARE_ARGUMENT.test(word) && !SUBCOMMAND.test(word) &&
      (!before.startsWith("-") || FLAG.test(before));
  }).map((path) => path.replace(/^\.\//, "").replace(/(?:^|\/)\.\.\.$/, "").replace(/\/$/, ""));
}

/** Captures the file in the location of an error, such as `src/a.ts:12` or `src/a.ts(12,5)`. */
const ERROR_SITE = /^\W*([\w./@-]+\.\w{1,5})(?::\d+|\(\d+,\d+\):)/;

/** Puts errors in files without later edits first, because later edits may have fixed the rest. */
export function sortErrors(
  errors: readonly string[],
  editedSince: readonly string[],
): readonly string[] {
  let isFixed = false;
  const ranked = errors.map((line) => {
    const file = fileOf(line);
    // A line without a file, such as a count, stays below the line above it.
    if (file !== "") isFixed = editedSince.includes(file);
    return { line, isFixed };
  });
  const isSorted = ranked.some((one) => !one.isFixed && ERROR_SITE.test(one.line));
  return isSorted
    ? ranked.toSorted((a, b) => Number(a.isFixed) - Number(b.isFixed)).map(({ line }) => line)
    : errors;
}

export function fileOf(line: string): string {
  return lastPart(ERROR_SITE.exec(line)?.[1] ?? "");
}
