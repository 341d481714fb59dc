/** Checkpoints that are older than they need to be. */

import { DAY_MS } from "../../core/time.ts";
import { dropMark, isOurFile, type OwnPlace } from "../../store/ours.ts";
import { fileName } from "../../store/paths.ts";
import { checkpointPaths, type FoundCheckpoint, readCheckpoints } from "./files.ts";

interface PruneOptions extends OwnPlace {
  readonly retentionDays: number;
  readonly nowMs: number;
  /** A checkpoint that stays whatever its age; the one just saved. */
  readonly keepId?: string;
}

export function pruneCheckpoints(options: PruneOptions): string[] {
  const old = oldCheckpoints(options);
  for (const path of old.flatMap(filesOf)) {
    removeFile(path);
    dropMark(options.projectDir, fileName(path));
  }
  return old.map(({ id }) => id);
}

/** Lists the checkpoints of a project that {@linkcode pruneCheckpoints} would delete. */
export function oldCheckpoints(options: PruneOptions): FoundCheckpoint[] {
  const { projectDir, retentionDays, nowMs, keepId } = options;
  const oldest = nowMs - retentionDays * DAY_MS;
  const sessions = new Set<string>();
  // The newest comes first, so the first of a session is the one that stays.
  return readCheckpoints(projectDir).filter((found) => {
    const { id, session_id, created } = found;
    const isNewest = !sessions.has(session_id);
    sessions.add(session_id);
    return !isNewest && id !== keepId && Date.parse(created) < oldest &&
      filesOf(found).every((path) => isOurFile(options, path));
  });
}

/** Files of a checkpoint that are there, the JSON that announces it first. */
export function filesOf({ path, save }: FoundCheckpoint): string[] {
  const { json, view } = checkpointPaths(path);
  return [...(save === null ? [] : [json]), ...(path === view ? [view] : [])];
}

function removeFile(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    // Somebody else saves a checkpoint at the same time.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
