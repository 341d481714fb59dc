/** Lists the sessions that a bench measures. */

import { walkSync } from "@std/fs";

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

export function spread<T>(all: readonly T[], limit: number): T[] {
  if (all.length <= limit) return [...all];
  return Array.from(
    { length: limit },
    (_, index) => all[Math.floor((index * all.length) / limit)] as T,
  );
}
