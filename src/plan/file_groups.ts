import { complexityOf } from "./complexity.ts";
import { describeEstimate, fileTokensOf, TOKENS_PER_FILE, tokensFor } from "./estimate.ts";
import { type FileMeter, fileMeter, type MeasureOptions } from "./measure.ts";
import { type BatchTask, BUDGET_WARNING, checkBudget } from "./task.ts";

/** Options for splitting a task. */
export interface SplitOptions extends MeasureOptions {
  /** Ids of other tasks, which the parts must not use. */
  readonly takenIds?: ReadonlySet<string> | undefined;
}

export const DEFAULT_TASK_ID = "task";

/**
 * Splits a task into parts that fit the budget, each with some of its files.
 *
 * Files of one folder are kept together if they fit. A folder that does not fit starts a new part. The parts
 * have the ids `<id>-1`, `<id>-2`, ..., except ids in `takenIds`, and their descriptions state the number of
 * the part. `estimated_files` is divided among the parts; other fields are copied, except `subtasks`. A
 * single file that does not fit becomes a part with a warning.
 *
 * Permissions: with `measureFiles`, `--allow-read` for the files and the current folder.
 *
 * @param task The task; it is not changed.
 * @param files The files to divide.
 * @param availableTokens Token budget of a part.
 * @param options Whether files are measured, and ids in use.
 * @returns The parts, in the order of the files' folders; the task itself if it cannot be split.
 * @throws {RangeError} When `availableTokens` or `estimated_files` is not a number of 0 or more.
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
  checkBudget(availableTokens);
  const { takenIds } = options;
  return groupedParts(task, files, { availableTokens, meter: fileMeter(options), takenIds })
    .map((part) => part.task);
}

export interface SplitContext {
  readonly availableTokens: number;
  readonly meter: FileMeter;
  readonly takenIds?: ReadonlySet<string> | undefined;
}

interface PricedTask {
  readonly task: BatchTask;
  readonly tokens: number;
}

export function groupedParts(
  task: BatchTask,
  files: readonly string[],
  { availableTokens, meter, takenIds }: SplitContext,
): PricedTask[] {
  const { description, estimated_files: estimated } = task;
  const { multiplier } = complexityOf(description);
  const sizes = new Map(files.map((file) => [file, meter(file) ?? TOKENS_PER_FILE]));
  // The number of parts is not known yet, so the longest possible note is assumed.
  const chars = description.length + partNote(files.length, files.length).length;
  const estimatedPart = (listed: number): { estimated_files?: number } =>
    estimated === undefined
      ? {}
      : { estimated_files: Math.ceil((estimated * listed) / files.length) };
  const fits = (group: readonly string[]): boolean => {
    const count = group.length;
    const listedTokens = group.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
    const touched = estimatedPart(count).estimated_files ?? count;
    const fileTokens = fileTokensOf({ listed: count, listedTokens, touched });
    return tokensFor(chars, fileTokens, multiplier) <= availableTokens;
  };
  // If the description alone exceeds the budget, every part would also exceed it.
  const groups = files.length < 2 || !fits([]) ? [files] : groupFiles(files, fits);
  const priced = (part: BatchTask, listed: readonly string[]): PricedTask => {
    const { tokens } = describeEstimate({ ...part, files: listed }, meter);
    return { task: tokens > availableTokens ? { ...part, warning: BUDGET_WARNING } : part, tokens };
  };
  if (groups.length < 2) return [priced(task, files)];
  const ids = partIds(task.id ?? DEFAULT_TASK_ID, groups.length, takenIds);
  // Omits subtasks, because otherwise every part would repeat them.
  const { subtasks: _, ...shared } = task;
  return groups.map((group, index) => {
    const note = partNote(index + 1, groups.length);
    const part = { ...shared, id: ids[index], description: description + note, files: group };
    return priced({ ...part, ...estimatedPart(group.length) }, group);
  });
}

function groupFiles(
  files: readonly string[],
  fits: (group: readonly string[]) => boolean,
): string[][] {
  let group: string[] = [];
  const groups = [group];
  for (const folder of byFolder(files)) {
    if (!fits([...group, ...folder])) groups.push(group = []);
    for (const file of folder) {
      if (!fits([...group, file])) groups.push(group = []);
      group.push(file);
    }
  }
  return groups.filter(({ length }) => length > 0);
}

/** Keeps the order in which the folders first occur. */
function byFolder(files: readonly string[]): string[][] {
  const folders = Map.groupBy(files, (file) => {
    const slash = Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\"));
    return file.slice(0, Math.max(slash, 0)).replace(/^\.(?:\/|$)/, "");
  });
  return [...folders.values()];
}

/**
 * Returns the end of a part's description. It contains no path, because a word in a path can look like a verb
 * that changes the estimate.
 */
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
