/** Finds the files that `trimtab clean` deletes. */

import { DAY_MS } from "../../core/time.ts";
import { counted } from "../../inject/bound.ts";
import { oldOutputs } from "../../live/spill_prune.ts";
import { configMarkName, projectFiles } from "../../config/trust.ts";
import { indexCheckpoint, indexPath, readIndex } from "../../saved/project_index.ts";
import { filesOf, oldSaves } from "../../saved/store.ts";
import { readOwnTextOrNull } from "../../store/own_file.ts";
import { dropMark, isMarkedAsOwn, type OwnPlace } from "../../store/own_marks.ts";
import { trackedIn } from "../../store/git_tracked.ts";
import { entriesOf, exists, unlessFailed } from "../../store/exists.ts";
import { fileName, joinPath, parentPath } from "../../store/paths.ts";
import { stateFolder } from "../../store/state.ts";
import { keptFolder } from "../../transcript/kept.ts";
import {
  findKept,
  findOwnFiles,
  findTemporaries,
  type OwnFile,
  removeOwnFile,
} from "./own_files.ts";

export interface CleanPlanOptions {
  readonly projectDir: string;
  /** Claude Code's configuration folder; without it, no session counts as deleted. */
  readonly configDir: string | undefined;
  readonly retentionDays: number;
  /** Days for which a transcript of `trimtab keep` is kept after its last use. @default {Infinity} */
  readonly keptDays?: number;
  readonly nowMs: number;
  readonly all?: boolean;
}

export interface CleanItem extends OwnFile {
  readonly reason: string;
}

export interface CleanPlan {
  readonly items: readonly CleanItem[];
  /** Folders to remove once they are empty, innermost first. */
  readonly folders: readonly string[];
  readonly others: readonly string[];
}

/** Minimum age of a temporary file to delete, in milliseconds; a running process may still use a newer one. */
const TEMPORARY_MS = 60 * 60 * 1000;

const MAX_TEXT_BYTES = 16 * 1024 * 1024;

const EXTENSION = ".jsonl";

/** Matches both files of a session's state, and captures its id. */
const STATE_NAME = /^([^.]+)(?:\.inside)?\.json$/;

const EXPIRING: ReadonlySet<OwnFile["kind"]> = new Set(["blackboard", "report"]);

/** Matches rotated logs, and a file that an earlier version wrote. */
const EXPIRING_NAME = /^(?:\w+\.1\.jsonl|watch\.json)$/;

export function planClean(options: CleanPlanOptions): CleanPlan {
  const { projectDir, configDir } = options;
  const found = findOwnFiles(projectDir);
  const [unreadable] = found.unreadable;
  if (unreadable !== undefined) {
    throw new Deno.errors.PermissionDenied(
      `Cannot clean up: ${unreadable} cannot be read; run \`trimtab doctor\` for advice`,
    );
  }
  const isTracked = trackedIn(projectDir);
  const isForeign = (file: OwnFile): boolean =>
    isTracked(file.path) !== false || !isWrittenHere(file, { projectDir, configDir });
  const files = found.files.filter((file) => !isForeign(file));
  const others = [...found.others, ...found.files.filter(isForeign).map(({ path }) => path)].sort();
  const temporaries = findTemporaries([joinPath(projectDir, ".claude")]);
  if (options.all === true) {
    const reason = "stored by trimtab";
    const items = [...files, ...temporaries].map((file) => ({ ...file, reason }));
    // Other tools also use these two folders, so they may still contain files.
    const shared = [joinPath(projectDir, ".claude", "runtime"), joinPath(projectDir, ".claude")];
    return { items, folders: [...found.folders, ...shared], others };
  }
  const configs = projectFiles({ projectDir, configDir }).filter(({ path }) => exists(path));
  const marks = new Set([...found.files.map(markNameOf), ...configs.map(configMarkName)]);
  const reasons = reasonsOf(options, files, marks);
  temporaries.push(...findTemporaries(foldersOutsideProject(configDir)));
  const items = [...files, ...temporaries].flatMap((file) => {
    const reason = file.kind === "temporary" && file.mtimeMs < options.nowMs - TEMPORARY_MS
      ? "left by a killed process"
      : reasons.get(file.path);
    return reason === undefined ? [] : [{ ...file, reason }];
  });
  return { items: [...items, ...oldTranscripts(options)], folders: [], others };
}

function oldTranscripts({ configDir, keptDays = Infinity, nowMs }: CleanPlanOptions): CleanItem[] {
  const oldest = nowMs - keptDays * DAY_MS;
  return (configDir === undefined ? [] : findKept(keptFolder(configDir)))
    .filter(({ mtimeMs }) => mtimeMs < oldest)
    .map((file) => ({ ...file, reason: `a transcript kept for ${counted(keptDays, "day")}` }));
}

