/** Cuts a task by the files that it is about. */

import { complexityOf } from "./complexity.ts";
import { estimateWith, fileTokensOf, priceOf, TOKENS_PER_FILE } from "./estimate.ts";
import { type FileMeter, fileMeter, type MeasureOptions } from "./measure.ts";
import { type BatchTask, BUDGET_WARNING, checkBudget } from "./task.ts";

/** The way a task is cut. */
export interface SplitOptions extends MeasureOptions {
  /** Ids that are taken by other tasks; the parts get others. */
  readonly takenIds?: ReadonlySet<string> | undefined;
}

/** Name of a task without an id in the ids of its parts. */
export const NAMELESS_ID = "task";

/**
 * Cuts a task into parts by groups of its files, each as large as fits.
 *
 * Files of one folder stay together where they fit; a folder that is too large for one part begins a
 * part of its own. The parts are called `<id>-1`, `<id>-2`, ..., their descriptions say which part they
 * are, and everything else in the task goes along. A single file that does not fit makes a part with a
 * warning.
 *
 * Permissions: with `measureFiles`, `--allow-read` for the files and the current folder.
 *
 * @param task The task; it stays as it is.
 * @param files Its files.
 * @param availableTokens Tokens that a part may take.
 * @param options Whether files are measured, and ids that are taken.
 * @returns The parts in the order of the files' folders; the task itself where nothing can be cut.
 * @throws {RangeError} When `availableTokens` is no number from 0.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { splitByFileGroups } from "./file_groups.ts";
 *
 * const files = ["src/a.ts", "lib/c.ts", "src/b.ts"];
 * const parts = splitByFileGroups({ id: "tidy", description: "Refactor it" }, files, 8_100);
 * assertEquals(parts.map(({ id, files }) => [id, files]), [
 *   ["tidy-1", ["src/a.ts", "src/b.ts"]],
 *   ["tidy-2", ["lib/c.ts"]],
 * ]);
 * ```
 */
export function splitByFileGroups(
  task: BatchTask,
  files: readonly string[],
  availableTokens: number,
  options: SplitOptions = {},
): BatchTask[] {
  return splitWith(task, files, { availableTokens, meter: fileMeter(options), ...options });
}

export interface SplitContext {
  readonly availableTokens: number;
  readonly meter: FileMeter;
  readonly takenIds?: ReadonlySet<string> | undefined;
}

/** {@linkcode splitByFileGroups} with a meter that may know the files already. */
export function splitWith(
  task: BatchTask,
  files: readonly string[],
  context: SplitContext,
): BatchTask[] {
  checkBudget(context.availableTokens);
  const sizer = sizerOf(task, files, context);
  // If the description alone is too large, parts would only repeat it.
  const groups = files.length < 2 || !sizer.fits(0, 0) ? [[...files]] : groupFiles(files, sizer);
  if (groups.length < 2) {
    const { tokens } = estimateWith({ ...task, files }, context.meter);
    return [tokens <= context.availableTokens ? task : { ...task, warning: BUDGET_WARNING }];
  }
  const ids = partIds(task.id ?? NAMELESS_ID, groups.length, context.takenIds);
  return groups.map((group, index) => {
    const part: BatchTask = {
      ...task,
      ...(ids[index] === undefined ? {} : { id: ids[index] }),
      description: task.description + partNote(index + 1, groups.length),
      files: group,
      ...sizer.estimatedPart(group.length),
    };
    const isOver = estimateWith(part, context.meter).tokens > context.availableTokens;
    return isOver ? { ...part, warning: BUDGET_WARNING } : part;
  });
}

interface Sizer {
  tokensOf(files: readonly string[]): number;
  fits(count: number, tokens: number): boolean;
  estimatedPart(count: number): { estimated_files?: number };
}

function sizerOf(task: BatchTask, files: readonly string[], context: SplitContext): Sizer {
  const { availableTokens, meter } = context;
  const { description, estimated_files: estimated } = task;
  const { multiplier } = complexityOf(description);
  // The number of parts is not known yet, so each is assumed to have the longest note.
  const chars = description.length + partNote(files.length, files.length).length;
  /** Divides a task's own number of files among its parts, by the files that each lists. */
  const estimatedPart = (count: number): { estimated_files?: number } =>
    estimated === undefined || files.length === 0
      ? {}
      : { estimated_files: Math.ceil((estimated * count) / files.length) };
  return {
    estimatedPart,
    tokensOf: (group) => group.reduce((sum, file) => sum + (meter(file) ?? TOKENS_PER_FILE), 0),
    fits: (listed, listedTokens) => {
      const figures = { listed, listedTokens, estimated: estimatedPart(listed).estimated_files };
      return priceOf(chars, fileTokensOf(figures), multiplier) <= availableTokens;
    },
  };
}

function groupFiles(files: readonly string[], sizer: Sizer): string[][] {
  const groups: string[][] = [];
  let group: string[] = [];
  let tokens = 0;
  const close = (): void => {
    if (group.length > 0) groups.push(group);
    group = [];
    tokens = 0;
  };
  for (const folder of byFolder(files)) {
    const folderTokens = sizer.tokensOf(folder);
    if (!sizer.fits(group.length + folder.length, tokens + folderTokens)) close();
    for (const file of folder) {
      const fileTokens = sizer.tokensOf([file]);
      if (!sizer.fits(group.length + 1, tokens + fileTokens)) close();
      group.push(file);
      tokens += fileTokens;
    }
  }
  close();
  return groups;
}

/** The files by folder, folders in the order in which they come up. */
function byFolder(files: readonly string[]): string[][] {
  const folders = Map.groupBy(files, (file) => {
    const slash = Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\"));
    return file.slice(0, Math.max(slash, 0)).replace(/^\.(?:\/|$)/, "");
  });
  return [...folders.values()];
}

/** Appended to a part's description. It names no path: one may look like a verb. */
function partNote(number: number, count: number): string {
  return ` (part ${number} of ${count})`;
}

function partIds(id: string, count: number, taken: ReadonlySet<string> = new Set()): string[] {
  const ids: string[] = [];
  for (let number = 1; ids.length < count; number++) {
    const partId = `${id}-${number}`;
    if (!taken.has(partId)) ids.push(partId);
  }
  return ids;
}
