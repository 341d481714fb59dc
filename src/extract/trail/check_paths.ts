/** Reads the paths of checks: those that a check is limited to, and those of its errors. */

/** Matches an argument that is a path, such as `./internal/store/...` or `tests/a_test.ts`. */
const PATH_ARGUMENT = /(?<=\s)(?!-)[\w.@-]*\/[\w./@-]*(?=\s|$)|(?<=\s)[\w@-]+\.[a-z]{1,4}(?=\s|$)/g;

/** Whether the paths of a check include those of another check. Without paths, it covers the whole project. */
export function includesPaths(check: string, other: string): boolean {
  const paths = pathsOf(check);
  const others = pathsOf(other);
  if (paths.length === 0 || paths.includes("")) return true;
  return others.length > 0 &&
    others.every((path) => paths.some((one) => path === one || path.startsWith(`${one}/`)));
}

/** Returns the paths in a command, without `./` and `...`. The path of the whole project is empty. */
function pathsOf(words: string): string[] {
  return (words.match(PATH_ARGUMENT) ?? []).map((path) =>
    path.replace(/^\.\//, "").replace(/(?:^|\/)\.\.\.$/, "").replace(/\/$/, "")
  );
}

/** Matches the position of an error, such as `src/a.ts:12`. */
const ERROR_SITE = /^\W*([\w./@-]+\.\w{1,5}):\d+/;

/** Puts errors in files without later edits first, because later edits may have fixed the rest. */
export function sortErrors(
  errors: readonly string[],
  editedSince: readonly string[],
): readonly string[] {
  const open = errors.filter((line) => !editedSince.includes(fileOf(line)));
  return open.some((line) => ERROR_SITE.test(line))
    ? [...open, ...errors.filter((line) => !open.includes(line))]
    : errors;
}

/** Returns the name of the file with an error; empty if the line names none. */
export function fileOf(line: string): string {
  return ERROR_SITE.exec(line)?.[1]?.replace(/^.*\//, "") ?? "";
}
