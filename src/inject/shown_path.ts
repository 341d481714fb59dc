/** Paths as they are shown. */

/** Shows paths inside the project without the project's folder, in a path or in any text. */
export function shownPath(text: string, projectDir: string): string {
  const base = projectDir.replace(/[/\\]+$/, "");
  if (base === "" || !text.includes(base)) return text;
  // Behind a change to another folder the shorter path would name another file.
  const leaves = new RegExp(`\\bcd\\s+["']?(?!${RegExp.escape(base)}(?![\\w-]))(?:/|~|\\$|\\.\\.)`);
  if (leaves.test(text)) return text;
  // A longer name with the project's folder as its prefix is another folder.
  const inside = new RegExp(
    `(?<![\\w./\\\\~-])${RegExp.escape(base)}([/\\\\]|(?![\\w-]|\\.\\w))`,
    "g",
  );
  return text.replaceAll(inside, (_all, end: string) => end === "" ? "." : "");
}
