import { type AvailableClues, getAvailableContext } from "./available.ts";
import { batchTasksByContext } from "./batches.ts";
import type { MeasureOptions } from "./measure.ts";
import type { BatchTask } from "./task.ts";

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
 * @throws {RangeError} When a task depends on an unknown task or on itself, when dependencies form a cycle,
 * when two tasks have the same id, when there are too many tasks or levels of subtasks, or when the budget or
 * `estimated_files` is not a number of 0 or more.
 * @throws {TypeError} When a description is not a string.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createBatchedWorkflow } from "./workflow.ts";
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
