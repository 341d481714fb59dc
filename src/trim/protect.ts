/**
 * Keeps what is about certain files out of a trim.
 *
 * A glob is matched against the path that a tool call names:
 *
 * - `*` stands for any characters but `/`, `**` for any at all, `?` for one that is not `/`; a
 *   `**` between two slashes stands for no folder, too. Nothing else is special.
 * - A glob that does not start with `/` (or a drive, as `C:/`) fits at any depth: `src/*.ts` fits
 *   `/home/me/project/src/a.ts`.
 * - A glob without `*` and `?`, or with a `/` at its end, fits what lies in that folder, too.
 *
 * Backslashes count as slashes. Upper and lower case differ. `..` is not resolved.
 */

import { asString, isObject } from "../transcript/entry.ts";

type PathMatcher = (path: string) => boolean;

/** Arguments that name a file or a folder, whatever the tool. */
export const PATH_ARGUMENTS: readonly string[] = ["file_path", "notebook_path", "path"];

/** The tool whose `pattern` is a path; that of a search in files is none. */
const GLOB_TOOL = "Glob";

/** The tool whose `command` can mention paths. */
const SHELL_TOOL = "Bash";

/** No file system takes longer paths, in characters. */
const MAX_PATH_CHARS = 4096;

/** Separators of the words of a command. A colon is one in `git show HEAD:src/a.ts`. */
const WORD_BREAK = /[\s"'`;|&<>()=,:]+/;

const DRIVE = /^[A-Za-z]:\//;

/** One step of a glob: a character, or what stands for others. */
type Step = string | typeof ONE | typeof NAME | typeof ANY | typeof FOLDERS;
const ONE = Symbol("?");
const NAME = Symbol("*");
const ANY = Symbol("**");
const FOLDERS = Symbol("**/");

export function compileGlobs(globs: readonly string[]): PathMatcher {
  const patterns = globs.flatMap((glob) => {
    const pattern = normalize(glob);
    if (pattern === "") throw new RangeError("Cannot protect files: a glob is empty");
    const isAbsolute = pattern.startsWith("/") || DRIVE.test(pattern);
    const whole = isAbsolute ? pattern : `**/${pattern}`;
    const isFolder = pattern.endsWith("/") || !/[*?]/.test(pattern);
    const folder = whole.endsWith("/") ? whole : `${whole}/`;
    return isFolder ? [stepsOf(whole), stepsOf(`${folder}**`)] : [stepsOf(whole)];
  });
  return (path) => {
    if (path === "" || path.length > MAX_PATH_CHARS) return false;
    const text = normalize(path);
    return patterns.some((steps) => fits(steps, text));
  };
}

/**
 * Tells whether a tool call is about a path: whether one of its arguments `file_path`,
 * `notebook_path` and `path` fits, or the `pattern` of a `Glob` taken as a path, alone or in its
 * `path`, or, of a `Bash` command, any word between blanks, quotes and the shell's signs.
 */
export function namesPath(toolName: string, input: unknown, matches: PathMatcher): boolean {
  if (!isObject(input)) return false;
  for (const name of PATH_ARGUMENTS) {
    const path = asString(input[name]);
    if (path !== undefined && matches(path)) return true;
  }
  if (toolName === GLOB_TOOL) {
    const pattern = asString(input.pattern);
    if (pattern === undefined) return false;
    const folder = asString(input.path);
    return matches(pattern) || (folder !== undefined && matches(`${folder}/${pattern}`));
  }
  if (toolName !== SHELL_TOOL) return false;
  const words = asString(input.command)?.split(WORD_BREAK) ?? [];
  return words.some((word) => !word.startsWith("-") && matches(word));
}

function normalize(path: string): string {
  return path.replaceAll("\\", "/").replaceAll(/\/{2,}/g, "/").replace(/^(?:\.\/)+/, "");
}

function stepsOf(pattern: string): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < pattern.length;) {
    if (pattern.startsWith("**/", at) && (at === 0 || pattern[at - 1] === "/")) {
      steps.push(FOLDERS);
      at += 3;
    } else if (pattern.startsWith("**", at)) {
      steps.push(ANY);
      at += 2;
    } else {
      const char = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
      steps.push(char === "*" ? NAME : char === "?" ? ONE : char);
      at += char.length;
    }
  }
  return steps;
}

/** Follows all ways at once, so that no pattern takes longer than its length times the path's. */
function fits(steps: readonly Step[], path: string): boolean {
  let reached = new Set<number>();
  enter(steps, reached, 0);
  for (const char of path) {
    const next = new Set<number>();
    for (const at of reached) {
      const step = steps[at >> 1];
      if (step === ANY || (step === NAME && char !== "/")) enter(steps, next, at >> 1);
      else if (step === FOLDERS) {
        // Within a folder's name the steps behind are out of reach.
        if (char === "/") enter(steps, next, at >> 1);
        else next.add(at | 1);
      } else if (step === char || (step === ONE && char !== "/")) enter(steps, next, (at >> 1) + 1);
    }
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(steps.length << 1);
}

/** Reaches a step, and those behind it where it can stand for nothing. */
function enter(steps: readonly Step[], reached: Set<number>, at: number): void {
  reached.add(at << 1);
  const step = steps[at];
  if (step === NAME || step === ANY || step === FOLDERS) enter(steps, reached, at + 1);
}
