/** Makes paths inside the project relative. The text is a path, or contains paths. */
export function shownPath(text: string, projectDir: string): string {
  const base = projectDir.replace(/[/\\]+$/, "");
  if (base === "" || !text.includes(base)) return text;
  // After a change to another folder, a relative path would refer to a different file.
  const folderChange = new RegExp(
    `\\bcd\\s+["']?(?!${RegExp.escape(base)}(?![\\w-]))(?:/|~|\\$|\\.\\.)`,
  );
  if (folderChange.test(text)) return text;
  // A folder whose path merely starts with the project's path is a different folder. After a delimiter
  // such as `|` in `sed 's|a|b|'`, the path is part of a pattern.
  const inside = new RegExp(
    `(?<![\\w./\\\\~|#@%!-])${RegExp.escape(base)}([/\\\\]|(?![\\w-]|\\.\\w))`,
    "g",
  );
  // The project's folder itself becomes a dot only after `cd`, because a dot would be unclear elsewhere.
  return text.replaceAll(inside, (match, separator: string, start: number) => {
    if (separator !== "") return "";
    return /\bcd\s+["']?$/.test(text.slice(0, start)) ? "." : match;
  });
}
