/** Pieces of work that are to fit a context window. */

/** Warning of a task that cannot be cut small enough. */
export const BUDGET_WARNING = "Task may exceed context budget";

/** Subtasks may hold subtasks of their own, down to this many levels. */
export const MAX_SUBTASK_DEPTH = 10;

/** One piece of work. Other fields are kept as they are. */
export interface BatchTask {
  /** A name of its own; left out, `task-N` by its place in the list. */
  readonly id?: string | undefined;
  /** The task. */
  readonly description: string;
  /** The files that it is about. */
  readonly files?: readonly string[] | undefined;
  /** Number of files that it touches; left out, the number of `files`, and 3 if that is left out, too. */
  readonly estimated_files?: number | undefined;
  /** Smaller tasks that make it up. */
  readonly subtasks?: readonly BatchTask[] | undefined;
  /** Ids of tasks that come before it. */
  readonly depends_on?: readonly string[] | undefined;
  /** Whether it stays whole, whatever its size. */
  readonly no_split?: boolean | undefined;
  /** Its urgency, for the worker. */
  readonly priority?: number | string | undefined;
  /** Says that it is larger than the budget. */
  readonly warning?: string | undefined;
  /** Anything else. */
  readonly [key: string]: unknown;
}

export function checkBudget(availableTokens: number): void {
  if (availableTokens >= 0) return;
  throw new RangeError(`Cannot plan tasks: ${availableTokens} tokens, expected 0 or more`);
}
