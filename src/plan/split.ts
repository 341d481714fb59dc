import { describeEstimate, type FileMeter, fileMeter, type MeasureOptions } from "./estimate.ts";
import { type BatchTask, BUDGET_WARNING, checkBudget, type NamedTask, nameTasks } from "./task.ts";

/** Options for splitting a task. */
export interface SplitOptions extends MeasureOptions {
  /** Ids of other tasks, which the parts must not use. */
  readonly takenIds?: ReadonlySet<string> | undefined;
}

const DEFAULT_TASK_ID = "task";

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
 * import { splitByFileGroups } from "./split.ts";
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

interface SplitContext {
  readonly availableTokens: number;
  readonly meter: FileMeter;
  readonly takenIds?: ReadonlySet<string> | undefined;
}

interface PricedTask {
  readonly task: BatchTask;
  readonly tokens: number;
}

function groupedParts(
  task: BatchTask,
  files: readonly string[],
  { availableTokens, meter, takenIds }: SplitContext,
): PricedTask[] {
  const { description, estimated_files: estimated } = task;
  // The number of parts is not known yet, so the longest possible note is assumed.
  const longest = description + partNote(files.length, files.length);
  const estimatedPart = (listed: number): { estimated_files?: number } =>
    estimated === undefined
      ? {}
      : { estimated_files: Math.ceil((estimated * listed) / files.length) };
  const fits = (group: readonly string[]): boolean => {
    const part = { description: longest, files: group, ...estimatedPart(group.length) };
    return describeEstimate(part, meter).tokens <= availableTokens;
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

/** Contains no path, because a word in a path can look like a verb that changes the estimate. */
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

/** A whole task, or a part of a split task. */
export interface TaskPiece {
  readonly id: string;
  readonly task: BatchTask;
  readonly tokens: number;
  readonly owner: NamedTask;
}

/**
 * Splits a task into pieces that fit the budget.
 *
 * A task that fits is returned unchanged. A larger task is split into its subtasks, which are split further
 * if they are too large. A task without subtasks is split by its files. A task that cannot be split, or has
 * `no_split`, is returned with a warning.
 *
 * Permissions: with `measureFiles`, `--allow-read` for the files and the current folder.
 *
 * @param task The task; it is not changed.
 * @param availableTokens Token budget of a piece.
 * @param options Whether files are measured, and ids in use.
 * @returns The pieces, in order. A piece that exceeds the budget has a `warning`.
 * @throws {RangeError} When a number is negative, an id is not unique, or there are too many subtasks.
 * @throws {TypeError} When a description is not a string.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { splitTaskForContext } from "./split.ts";
 *
 * const task = { id: "a", description: "Refactor", files: ["a/1.ts", "a/2.ts", "b/1.ts"] };
 * assertEquals(splitTaskForContext(task, 50_000), [task]);
 * assertEquals(splitTaskForContext(task, 9_000).map(({ id }) => id), ["a-1", "a-2"]);
 * assertEquals(splitTaskForContext({ description: "Think" }, 9)[0]?.warning !== undefined, true);
 * ```
 */
export function splitTaskForContext(
  task: BatchTask,
  availableTokens: number,
  options: SplitOptions = {},
): BatchTask[] {
  checkBudget(availableTokens);
  const { roots, byId } = nameTasks([task], () => DEFAULT_TASK_ID);
  const takenIds = new Set([...byId.keys(), ...options.takenIds ?? []]);
  const context = { availableTokens, meter: fileMeter(options), takenIds };
  return roots.flatMap((root) => splitNamedTask(root, context)).map((piece) => piece.task);
}

export function splitNamedTask(named: NamedTask, context: SplitContext): TaskPiece[] {
  const { id, task } = named;
  const { tokens } = describeEstimate(task, context.meter);
  if (tokens <= context.availableTokens) return [{ id, task, tokens, owner: named }];
  const whole = [{ id, task: { ...task, warning: BUDGET_WARNING }, tokens, owner: named }];
  if (task.no_split === true) return whole;
  if (named.children.length > 0) {
    return named.children.flatMap((child) => splitNamedTask(child, context)).map((piece) => ({
      ...piece,
      task: withDependencies(piece.task, task.depends_on),
    }));
  }
  const parts = groupedParts({ ...task, id }, task.files ?? [], context);
  if (parts.length < 2) return whole;
  return parts.map((part) => ({ ...part, id: part.task.id ?? id, owner: named }));
}

/** Adds dependencies, because a subtask waits for everything that its parent waits for. */
function withDependencies(task: BatchTask, added: readonly string[] | undefined): BatchTask {
  if (added === undefined || added.length === 0) return task;
  return { ...task, depends_on: [...new Set([...added, ...task.depends_on ?? []])] };
}
