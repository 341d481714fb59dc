const MORE_NOTE_CHARS = 16;

/**
 * Lists paths with one line per folder, in the order of each folder's first path. Counts paths that do not fit.
 */
export function folderLines(paths: readonly string[], maxChars: number): string[] {
  const folders = new Map<string, string[]>();
  let room = maxChars - MORE_NOTE_CHARS;
  let count = 0;
  for (const path of paths) {
    const nameStart = path.lastIndexOf("/") + 1;
    const [folder, name] = [path.slice(0, nameStart), path.slice(nameStart)];
    const known = folders.get(folder);
    room -= name.length + 2 + (known === undefined ? folder.length + 3 : 0);
    if (room < 0) break;
    if (known === undefined) folders.set(folder, [name]);
    else known.push(name);
    count++;
  }
  const lines = [...folders].map(([folder, names]) =>
    `- ${folder}${names.length > 1 && folder !== "" ? " " : ""}${names.join(", ")}`
  );
  const omitted = paths.length - count;
  return omitted === 0 ? lines : [...lines, `(${omitted} more)`];
}
