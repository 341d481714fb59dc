/** Turns batches into a workflow that saves between them. */

import { type AvailableClues, getAvailableContext } from "./available.ts";
import { batchTasksByContext } from "./batches.ts";
import type { MeasureOptions } from "./measure.ts";
import type { BatchTask } from "./task.ts";

const CHECKPOINT_PROMPT = "Run /checkpoint to save progress";

/** Tasks that run side by side. */
export interface BatchNode {
  /** They run in parallel. */
  readonly type: "parallel";
  /** The tasks. */
  readonly tasks: readonly BatchTask[];
}

/** A save between two batches. */
export interface CheckpointNode {
  /** It runs alone. */
  readonly type: "single";
  /** The remedy. */
  readonly prompt: string;
}

/** Order of the steps. */
export interface WorkflowEdge {
  /** The name of the node that comes first. */
  readonly from: string;
  /** The name of the node that comes next. */
  readonly to: string;
}

/** Batches with a checkpoint between each two, as one path. */
export interface BatchedWorkflow {
  /** `batch_0`, `checkpoint_0`, `batch_1`, ... by name. */
  readonly nodes: Readonly<Record<string, BatchNode | CheckpointNode>>;
  /** From each batch to its checkpoint, and from there to the next batch. */
  readonly edges: readonly WorkflowEdge[];
}

/** Options of a workflow. */
export interface WorkflowOptions extends MeasureOptions {
  /** Tokens that a batch may take. @default what {@linkcode getAvailableContext} says of `session` */
  readonly availableTokens?: number | undefined;
  /** Facts about the session that the work is for. */
  readonly session?: AvailableClues | undefined;
}

/**
 * Makes a workflow of tasks: batches that fit, with a checkpoint between each two.
 *
 * Permissions: with `measureFiles`, `--allow-read` for the files and the current folder.
 *
 * @param tasks The tasks; they stay as they are.
 * @param options The budget, and whether files are measured.
 * @returns The workflow; without tasks an empty one.
 * @throws {RangeError} When a task depends on an unknown one or on itself in a circle, when two have
 * one id, or when the budget is no number from 0.
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
