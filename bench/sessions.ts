/**
 * Lists the sessions that a bench measures.
 *
 * @module
 */

import { walkSync } from "@std/fs";

/** Lists the given files, and the sessions below the given folders. */
export function sessionsIn(paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    Deno.statSync(path).isDirectory
      ? Array.from(walkSync(path, { includeDirs: false, exts: ["jsonl"] }), ({ path }) => path)
        .sort()
      : [path]
  );
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
