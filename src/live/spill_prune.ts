/** Outputs that are kept for longer than they need to be. */

import { DAY_MS } from "../core/time.ts";
import { joinPath } from "../store/paths.ts";
import type { StateOwner } from "../store/state.ts";
import { spillFolder } from "./spill.ts";

interface OldOutputsOptions {
  readonly projectDir: string;
  /** Days for which an output is kept after the newest of its session. */
  readonly retentionDays: number;
  readonly nowMs: number;
}

const MAX_ENTRIES = 10_000;

/** Lists outputs that can go, session by session: each may still be in its session's context. */
export function oldOutputs(options: OldOutputsOptions): string[] {
  const { projectDir, retentionDays, nowMs } = options;
  const oldest = nowMs - retentionDays * DAY_MS;
  const root = spillFolder(projectDir);
  const sessions = entriesOf(root).filter(({ isDirectory }) => isDirectory);
  return sessions.flatMap(({ name }) => {
    const folder = joinPath(root, name);
    const files = entriesOf(folder).filter((entry) => entry.isFile && !entry.name.startsWith("."))
      .map((entry) => joinPath(folder, entry.name));
    return files.every((path) => modifiedMs(path) < oldest) ? files : [];
  });
}

export function pruneOutputs(options: OldOutputsOptions): number {
  const old = oldOutputs(options);
  for (const path of old) Deno.removeSync(path);
  for (const folder of new Set(old.map((path) => path.slice(0, path.lastIndexOf("/"))))) {
    if (entriesOf(folder).length === 0) Deno.removeSync(folder);
  }
  return old.length;
}

/** Tells whether a session has just one output: the time to look after those of others. */
export function isFirstOutput(owner: StateOwner): boolean {
  return entriesOf(joinPath(spillFolder(owner.projectDir), owner.sessionId)).length === 1;
}

function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    if (!Deno.lstatSync(folder).isDirectory) return [];
    return [...Deno.readDirSync(folder)].slice(0, MAX_ENTRIES);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** A file of unknown time does not count as old. */
function modifiedMs(path: string): number {
  try {
    return Deno.lstatSync(path).mtime?.getTime() ?? Infinity;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return -Infinity;
    throw error;
  }
}
