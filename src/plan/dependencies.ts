/** Finds the dependencies between tasks, and between their pieces. */

import type { NamedTask, NamedTasks } from "./name_tasks.ts";
import type { TaskPiece } from "./split.ts";

export function findDependencies(
  pieces: readonly TaskPiece[],
  tasks: NamedTasks,
): Map<TaskPiece, Set<TaskPiece>> {
  for (const named of tasks.byId.values()) checkIds(named, tasks);
  const piecesOf = piecesByTask(pieces, tasks);
  const dependencies = new Map<TaskPiece, Set<TaskPiece>>();
  for (const piece of pieces) {
    const inherited = selfAndAncestors(piece.owner).flatMap(dependenciesOf);
    const inner = descendantsOf(piece.owner).flatMap(dependenciesOf);
    const before = [...inherited, ...inner].flatMap((id) => piecesOf.get(id) ?? []);
    // The subtasks of a task that was not split can depend on each other, but the task must not wait for
    // itself.
    dependencies.set(piece, new Set(before.filter((other) => other !== piece)));
  }
  return dependencies;
}

function checkIds(named: NamedTask, { byId }: NamedTasks): void {
  const unknown = dependenciesOf(named).find((id) => !byId.has(id));
  if (unknown === undefined) return;
  const names = [named.id, unknown].map((name) => JSON.stringify(name));
  throw new RangeError(`Cannot plan tasks: ${names.join(" depends on ")}, which is not a task`);
}

function piecesByTask(
  pieces: readonly TaskPiece[],
  tasks: NamedTasks,
): Map<string, TaskPiece[]> {
  const found = new Map<string, TaskPiece[]>();
  for (const piece of pieces) {
    for (const { id } of selfAndAncestors(piece.owner)) {
      const others = found.get(id);
      if (others === undefined) found.set(id, [piece]);
      else others.push(piece);
    }
  }
  for (const [id, named] of tasks.byId) {
    if (found.has(id)) continue;
    const whole = selfAndAncestors(named).find(({ id }) => found.has(id));
    if (whole !== undefined) found.set(id, found.get(whole.id) ?? []);
  }
  return found;
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
