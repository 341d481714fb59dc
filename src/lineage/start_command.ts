/** The command that starts the next session in a shell. */

/** Characters that need no quotes in a POSIX shell. */
const PLAIN = /^[\w@%+=:,./][\w@%+=:,./-]*$/;

export function startCommand(path: string): string {
  return `claude "$(cat ${quoteForShell(path)})"`;
}

export function quoteForShell(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
