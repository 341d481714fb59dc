/** Matches a word that needs no quotes in a POSIX shell. */
const PLAIN = /^[\w@%+=:,./][\w@%+=:,./-]*$/;

export function quoteForShell(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
