/** Recognizes the git commands of a shell line. */

import { type Evidence, evidenceOf } from "./chain_ends.ts";
import {
  allPartsOf,
  folderIn,
  hideQuoted,
  isElsewhere,
  isTemporaryPath,
} from "./shell_commands.ts";

export interface GitCommand {
  readonly name: string;
  /** The words after the subcommand, without redirections; underscores replace quoted text. */
  readonly options: string;
  /** The words after the subcommand as written, with the text of here-documents in quotes. */
  readonly words: string;
  /** The command's folder if it is outside the session's folder; otherwise empty. */
  readonly folder: string;
  /** Whether this is the last command on the line and its output is not piped. */
  readonly isLast: boolean;
  /** Whether the line contains no other commands except `cd`. */
  readonly isAlone: boolean;
  readonly evidence: Evidence;
}

/** Matches a git command. Keywords, variable assignments and programs that start git may precede it. */
const GIT =
  /^\s*(?:(?:do|then|else|if|elif|while|until|time|command|exec|env|sudo|xargs(?:\s+-\S+)*|timeout\s+\S+|\w+=\S*)\s+|[({!]\s*)*(?:\S*\/)?git((?:\s+(?:-[cC]\s+\S+|-(?![cC]\s)[\w-]+(?:=\S*)?))*)\s+([a-z][\w-]*)(?![^\s)])(.*)$/s;

const FOLDER_OPTION = /\s-C\s+["']?([^"'\s]+)/;

const REDIRECTION = /(?<![&\d])[&\d]*[<>]+(?:&\d|\s*[^\s<>]*)/g;

/**
 * Returns the git commands of a line. Omits `git init`, and commands in a temporary folder or in a repository
 * that the line itself creates. Quoted text, here-documents and comments are not commands.
 *
 * @param output The line's output, which may show how each command ended.
 */
export function gitCommands(line: string, output = ""): GitCommand[] {
  if (!line.includes("git")) return [];
  const parts = allPartsOf(line);
  const others = parts.filter(({ text }) => !/^\s*cd\s/.test(text));
  const commands = parts.flatMap((part, index) => {
    const text = part.text + part.filters;
    return [...hideQuoted(text).matchAll(/[^|]+/g)].flatMap(({ 0: bare, index: start }) => {
      const [whole, globals = "", name = "", after = ""] = GIT.exec(bare) ?? [];
      if (whole === undefined) return [];
      const end = start + bare.length;
      // Drops the closing parenthesis of a subshell.
      const rest = after.trimEnd().replace(/\)$/, "").trimEnd();
      const lead = text.slice(start, end - after.length);
      const folder = (globals === "" ? undefined : FOLDER_OPTION.exec(lead)?.[1]) ?? part.folder;
      const filters = text.slice(end);
      const own = { ...part, text: text.slice(start, end), filters };
      const isLast = index === parts.length - 1 && filters === "";
      return [{
        name,
        options: rest.replaceAll(REDIRECTION, "").trimEnd(),
        words: text.slice(end - after.length).slice(0, rest.length),
        folder,
        isLast,
        isAlone: isLast && others.length === 1,
        evidence: evidenceOf(parts.with(index, own), index, { output, failedIndex: -1 }),
      }];
    });
  });
  const created = commands.filter(({ name }) => name === "init").map(createdFolder)
    .filter((folder) => folder !== "");
  return commands.filter(({ name, folder }) =>
    name !== "init" && !isTemporaryPath(folder) &&
    !created.some((root) => `${folder}/`.startsWith(`${root}/`))
  ).map((one) => isElsewhere(one.folder) ? one : { ...one, folder: "" });
}

/** Returns the folder in which a `git init` creates a repository; empty for the session's folder. */
function createdFolder({ folder, options }: GitCommand): string {
  const [, branch, named] = /(\s-b)?\s+(?!-)([^\s_]\S*)$/.exec(options) ?? [];
  return named === undefined || branch !== undefined ? folder : folderIn(folder, named);
}

export function commandWords({ name, words }: Pick<GitCommand, "name" | "words">): string {
  return `git ${name}${words}`.replace(/(?<!\s)\s*\d?[<>][^]*$/, "").trim();
}
