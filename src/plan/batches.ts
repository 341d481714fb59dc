import { type AvailableClues, getAvailableContext } from "./available.ts";
import { type FileMeter, fileMeter, type MeasureOptions } from "./estimate.ts";
import { splitNamedTask, type TaskPiece } from "./split.ts";
import { type BatchTask, checkBudget, type NamedTask, type NamedTasks, nameTasks } from "./task.ts";

/** Finds which pieces of tasks must wait for which other pieces. */
function findDependencies(
  pieces: readonly TaskPiece[],
  tasks: NamedTasks,
): Map<TaskPiece, Set<TaskPiece>> {
  for (const named of tasks.byId.values()) checkIds(named, tasks);
  const piecesOf = piecesByTask(pieces, tasks);
  return new Map(pieces.map((piece) => {
    const related = [...selfAndAncestors(piece.owner), ...descendantsOf(piece.owner)];
    const prerequisites = related.flatMap(dependenciesOf).flatMap((id) => piecesOf.get(id) ?? []);
    // A task that was not split must not wait for itself, even if its subtasks depend on each other.
    return [piece, new Set(prerequisites.filter((other) => other !== piece))];
  }));
}

function checkIds(named: NamedTask, { byId }: NamedTasks): void {
  const wrong = dependenciesOf(named).find((id) => !byId.has(id) || id === named.id);
  if (wrong === undefined) return;
  const names = [named.id, wrong].map((name) => JSON.stringify(name));
  const problem = wrong === named.id ? "which is the same task" : "which is not a task";
  throw new RangeError(`Cannot plan tasks: ${names.join(" depends on ")}, ${problem}`);
}

function piecesByTask(
  pieces: readonly TaskPiece[],
  tasks: NamedTasks,
): Map<string, TaskPiece[]> {
  const owned = pieces.flatMap((piece) =>
    selfAndAncestors(piece.owner).map((task) => ({ task, piece }))
  );
  const found = Map.groupBy(owned, ({ task }) => task);
  // If a task was not split, its subtasks have no pieces of their own, so they map to the task's piece.
  return new Map([...tasks.byId].map(([id, named]) => {
    const group = selfAndAncestors(named).map((task) => found.get(task)).find(Boolean) ?? [];
    return [id, group.map(({ piece }) => piece)];
  }));
}

function selfAndAncestors(named: NamedTask): NamedTask[] {
  const chain: NamedTask[] = [];
  for (let task: NamedTask | null = named; task !== null; task = task.parent) chain.push(task);
  return chain;
}

function descendantsOf(named: NamedTask): NamedTask[] {
  return named.children.flatMap((child) => [child, ...descendantsOf(child)]);
}

function dependenciesOf(named: NamedTask): readonly string[] {
  return named.task.depends_on ?? [];
}

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
 * @throws {RangeError} When dependencies are unknown or form a cycle, an id is not unique, there are too many
 * tasks, or a number is negative.
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
  const context = { availableTokens, meter, takenIds: new Set(named.byId.keys()) };
  const piecesOfTasks = named.roots.map((root) => splitNamedTask(root, context));
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
      const ids = [...new Set(remaining.map(({ owner }) => owner.id))];
      throw new RangeError(`Cannot plan tasks: a cycle of dependencies blocks ${ids.join(", ")}`);
    }
    for (const piece of batch) done.add(piece);
    remaining = remaining.filter((piece) => !done.has(piece));
    batches.push(batch);
  }
  return batches;
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

const CHECKPOINT_PROMPT = "Run /checkpoint to save progress";

/** A step that runs the tasks of a batch in parallel. */
export interface BatchNode {
  /** The tasks run in parallel. */
  readonly type: "parallel";
  /** The tasks of the batch. */
  readonly tasks: readonly BatchTask[];
}

/** A step that saves a checkpoint between two batches. */
export interface CheckpointNode {
  /** The step runs alone. */
  readonly type: "single";
  /** The prompt of the step. */
  readonly prompt: string;
}

/** The order of two steps. */
export interface WorkflowEdge {
  /** Name of the earlier node. */
  readonly from: string;
  /** Name of the later node. */
  readonly to: string;
}

/** A sequence of batches with a checkpoint between consecutive batches. */
export interface BatchedWorkflow {
  /** The nodes by name: `batch_0`, `checkpoint_0`, `batch_1`, ... */
  readonly nodes: Readonly<Record<string, BatchNode | CheckpointNode>>;
  /** Edges from each batch to its checkpoint, and from there to the next batch. */
  readonly edges: readonly WorkflowEdge[];
}

/** Options for a workflow. */
export interface WorkflowOptions extends MeasureOptions {
  /** Token budget of a batch. @default the result of {@linkcode getAvailableContext} for `session` */
  readonly availableTokens?: number | undefined;
  /** Facts about the session that does the work. */
  readonly session?: AvailableClues | undefined;
}

/**
 * Plans tasks as a workflow: batches that fit the budget, with a checkpoint between consecutive batches.
 *
 * Permissions: with `measureFiles`, `--allow-read` for the files and the current folder.
 *
 * @param tasks The tasks; they are not changed.
 * @param options The budget, and whether files are measured.
 * @returns The workflow; empty without tasks.
 * @throws {RangeError} When dependencies are unknown or form a cycle, an id is not unique, there are too many
 * tasks, or a number is negative.
 * @throws {TypeError} When a description is not a string.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createBatchedWorkflow } from "./batches.ts";
 *
 * const tasks = [{ description: "Write it" }, { description: "Test it" }];
 * const { nodes, edges } = createBatchedWorkflow(tasks, { availableTokens: 7_000 });
 * assertEquals(Object.keys(nodes), ["batch_0", "checkpoint_0", "batch_1"]);
 * assertEquals(edges, [
 *   { from: "batch_0", to: "checkpoint_0" },
 *   { from: "checkpoint_0", to: "batch_1" },
 * ]);
 * ```
 */
export function createBatchedWorkflow(
  tasks: readonly BatchTask[],
  options: WorkflowOptions = {},
): BatchedWorkflow {
  const available = options.availableTokens ?? getAvailableContext(options.session);
  return workflowOf(batchTasksByContext(tasks, available, options));
}

export function workflowOf(batches: readonly (readonly BatchTask[])[]): BatchedWorkflow {
  const nodes: Record<string, BatchNode | CheckpointNode> = {};
  const edges: WorkflowEdge[] = [];
  for (const [index, tasks] of batches.entries()) {
    nodes[`batch_${index}`] = { type: "parallel", tasks };
    if (index === batches.length - 1) break;
    nodes[`checkpoint_${index}`] = { type: "single", prompt: CHECKPOINT_PROMPT };
    edges.push({ from: `batch_${index}`, to: `checkpoint_${index}` });
    edges.push({ from: `checkpoint_${index}`, to: `batch_${index + 1}` });
  }
  return { nodes, edges };
}
