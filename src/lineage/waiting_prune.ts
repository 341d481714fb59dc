/** Handoffs that are over. */

import { DAY_MS } from "../core/time.ts";
import { joinPath } from "../store/paths.ts";
import { namesIn, partsOf } from "./waiting_files.ts";

/** Within a day a handoff waits, whatever the retention. */
const MIN_DAYS = 1;

export function oldFiles(
  folder: string,
  clues: { readonly nowMs: number; readonly retentionDays: number },
): string[] {
  const oldest = clues.nowMs - Math.max(MIN_DAYS, clues.retentionDays) * DAY_MS;
  const names = namesIn(folder).map((name) => ({
    name,
    parent: partsOf(name)?.parent ?? "",
    isOld: timeOf(joinPath(folder, name)) < oldest,
  }));
  const kept = new Set(names.filter(({ isOld }) => !isOld).map(({ parent }) => parent));
  return names.filter(({ parent }) => !kept.has(parent)).map(({ name }) => name);
}

function timeOf(path: string): number {
  try {
    return Deno.lstatSync(path).mtime?.getTime() ?? Infinity;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return Infinity;
    throw error;
  }
}
