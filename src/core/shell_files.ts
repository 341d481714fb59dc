/** Finds the files that shell commands delete, move, write or revert. */

import { lastPart } from "./last_part.ts";
import { gitCommands } from "./git_commands.ts";
import { allPartsOf, hideQuoted, isElsewhere, isTemporaryPath } from "./shell_commands.ts";

export const MAX_COMMAND_CHARS = 2_000;

const REMOVAL = /^[\s({]*(?:git\s+)?(rm|mv)\s(.*)$/s;

const REDIRECTION = /(?:(?<!\S)[\d&])?[<>]+(?:&\d|[ \t]*[^\s<>]*)/g;

const WORDS_END = /[&)]|\s\}(?!\S)|$/;

/** Captures the paths whose changes git discards. `branch -- path` copies from the branch instead. */
const RESTORED_PATHS = /^\s+(?:HEAD\s+)?(?:--\s+)?(?!-)((?:(?!\s--(?!\S)).)+)$/s;

/** Matches a single argument of `git checkout` that is a branch rather than a path. */
const BRANCH = /^\s+[\w-]+\s*$/;

/** Options with which a git command discards all uncommitted changes to tracked files. */
const DISCARDING: { readonly [name: string]: RegExp } = {
  reset: /\s--hard(?!\S)/,
  checkout: /\s(?:-f|--force)(?!\S)/,
  switch: /\s(?:-f|--force|--discard-changes)(?!\S)/,
};

export function isNeverCommitted(path: string): boolean {
  return /\/\.git\/|\/\.claude\/(?:plans|projects)\//.test(path);
}

