import { DAY_MS } from "../core/time.ts";
import { entriesOf, infoOf } from "../store/exists.ts";
import { joinPath, parentPath } from "../store/paths.ts";
import { readLineage } from "../saved/lineage/file.ts";
import { stateFolder, type StateOwner } from "../store/state.ts";
import { spillFolder } from "./spill.ts";

interface OldOutputsOptions {
  readonly projectDir: string;
  /** Days to keep an output after the last use of its session or of a session that continues it. */
  readonly retentionDays: number;
  readonly nowMs: number;
}

/** Keeps outputs while a session that continues theirs is in use, because it refers to them. */
export function oldOutputs(options: OldOutputsOptions): string[] {
  const { projectDir, retentionDays, nowMs } = options;
  const oldest = nowMs - retentionDays * DAY_MS;
  const root = spillFolder(projectDir);
  const folders = (entriesOf(root) ?? []).filter(({ isDirectory }) => isDirectory);
  const old = folders.flatMap(({ name }) => {
    const folder = joinPath(root, name);
    const files = (entriesOf(folder) ?? [])
      .filter((entry) => entry.isFile && !entry.name.startsWith("."))
      .map((entry) => joinPath(folder, entry.name));
    return files.every((path) => modifiedMs(path) < oldest) ? [{ name, files }] : [];
  });
  if (old.length === 0) return [];
  const used = usedSessions(projectDir, oldest);
  return old.filter(({ name }) => !used.has(name)).flatMap(({ files }) => files);
}

function usedSessions(projectDir: string, sinceMs: number): ReadonlySet<string> {
  const states = stateFolder(projectDir);
  const used = new Set(
    (entriesOf(states) ?? []).filter(({ name }) => modifiedMs(joinPath(states, name)) >= sinceMs)
      .map(({ name }) => name.replace(/(?:\.inside)?\.json$/, "")),
  );
  const { sessions } = readLineage({ projectDir });
  const parents = new Map(sessions.map((row) => [row.session_id, row.parent_session_id]));
  // The set grows during the loop, so that it includes the ancestors of ancestors.
  for (const id of used) {
    const parent = parents.get(id) ?? null;
    if (parent !== null) used.add(parent);
  }
  return used;
}

export function pruneOutputs(options: OldOutputsOptions): number {
  const old = oldOutputs(options);
  for (const path of old) Deno.removeSync(path);
  for (const folder of new Set(old.map(parentPath))) {
    if (entriesOf(folder)?.length === 0) Deno.removeSync(folder);
  }
  return old.length;
}

export function isFirstOutput(owner: StateOwner): boolean {
  return entriesOf(joinPath(spillFolder(owner.projectDir), owner.sessionId))?.length === 1;
}

/** Returns milliseconds since 1970. A missing file counts as old; a file whose time is unknown does not. */
function modifiedMs(path: string): number {
  const info = infoOf(path);
  return info === null ? -Infinity : info.mtime?.getTime() ?? Infinity;
}
