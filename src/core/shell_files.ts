/** Finds the files that shell commands delete, move, write or revert. */

import { gitCommands } from "./git_commands.ts";
import { allPartsOf, hideQuoted, isElsewhere, isTemporaryPath, partsOf } from "./shell_commands.ts";

export const MAX_COMMAND_CHARS = 2_000;

const REMOVAL = /^[\s({]*(?:git\s+)?(rm|mv)\s(.*)$/s;

const REDIRECTION = /(?:(?<!\S)[\d&])?[<>]+(?:&\d|[ \t]*[^\s<>]*)/g;

/** Matches the end of a command's words: of a subshell or a group, or before `&`. */
const WORDS_END = /[&)]|\s\}(?!\S)|$/;

/** Captures the paths that `git checkout` or `git restore` discards changes of, but no branch before `--`. */
const RESTORED_PATHS = /^\s+(?:HEAD\s+)?(?:--\s+)?(?!-)((?:(?!\s--(?!\S)).)+)$/s;

/** Options with which a command discards all uncommitted changes of tracked files. */
const DISCARDING: { readonly [name: string]: RegExp } = {
  reset: /\s--hard(?!\S)/,
  checkout: /\s(?:-f|--force)(?!\S)/,
  switch: /\s(?:-f|--force|--discard-changes)(?!\S)/,
};

/** Whether a path is inside `.git`, or inside the client's folder of plans or sessions. */
export function isNeverCommitted(path: string): boolean {
  return /\/\.git\/|\/\.claude\/(?:plans|projects)\//.test(path);
}

/** Matches a command that writes a here-document into a file. */
const FILE_WRITE =
  /(?:^|&&|;|\n)\s*(?:cat|tee(?: -a)?)\s+(?:>{1,2}\s*)?["']?([\w./@-]+)["']?\s*<<|(?:^|&&|;|\n)\s*cat\s*<<-?\s*['"]?\w+['"]?\s*>{1,2}\s*["']?([\w./@-]+)/g;

/** Matches a command that edits files in place, if its script is hidden. */
const IN_PLACE = /^\s*(?:sed|perl)\s(?:.*\s)?(?:-[nErsp0]*i|--in-place)/s;

/** Returns the files that a command writes from here-documents or edits in place, other than temporary ones. */
export function writtenBy(command: string): string[] {
  const written = [...command.slice(0, MAX_COMMAND_CHARS).matchAll(FILE_WRITE)]
    .map(([, target, redirected]) => target ?? redirected ?? "");
  const edited = partsOf(command).flatMap(({ text, folder }) => {
    const bare = hideQuoted(text);
    return IN_PLACE.test(bare) && !isElsewhere(folder) ? pathsOf(bare).filter(isFile) : [];
  });
  return [...written, ...edited]
    .filter((path) => path !== "" && !isTemporaryPath(path) && !isNeverCommitted(path));
}

/** Whether a word with an ending names a file, rather than being a script such as `s/a.b/c.d/`. */
function isFile(word: string): boolean {
  return /\.\w+$/.test(word) && !/^s\W/.test(word);
}

/** Returns the files that the commands of a line delete or move, except in a temporary folder. */
export function removedBy(line: string): string[] {
  if (!/\b(?:rm|mv)\b/.test(line)) return [];
  return allPartsOf(line).flatMap(({ text, folder }) => {
    const [, program, after = ""] = REMOVAL.exec(text) ?? [];
    if (program === undefined || isTemporaryPath(folder)) return [];
    const words = wordsOf(after);
    if (words.includes("--cached")) return [];
    const paths = program === "mv" ? words.slice(0, -1) : words;
    return paths.filter(isPath)
      .map((path) => isElsewhere(folder) && !/^[/~]/.test(path) ? `${folder}/${path}` : path)
      .filter(isPath);
  });
}

/** Returns the paths whose untracked files a line deletes: `.` for the whole tree. */
export function cleanedBy(line: string): string[] {
  return gitCommands(line).flatMap(({ name, words, folder }) => {
    const isForced = name === "clean" && / (?:-\w*f|--force)/.test(words);
    // A dry run only lists files.
    if (!isForced || / (?:-\w*n|--dry-run)/.test(words)) return [];
    const paths = pathsOf(words);
    const cleaned = paths.length === 0 ? ["."] : paths;
    return folder === "" ? cleaned : cleaned.map((path) => `${folder}/${path}`);
  });
}

/** Matches a path that stands for a whole tree, and captures its folder. */
const TREE = /^(?:(.*)\/)?(?:\.|:\/)$/;

/** Whether a path stands for a whole tree: `.`, `:/`, or `/other/.` for another one. */
export function isTree(path: string): boolean {
  return TREE.test(path);
}

/** Whether a path, relative to any folder, names a file, one of its parent folders, or a tree that contains it. */
export function isAt(path: string, file: string): boolean {
  const tree = TREE.exec(path);
  const folder = tree === null ? path : tree[1] ?? "";
  return folder === "" || isPathOf(folder, file);
}

/**
 * Returns the paths whose uncommitted changes a line discards: `.` for the whole tree, and `/other/.` for the
 * tree of another repository.
 */
export function revertedBy(line: string): string[] {
  return gitCommands(line).flatMap(({ name, options, words, folder }) => {
    const isRestore = name === "checkout" || name === "restore";
    const paths = DISCARDING[name]?.test(options) === true
      ? ["."]
      : isRestore
      ? pathsOf(RESTORED_PATHS.exec(words)?.[1])
      : [];
    return folder === "" ? paths : paths.map((path) => `${folder}/${path}`);
  });
}

/**
 * Whether a path, relative to any folder, names a file or one of its parent folders. A folder's bare name counts
 * only at the start of the file's path, because elsewhere it may be another folder.
 */
export function isPathOf(path: string, file: string): boolean {
  return file === path || file.endsWith(`/${path}`) || file.startsWith(`${path}/`) ||
    (path.includes("/") && file.includes(`/${path}/`));
}

/** Skips options, redirections, and words with glob characters or variables. */
export function pathsOf(words = ""): string[] {
  return wordsOf(words).filter(isPath);
}

/** Splits the arguments of a command into words without their quotes. */
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