/** Matches programs that are used to write text to a file. The output of other programs may be a log. */
const TEXT_WRITER = /^[\s({]*(?:cat|echo|printf|sed|awk|jq|head|tail|sort|git\s+show)\b/;

const WRITING = /(?<![\d&<>=-])>{1,2}\s*(?![&>])/g;

/**
 * Matches a command that writes to files among its arguments. A formatter does not count, because it leaves most
 * of its files unchanged.
 */
const ARGUMENT_WRITER = /^\s*(?:tee\s|(?:sed|perl)\s(?:.*\s)?(?:-[nErsp0]*i|--in-place))/s;

const MOVE = /^\s*(?:git\s+)?mv\s/;
const COPY = /^\s*(?:cp|(?:git\s+)?mv)\s/;

/** Captures the name of a file that a script writes, or the variable that contains the name. */
const SCRIPTED_WRITE =
  /\bopen\(\s*(?:r?["']([^"'\n]+)["']|(\w+))\s*,\s*["'][wa]|\bPath\(\s*["']([^"'\n]+)["']\s*\)\.write_|\bwriteFileSync\(\s*["']([^"'\n]+)["']/g;

const SOURCE_PATH = /^(?!\/dev\/)(?!.*\.(?:log|out|tmp|pid|bak|orig)$)[\w.@~+/-]+$/;

export function writtenBy(command: string): string[] {
  if (!/>|\b(?:tee|sed|perl|cp|mv|open|write\w*)\b/.test(command)) return [];
  return allPartsOf(command).flatMap(({ text, filters, folder }) => {
    const whole = text + filters;
    const segments = [...hideQuoted(whole).matchAll(/[^|]+/g)].map(({ 0: { length }, index }) =>
      whole.slice(index, index + length)
    );
    const written = [...segments.flatMap(segmentWrites), ...scriptWrites(whole)];
    return written.map((path) => inFolder(folder, path)).filter((path) =>
      SOURCE_PATH.test(path) && !isTemporaryPath(path) && !isNeverCommitted(path)
    );
  });
}

function segmentWrites(text: string): string[] {
  const bare = hideQuoted(text);
  const words = wordsOf(text.replace(/^\s*(?:git\s+)?\S+/, "")).filter(isPath);
  if (ARGUMENT_WRITER.test(bare)) return words.filter(isFile);
  // The target of a copy may also be a folder.
  if (COPY.test(bare)) {
    const targets = MOVE.test(bare) ? targetsOf(words, text) : words.slice(1).slice(-1);
    return [...new Set(targets)].filter(isFile);
  }
  if (!TEXT_WRITER.test(bare)) return [];
  return [...bare.matchAll(WRITING)].flatMap(({ 0: { length }, index }) =>
    wordsOf(text.slice(index + length)).slice(0, 1)
  );
}

function scriptWrites(text: string): string[] {
  // `allPartsOf()` escapes the text of a here-document. This removes the escapes.
  const script = text.replaceAll(/\\(["'`$<])/g, "$1");
  return [...script.matchAll(SCRIPTED_WRITE)].flatMap(([, name, variable, path, file]) => {
    const assigned = new RegExp(String.raw`\b${variable}\s*=\s*r?["']([^"'\n]+)["']`);
    return name ?? path ?? file ?? assigned.exec(script)?.[1] ?? [];
  });
}

/** Whether a word ends like a file name, and is not a sed script such as `s/a.b/c.d/`. */
function isFile(word: string): boolean {
  return /\.\w+$/.test(word) && !/^s\W/.test(word);
}

export function inFolder(folder: string, path: string): string {
  return isElsewhere(folder) && !/^[/~]/.test(path) ? `${folder}/${path}` : path;
}

export function removedBy(line: string): string[] {
  if (!/\b(?:rm|mv)\b/.test(line)) return [];
  return allPartsOf(line).flatMap(({ text, folder }) => {
    const [, program, after = ""] = REMOVAL.exec(text) ?? [];
    if (program === undefined || isTemporaryPath(folder)) return [];
    const words = wordsOf(after);
    if (words.includes("--cached")) return [];
    const paths = program === "mv" ? words.slice(0, -1) : words;
    return paths.filter(isPath)
      .map((path) => inFolder(folder, path))
      .filter(isPath);
  });
}

/** Returns each file that a line moves, with its new path. */
export function movedBy(line: string): [from: string, to: string][] {
  if (!/\bmv\b/.test(line)) return [];
  return allPartsOf(line).flatMap(({ text, folder }) => {
    const [, program, after = ""] = REMOVAL.exec(text) ?? [];
    const words = program === "mv" ? wordsOf(after).filter(isPath) : [];
    return targetsOf(words, after).map((target, at): [string, string] => [
      inFolder(folder, words[at] ?? ""),
      inFolder(folder, target),
    ]);
  });
}

/** Returns the new path of each word before the last, which may be a folder. */
function targetsOf(words: readonly string[], text: string): string[] {
  const target = words.at(-1) ?? "";
  const isFolder = words.length > 2 || /\/["']?\s*(?:\d?>.*)?$/s.test(text) ||
    (isFile(words[0] ?? "") && !isFile(target));
  return words.slice(0, -1).map((word) => isFolder ? `${target}/${lastPart(word)}` : target);
}

const TREE = /^(?:(.*)\/)?(?:\.|:\/)$/;

/** Whether a path means a whole tree: `.` or `:/`, or `/other/.` for another repository. */
export function isTree(path: string): boolean {
  return TREE.test(path);
}

/** Whether a path, relative to any folder, refers to a file, one of its parent folders, or its whole tree. */
export function namesOrContains(path: string, file: string): boolean {
  const tree = TREE.exec(path);
  const target = tree === null ? path : tree[1] ?? "";
  return target === "" || isPathOf(target, file);
}

/** Returns the paths whose uncommitted changes a line discards; `.` means the whole tree. */
export function revertedBy(line: string): string[] {
  return gitCommands(line).flatMap(({ name, options, words, folder }) => {
    const isRestore = name === "checkout" || name === "restore";
    const paths = DISCARDING[name]?.test(options) === true
      ? ["."]
      : isRestore && !(name === "checkout" && BRANCH.test(words))
      ? pathsOf(RESTORED_PATHS.exec(words)?.[1])
      : [];
    return folder === "" ? paths : paths.map((path) => `${folder}/${path}`);
  });
}

/** A folder's bare name counts only at the start of the path; elsewhere, it may be another folder. */
export function isPathOf(path: string, file: string): boolean {
  return file === path || file.endsWith(`/${path}`) || file.startsWith(`${path}/`) ||
    (path.includes("/") && file.includes(`/${path}/`));
}

/** Returns the paths in a command's words. Skips options, redirections, comments, globs and variables. */
export function pathsOf(words = ""): string[] {
  return wordsOf(words).filter(isPath);
}

function wordsOf(text: string): string[] {
  const bare = hideQuoted(text).replaceAll(REDIRECTION, (words) => " ".repeat(words.length));
  const found = bare.slice(0, bare.search(WORDS_END)).matchAll(/\S+/g);
  return [...found].map(({ 0: { length }, index }) => text.slice(index, index + length))
    .filter((word) => !word.startsWith("#"))
    .map((word) => word.replaceAll(/["']/g, "").replaceAll(/^\.\/(?=.)|(?<=.)\/$/g, ""));
}

function isPath(word: string): boolean {
  return word !== "" && !/^-|[*?{$`]/.test(word);
}
