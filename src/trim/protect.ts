/**
 * Protects results about certain files from a trim: a glob is matched against the paths in a call's arguments.
 *
 * `*` matches any characters except `/`, `**` any characters, `?` one character except `/`, and `**` before a
 * slash also no folder. A glob that does not start with `/` or a drive matches at any depth; without `*` and
 * `?`, or with a `/` at its end, it also matches everything in that folder. Backslashes count as slashes.
 */

import { isObject } from "../core/record.ts";
import { asString } from "../transcript/entry.ts";

type PathMatcher = (path: string) => boolean;

export const PATH_ARGUMENTS: readonly string[] = ["file_path", "notebook_path", "path"];

/** Linux's `PATH_MAX`. A longer argument or word matches no glob, which bounds the time. */
const MAX_PATH_CHARS = 4096;

/** Matches the separators of a command's words, such as the colon in `git show HEAD:src/a.ts`. */
const WORD_BREAK = /[\s"'`;|&<>()=,:]+/;

const DRIVE = /^[A-Za-z]:\//;

const GLOB_PARTS = /(?<=^|\/)\*\*\/|\*\*|[^]/gu;

export function compileGlobs(globs: readonly string[]): PathMatcher {
  const patterns = globs.flatMap((glob) => {
    const pattern = normalize(glob);
    if (pattern === "") throw new RangeError("Cannot protect files: a glob is empty");
    const isAbsolute = pattern.startsWith("/") || DRIVE.test(pattern);
    const whole = isAbsolute ? pattern : `**/${pattern}`;
    const isFolder = pattern.endsWith("/") || !/[*?]/.test(pattern);
    const folder = whole.endsWith("/") ? whole : `${whole}/`;
    const all = isFolder ? [whole, `${folder}**`] : [whole];
    return all.map((one) => one.match(GLOB_PARTS) ?? []);
  });
  return (path) => {
    if (path === "" || path.length > MAX_PATH_CHARS) return false;
    const chars = [...normalize(path)];
    return patterns.some((steps) => matchesGlob(steps, chars));
  };
}

/** Matches the paths in arguments, the `pattern` of `Glob`, and each word of a `Bash` command but options. */
export function isAboutPath(toolName: string, input: unknown, matches: PathMatcher): boolean {
  if (!isObject(input)) return false;
  if (PATH_ARGUMENTS.some((name) => matches(asString(input[name]) ?? ""))) return true;
  if (toolName === "Glob") {
    const pattern = asString(input.pattern);
    if (pattern === undefined) return false;
    const folder = asString(input.path);
    return matches(pattern) || (folder !== undefined && matches(`${folder}/${pattern}`));
  }
  const words = toolName === "Bash" ? asString(input.command)?.split(WORD_BREAK) ?? [] : [];
  return words.some((word) => !word.startsWith("-") && matches(word));
}

function normalize(path: string): string {
  return path.replaceAll("\\", "/").replaceAll(/\/{2,}/g, "/").replace(/^(?:\.\/)+/, "");
}

/** Tracks all match positions at once, so that the time is at most the product of both lengths. */
function matchesGlob(steps: readonly string[], path: readonly string[]): boolean {
  let ends = new Set([0]);
  for (const step of steps) {
    const next = new Set<number>();
    for (const at of ends) {
      if (!step.startsWith("*")) {
        const char = path[at];
        const matchesOne = step === "?" && char !== undefined && char !== "/";
        if (matchesOne || char === step) next.add(at + 1);
        continue;
      }
      // A position in `next` has already been extended.
      for (let end = at; end <= path.length && !next.has(end); end++) {
        if (step !== "**/" || end === at || path[end - 1] === "/") next.add(end);
        if (step === "*" && path[end] === "/") break;
      }
    }
    ends = next;
  }
  return ends.has(path.length);
}
