/** Counts the files that must be read again because a trim or a compaction cut them. */

import { type Item, linesOf, oldStrings, type Point, shownBy, union } from "./regret_points.ts";

export const CHARS_PER_TOKEN = 3.5;

export interface Rereads {
  /** Files with lost lines that later edits quote. */
  readonly needed: ReadonlySet<string>;
  /** Other files with lost lines. The session read them again although it still had the lines in context. */
  readonly anyway: ReadonlySet<string>;
}

export function rereadsOf(point: Point, kept: readonly Item[]): Rereads {
  const keptLines = union(kept.map((item) => shownBy(item).lines));
  const lost = point.quotes.difference(keptLines);
  const needed = new Set(
    point.future.filter((item) => quotesOf(item).some((line) => lost.has(line)))
      .map(({ input }) => String(input?.file_path)),
  );
  const results = new Map(
    point.future.flatMap((item) => item.kind === "result" ? [[item.id, item] as const] : []),
  );
  const before = linesByFile(point.past);
  const anyway = new Set(
    point.future.flatMap((call) => {
      const path = readPath(call);
      const result = results.get(call.id);
      const cut = before.get(path ?? "")?.difference(keptLines);
      if (path === undefined || result === undefined || cut === undefined) return [];
      return cut.isDisjointFrom(shownBy(result).lines) ? [] : [path];
    }),
  );
  return { needed, anyway: anyway.difference(needed) };
}

function linesByFile(items: readonly Item[]): Map<string, Set<string>> {
  const paths = new Map(
    items.flatMap((item) => {
      const path = readPath(item);
      return path === undefined ? [] : [[item.id, path] as const];
    }),
  );
  const lines = new Map<string, Set<string>>();
  for (const item of items) {
    const path = item.kind === "result" ? paths.get(item.id) : undefined;
    if (path === undefined) continue;
    lines.set(path, (lines.get(path) ?? new Set()).union(shownBy(item).lines));
  }
  return lines;
}

export function readPath({ kind, toolName, input }: Item): string | undefined {
  return kind === "use" && toolName === "Read" ? String(input?.file_path) : undefined;
}

function quotesOf({ kind, input }: Item): string[] {
  return kind === "use" ? oldStrings(input ?? {}).flatMap(linesOf) : [];
}
