/** Finds the files that shell commands delete, move, write or revert. */

import { gitCommands } from "./git_commands.ts";
import {
  entersTemporary,
  hideQuoted,
  isElsewhere,
  isTemporaryPath,
  partsOf,
} from "./shell_commands.ts";

export const MAX_COMMAND_CHARS = 2_000;

const REMOVAL = /(?:^|&&|;|\n)\s*(?:git\s+)?rm\s+([^&;|\n]+)/g;

/** Matches `mv a b target`; captures the moved paths without the target. */
const MOVE = /(?:^|&&|;|\n)\s*(?:git\s+)?mv\s+([^&;|\n]+?)\s+[^\s&;|]+\s*(?=$|[&;|\n])/g;

/** Captures the paths that `git checkout` or `git restore` discards changes of, but no branch before `--`. */
const RESTORED_PATHS = /^\s+(?:HEAD\s+)?(?:--\s+)?(?!-)((?:(?!\s--(?!\S)).)+)$/s;

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

/** Returns the files that a command deletes or moves, unless it works in a temporary folder. */
export function removedBy(command: string): string[] {
  if (entersTemporary(command)) return [];
  return [REMOVAL, MOVE].flatMap((pattern) =>
    [...command.matchAll(pattern)].flatMap(([, words]) => pathsOf(words))
  );
}

/**
 * Returns the paths whose uncommitted changes a line discards: `.` for the whole tree, and `/other/.` for the
 * tree of another repository.
 */
export function revertedBy(line: string): string[] {
  return gitCommands(line).flatMap(({ name, options, words, folder }) => {
    const isReset = name === "reset" && /^\s+--hard(?:\s+HEAD)?$/.test(options);
    const isRestore = name === "checkout" || name === "restore";
    const paths = isReset ? ["."] : isRestore ? pathsOf(RESTORED_PATHS.exec(words)?.[1]) : [];
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
  return words.replaceAll(/(?<=^|\s)\d?[<>]+\s*\S+/g, "").split(/\s+/).map((word) =>
    word.replaceAll(/^["']|["']$/g, "").replace(/^\.\/(?=.)|(?<=.)\/$/g, "")
  )
    .filter((word) => word !== "" && !/^-|[*?$`]/.test(word));
}
