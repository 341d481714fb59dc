import { getAvailableContext } from "./available.ts";
import { findDependencies } from "./dependencies.ts";
import { type FileMeter, fileMeter, type MeasureOptions } from "./measure.ts";
import { nameTasks } from "./name_tasks.ts";
import { splitNamedTask, type TaskPiece } from "./split.ts";
import { type BatchTask, checkBudget } from "./task.ts";

interface TaskBatch {
  readonly tasks: readonly BatchTask[];
  readonly taskTokens: readonly number[];
  readonly tokens: number;
}

export interface BatchPlan {
  readonly batches: readonly TaskBatch[];
  /** For each task, the ids of its pieces, or its own id if it was not split. */
  readonly pieceIds: readonly (readonly string[])[];
}

/**
 * Groups tasks into batches that fit a budget; splits tasks that are too large.
 *
 * A task comes in a later batch than its dependencies, because the tasks of one batch run in parallel.
 * Otherwise the order is kept. A batch exceeds the budget only if it consists of a single task, which then
 * has a `warning`. Every returned task has an id, and its `depends_on` lists returned tasks: the parts of a
 * split task instead of the task itself.
 *
 * Permissions: with `measureFiles`, `--allow-read` for the files and the current folder.
 *
 * @param tasks The tasks; they are not changed.
 * @param availableTokens Token budget of a batch; defaults to the result of {@linkcode getAvailableContext}.
 * @param options Whether files are measured.
 * @returns The batches, each with its tasks.
 * @throws {RangeError} When a task depends on an unknown task or on itself, when dependencies form a cycle,
 * when two tasks have the same id, when there are too many tasks or levels of subtasks, or when
 * `availableTokens` or `estimated_files` is not a number of 0 or more.
 * @throws {TypeError} When a description is not a string.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { batchTasksByContext } from "./batches.ts";
 *
 * const tasks = [
 *   { id: "api", description: "Write the API", files: ["api.ts"] },
 *   { id: "page", description: "Write the page", files: ["page.ts"], depends_on: ["api"] },
 *   { id: "docs", description: "Write the docs", files: ["README.md"] },
 * ];
 * const ids = batchTasksByContext(tasks, 50_000).map((batch) => batch.map(({ id }) => id));
 * assertEquals(ids, [["api", "docs"], ["page"]]);
 * ```
 */
export function batchTasksByContext(
  tasks: readonly BatchTask[],
  availableTokens: number = getAvailableContext(),
  options: MeasureOptions = {},
): BatchTask[][] {
  const { batches } = planBatches(tasks, availableTokens, fileMeter(options));
  return batches.map((batch) => [...batch.tasks]);
}

export function planBatches(
  tasks: readonly BatchTask[],
  availableTokens: number,
  meter: FileMeter = fileMeter(),
): BatchPlan {
  checkBudget(availableTokens);
  const named = nameTasks(tasks);
  const takenIds = new Set(named.byId.keys());
  const piecesOfTasks = named.roots.map((root) => {
    const pieces = splitNamedTask(root, { availableTokens, meter, takenIds });
    for (const { id } of pieces) takenIds.add(id);
    return pieces;
  });
  const pieces = piecesOfTasks.flat();
  const dependencies = findDependencies(pieces, named);
  const batches = fillBatches(pieces, dependencies, availableTokens);
  return {
    batches: batches.map((batch) => describeBatch(batch, dependencies)),
    pieceIds: piecesOfTasks.map((pieces) => pieces.map(({ id }) => id)),
  };
}

/** Fills the batches in the order of the tasks, skipping only tasks with unfinished dependencies. */
function fillBatches(
  pieces: readonly TaskPiece[],
  dependencies: ReadonlyMap<TaskPiece, ReadonlySet<TaskPiece>>,
  availableTokens: number,
): TaskPiece[][] {
  const batches: TaskPiece[][] = [];
  const done = new Set<TaskPiece>();
  let remaining = pieces;
  while (remaining.length > 0) {
    const batch: TaskPiece[] = [];
    let tokens = 0;
    for (const piece of remaining) {
      if (dependencies.get(piece)?.isSubsetOf(done) === false) continue;
      if (batch.length > 0 && tokens + piece.tokens > availableTokens) break;
      batch.push(piece);
      tokens += piece.tokens;
    }
    if (batch.length === 0) {
      const cycle = findCycle(
        remaining[0],
        (piece) => dependencies.get(piece)?.values().find((other) => !done.has(other)),
      );
      const waiting = remaining.filter((piece) => cycle.has(piece));
      const ids = [...new Set(waiting.map(({ owner }) => owner.id))];
      throw new RangeError(`Cannot plan tasks: ${ids.join(", ")} wait for each other`);
    }
    for (const piece of batch) done.add(piece);
    remaining = remaining.filter((piece) => !done.has(piece));
    batches.push(batch);
  }
  return batches;
}

function findCycle(
  start: TaskPiece | undefined,
  dependencyOf: (piece: TaskPiece) => TaskPiece | undefined,
): Set<TaskPiece> {
  const path = new Set<TaskPiece>();
  let piece = start;
  while (piece !== undefined && !path.has(piece)) {
    path.add(piece);
    piece = dependencyOf(piece);
  }
  // Tasks that lead to the cycle are not part of it.
  for (const leading of path) {
    if (leading === piece) break;
    path.delete(leading);
  }
  return path;
}

function describeBatch(
  batch: readonly TaskPiece[],
  dependencies: ReadonlyMap<TaskPiece, ReadonlySet<TaskPiece>>,
): TaskBatch {
  const taskTokens = batch.map((piece) => piece.tokens);
  return {
    tasks: batch.map((piece) => {
      const before = [...dependencies.get(piece) ?? []].map(({ id }) => id);
      const { depends_on: declared, ...task } = piece.task;
      const depends = declared === undefined && before.length === 0 ? {} : { depends_on: before };
      return { ...task, description: piece.task.description, id: piece.id, ...depends };
    }),
    taskTokens,
    tokens: taskTokens.reduce((sum, count) => sum + count, 0),
  };
}