function reasonsOf(
  options: CleanPlanOptions,
  files: readonly OwnFile[],
  marks: ReadonlySet<string | null>,
): Map<string, string> {
  const { projectDir, configDir, nowMs, retentionDays } = options;
  const oldest = nowMs - retentionDays * DAY_MS;
  const old = `older than ${counted(retentionDays, "day")}`;
  const reasons = new Map<string, string>();
  for (const kind of ["checkpoint", "snapshot", "handoff"] as const) {
    const saves = oldSaves(kind, { projectDir, configDir, retentionDays, nowMs });
    const reason = kind === "handoff" ? "a handoff that has expired" : old;
    for (const path of saves.flatMap(filesOf)) reasons.set(path, reason);
  }
  for (const path of oldOutputs({ projectDir, retentionDays, nowMs })) reasons.set(path, old);
  const sessions = sessionIds(configDir);
  for (const { path, mtimeMs, kind } of files) {
    if (mtimeMs >= oldest) continue;
    const name = fileName(path);
    if (kind === "mark" && !marks.has(name)) reasons.set(path, "its file no longer exists");
    if (EXPIRING.has(kind) || EXPIRING_NAME.test(name)) reasons.set(path, old);
    const id = parentPath(path) === stateFolder(projectDir)
      ? STATE_NAME.exec(name)?.[1]
      : undefined;
    if (id !== undefined && sessions?.has(id.toLowerCase()) === false) {
      reasons.set(path, "its session no longer exists");
    }
  }
  return reasons;
}

/** Files that trimtab never marks always count as written on this machine. */
export function isWrittenHere(file: OwnFile, place: OwnPlace): boolean {
  const name = markNameOf(file);
  if (name === null) return true;
  return isMarkedAsOwn(place, name, readOwnTextOrNull(file.path, MAX_TEXT_BYTES) ?? "");
}

/** Both files of a handoff share one mark. Returns null for a file that trimtab never marks. */
export function markNameOf({ path, kind }: OwnFile): string | null {
  const name = fileName(path);
  if (kind === "checkpoint" || kind === "snapshot") return name;
  // A claimed handoff that an earlier version renamed has no mark.
  const [, id] = /^([\da-f-]{36})\.(?:md|json)$/i.exec(name) ?? [];
  return kind === "handoff" && id !== undefined ? `${id}.handoff` : null;
}

/** Returns null if the sessions cannot be listed. */
function sessionIds(configDir: string | undefined): Set<string> | null {
  if (configDir === undefined) return null;
  const projects = joinPath(configDir, "projects");
  return unlessFailed(() => {
    // Follows links, since sessions may be on another disk, and this function only reads.
    const folders = [...Deno.readDirSync(projects)].filter(({ isFile }) => !isFile);
    const names = folders.flatMap(({ name }) => [...Deno.readDirSync(joinPath(projects, name))]);
    return new Set(
      names.filter(({ name }) => name.endsWith(EXTENSION))
        .map(({ name }) => name.slice(0, -EXTENSION.length).toLowerCase()),
    );
  });
}

function foldersOutsideProject(configDir: string | undefined): string[] {
  if (configDir === undefined) return [];
  const folders = ["projects", "tasks", "file-history"].flatMap((name) => {
    const folder = joinPath(configDir, name);
    return (entriesOf(folder) ?? []).map((entry) => joinPath(folder, entry.name));
  });
  return [...folders, parentPath(indexPath(configDir)), keptFolder(configDir)];
}

export interface CleanOptions extends CleanPlanOptions {
  readonly apply?: boolean;
}

export interface CleanResult {
  readonly project: string;
  readonly applied: boolean;
  readonly items: readonly CleanItem[];
  readonly count: number;
  readonly bytes: number;
  readonly index_rows: number;
  readonly others: readonly string[];
}

export function clean(options: CleanOptions): CleanResult {
  const { projectDir, configDir, nowMs, apply = false } = options;
  const plan = planClean(options);
  const removedPaths = new Set(plan.items.map(({ path }) => path));
  const rows = configDir === undefined
    ? []
    : readIndex(configDir).checkpoints.filter(({ path }) => removedPaths.has(path));
  if (apply) {
    for (const item of plan.items) {
      removeOwnFile(item.path);
      const mark = markNameOf(item);
      if (mark !== null) dropMark(projectDir, mark);
    }
    for (const folder of plan.folders) {
      if (entriesOf(folder)?.length === 0) Deno.removeSync(folder);
    }
    if (rows.length > 0 && configDir !== undefined) {
      indexCheckpoint({ projectDir, configDir, nowMs });
    }
  }
  return {
    project: projectDir,
    applied: apply,
    items: plan.items,
    count: plan.items.length,
    bytes: plan.items.reduce((sum, { bytes }) => sum + bytes, 0),
    index_rows: rows.length,
    others: plan.others,
  };
}
