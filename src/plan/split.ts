import { describeEstimate } from "./estimate.ts";
import {
  DEFAULT_TASK_ID,
  groupedParts,
  type SplitContext,
  type SplitOptions,
} from "./file_groups.ts";
import { fileMeter } from "./measure.ts";
import { type NamedTask, nameTasks } from "./name_tasks.ts";
import { type BatchTask, BUDGET_WARNING, checkBudget } from "./task.ts";

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
 * @throws {RangeError} When `availableTokens` or `estimated_files` is not a number of 0 or more, when two
 * tasks have the same id, or when there are too many subtasks or levels of subtasks.
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
