/** Deletes files of trimtab that have expired, or all that it stored in a project. */

import { dropMark } from "../../store/ours.ts";
import { fileName } from "../../store/paths.ts";
import { indexCheckpoint, readIndex } from "../../saved/project_index.ts";
import { type CleanItem, type CleanPlan, type CleanPlanOptions, planClean } from "./plan.ts";
import { entriesOf, removeOwnFile } from "./own_files.ts";

export interface CleanOptions extends CleanPlanOptions {
  /** Whether to delete; without it, nothing is changed. @default {false} */
  readonly apply?: boolean;
}

/** Deleted files, or those to delete, under the names of the command's JSON. */
export interface CleanResult {
  readonly project: string;
  readonly applied: boolean;
  readonly items: readonly CleanItem[];
  readonly count: number;
  readonly bytes: number;
  readonly index_rows: number;
  /** Files in trimtab's folders that are not its own; they stay. */
  readonly others: readonly string[];
}

export function clean(options: CleanOptions): CleanResult {
  const { projectDir, configDir, nowMs, apply = false } = options;
  const plan = planClean(options);
  const gone = new Set(plan.items.map(({ path }) => path));
  const rows = configDir === undefined
    ? []
    : readIndex(configDir).checkpoints.filter(({ path }) => gone.has(path));
  if (apply) {
    removeAll(plan, projectDir);
    // The index is rebuilt from the files that are left.
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

function removeAll({ items, folders }: CleanPlan, projectDir: string): void {
  for (const { path } of items) {
    removeOwnFile(path);
    dropMark(projectDir, fileName(path).replace(/^([\da-f-]{36})\.(?:md|json)$/i, "$1.handoff"));
  }
  for (const folder of folders) {
    if (entriesOf(folder)?.length === 0) Deno.removeSync(folder);
  }
}
