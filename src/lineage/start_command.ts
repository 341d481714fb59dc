/**
 * The command that starts the next session in a shell.
 *
 * @module
 */

/** What a POSIX shell takes as it is. */
const PLAIN = /^[\w@%+=:,./][\w@%+=:,./-]*$/;

/**
 * Words the command that starts a session with a prompt from a file.
 *
 * Permissions: none.
 *
 * @param path The file.
 * @returns The command, for any POSIX shell, whatever the path holds.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { startCommand } from "./start_command.ts";
 *
 * assertEquals(startCommand("/p/a.md"), 'claude "$(cat /p/a.md)"');
 * assertEquals(startCommand("/my p/a.md"), `claude "$(cat '/my p/a.md')"`);
 * ```
 */
export function startCommand(path: string): string {
  return `claude "$(cat ${quoteForShell(path)})"`;
}

/**
 * Quotes a word for a POSIX shell.
 *
 * Permissions: none.
 *
 * @param word The word, without NUL.
 * @returns The word, in quotes where it needs them.
 */
export function quoteForShell(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
