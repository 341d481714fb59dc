import { entriesOf } from "../../store/exists.ts";
import { dropMark } from "../../store/own_marks.ts";
import { indexCheckpoint, readIndex } from "../../saved/project_index.ts";
import { type CleanItem, type CleanPlanOptions, markNameOf, planClean } from "./plan.ts";
import { removeOwnFile } from "./own_files.ts";

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
