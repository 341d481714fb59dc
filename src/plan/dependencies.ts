/** Finds which pieces of tasks must wait for which other pieces. */

import type { NamedTask, NamedTasks } from "./name_tasks.ts";
import type { TaskPiece } from "./split.ts";

export function findDependencies(
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
