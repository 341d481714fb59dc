/** Warning for a task that exceeds the budget and cannot be split. */
export const BUDGET_WARNING = "Task may exceed context budget";

export const MAX_SUBTASK_DEPTH = 10;

/** A task of a plan. Unknown fields are kept. */
export interface BatchTask {
  /** Unique id; defaults to `task-N`, or to `<id of the parent>-N` for the Nth subtask. */
  readonly id?: string | undefined;
  /** The work to do. */
  readonly description: string;
  /** The files that the task involves. */
  readonly files?: readonly string[] | undefined;
  /** Number of files that the task touches; defaults to the number of `files`, or to 3 without `files`. */
  readonly estimated_files?: number | undefined;
  /** Smaller tasks that together make up the task. */
  readonly subtasks?: readonly BatchTask[] | undefined;
  /** Ids of the tasks that must be done first. */
  readonly depends_on?: readonly string[] | undefined;
  /** Whether the task must not be split, regardless of its size. */
  readonly no_split?: boolean | undefined;
  /** The task's urgency, for the worker. */
  readonly priority?: number | string | undefined;
  /** Present if the task exceeds the budget. */
  readonly warning?: string | undefined;
  /** Any other field. */
  readonly [key: string]: unknown;
}

export function checkBudget(availableTokens: number): void {
  if (availableTokens >= 0) return;
  throw new RangeError(`Cannot plan tasks: ${availableTokens} tokens, expected 0 or more`);
}
