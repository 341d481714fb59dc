/** Finds the files that shell commands delete, move, write or revert. */

import { entersTemporary, isTemporaryPath } from "./shell_commands.ts";

export const MAX_COMMAND_CHARS = 2_000;

const REMOVAL = /(?:^|&&|;|\n)\s*(?:git\s+)?rm\s+([^&;|\n]+)/g;

/** Matches `mv a b target`; captures the moved paths without the target. */
const MOVE = /(?:^|&&|;|\n)\s*(?:git\s+)?mv\s+([^&;|\n]+?)\s+[^\s&;|]+\s*(?=$|[&;|\n])/g;

/**
 * Matches commands that discard uncommitted changes, such as `git restore a.ts` and `git reset --hard`.
 * The lookahead keeps the match from ending inside the branch in `git checkout main -- a.ts`.
 */
const REVERT =
  /(?:^|&&|;|\n)\s*git\s+(?:-C\s+\S+\s+)?(?:(?:checkout|restore)\s+(?:HEAD\s+)?(?:--\s+)?(?!-)(?=((?:(?!\s--)[^&;|\n])+))\1(?!\s--)|reset\s+--hard(?=\s*(?:HEAD\s*)?(?:$|[&;|\n])))/;

/** Whether a path is inside `.git`, or inside the client's folder of plans or sessions. */
export function isNeverCommitted(path: string): boolean {
  return /\/\.git\/|\/\.claude\/(?:plans|projects)\//.test(path);
}

/** Matches a command that writes a here-document into a file. */
const FILE_WRITE =
  /(?:^|&&|;|\n)\s*(?:cat|tee(?: -a)?)\s+(?:>{1,2}\s*)?["']?([\w./@-]+)["']?\s*<<|(?:^|&&|;|\n)\s*cat\s*<<-?\s*['"]?\w+['"]?\s*>{1,2}\s*["']?([\w./@-]+)/g;

/** Returns the files that a command writes from here-documents, without temporary and never committed ones. */
export function writtenBy(command: string): string[] {
  return [...command.slice(0, MAX_COMMAND_CHARS).matchAll(FILE_WRITE)]
    .map(([, target, redirected]) => target ?? redirected ?? "")
    .filter((path) => path !== "" && !isTemporaryPath(path) && !isNeverCommitted(path));
}

/** Returns the files that a command deletes or moves, unless it works in a temporary folder. */
export function removedBy(command: string): string[] {
  if (entersTemporary(command)) return [];
  return [REMOVAL, MOVE].flatMap((pattern) =>
    [...command.matchAll(pattern)].flatMap(([, words]) => pathsOf(words))
  );
}

/** Returns the paths whose changes the first reverting command discards; `.` means the whole tree. */
export function revertedBy(command: string): string[] {
  const revert = REVERT.exec(command);
  return revert === null ? [] : pathsOf(revert[1] ?? ".");
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
