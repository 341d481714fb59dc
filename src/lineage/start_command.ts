/** The command that starts the next session in a shell. */

/** What a POSIX shell takes as it is. */
const PLAIN = /^[\w@%+=:,./][\w@%+=:,./-]*$/;

export function startCommand(path: string): string {
  return `claude "$(cat ${quoteForShell(path)})"`;
}

export function quoteForShell(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
