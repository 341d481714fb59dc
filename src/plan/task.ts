/** Warning for a task that exceeds the budget and cannot be split. */
export const BUDGET_WARNING = "Task may exceed context budget";

const MAX_SUBTASK_DEPTH = 10;

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

const MAX_TASKS = 10_000;

export interface NamedTask {
  readonly id: string;
  readonly task: BatchTask;
  readonly parent: NamedTask | null;
  readonly children: readonly NamedTask[];
}

export interface NamedTasks {
  readonly roots: readonly NamedTask[];
  readonly byId: ReadonlyMap<string, NamedTask>;
}

/** Names each task without an id `task-N`, or `<id>-N` below another task, avoiding taken ids. */
export function nameTasks(
  tasks: readonly BatchTask[],
  defaultId: (index: number) => string = (index) => `task-${index + 1}`,
): NamedTasks {
  const usedIds = new Set<string>();
  claimGivenIds(tasks, usedIds);
  const byId = new Map<string, NamedTask>();
  const name = (task: BatchTask, parent: NamedTask | null, fallback: string): NamedTask => {
    const id = task.id ?? freeId(fallback, usedIds);
    usedIds.add(id);
    const children: NamedTask[] = [];
    const named = { id, task, parent, children };
    byId.set(id, named);
    for (const [index, subtask] of (task.subtasks ?? []).entries()) {
      children.push(name(subtask, named, `${id}-${index + 1}`));
    }
    return named;
  };
  return { roots: tasks.map((task, index) => name(task, null, defaultId(index))), byId };
}

function claimGivenIds(tasks: readonly BatchTask[], usedIds: Set<string>): void {
  let count = 0;
  let level: readonly BatchTask[] = tasks;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_SUBTASK_DEPTH) {
      throw new RangeError(
        `Cannot plan tasks: subtasks are nested over ${MAX_SUBTASK_DEPTH} levels deep`,
      );
    }
    count += level.length;
    if (count > MAX_TASKS) {
      throw new RangeError(`Cannot plan tasks: there are more than ${MAX_TASKS} tasks`);
    }
    for (const { id } of level) {
      if (id === undefined) continue;
      if (usedIds.has(id)) {
        throw new RangeError(`Cannot plan tasks: duplicate id ${JSON.stringify(id)}`);
      }
      usedIds.add(id);
    }
    level = level.flatMap((task) => task.subtasks ?? []);
  }
}

function freeId(wanted: string, usedIds: ReadonlySet<string>): string {
  let id = wanted;
  for (let number = 2; usedIds.has(id); number++) id = `${wanted}-${number}`;
  return id;
}
