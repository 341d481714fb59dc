/** Matches a word that needs no quotes in a POSIX shell. */
const PLAIN = /^[\w@%+=:,./][\w@%+=:,./-]*$/;

export function quoteForShell(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Matches the tag of a block of shell commands in Markdown. */
export const SHELL_TAG = /^(?:bash|console|sh|shell|zsh)$/;
