/**
 * Lists the sessions that a bench measures.
 *
 * @module
 */

export function sessionsIn(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (!Deno.statSync(path).isDirectory) return [path];
    return [...Deno.readDirSync(path)].sort((a, b) => a.name < b.name ? -1 : 1)
      .flatMap(({ name, isDirectory }) => {
        if (isDirectory) return sessionsIn([`${path}/${name}`]);
        return name.endsWith(".jsonl") ? [`${path}/${name}`] : [];
      });
  });
}

export function linesIn(path: string): string[] {
  return Deno.readTextFileSync(path).split("\n").filter(Boolean);
}

/** Returns at most `limit` items, evenly spaced. */
export function spread<T>(all: readonly T[], limit: number): T[] {
  if (all.length <= limit) return [...all];
  return Array.from(
    { length: limit },
    (_, index) => all[Math.floor((index * all.length) / limit)] as T,
  );
}
