/** Finds the dependencies between tasks, and between their pieces. */

import type { NamedTask, NamedTasks } from "./name_tasks.ts";
import type { TaskPiece } from "./split.ts";

export function findDependencies(
  pieces: readonly TaskPiece[],
  tasks: NamedTasks,
): Map<TaskPiece, Set<TaskPiece>> {
  checkDeclared(tasks);
  const piecesOf = piecesByTask(pieces, tasks);
  const waits = new Map<TaskPiece, Set<TaskPiece>>();
  for (const piece of pieces) {
    const own = selfAndAncestors(piece.owner).flatMap(dependenciesOf);
    const inner = descendantsOf(piece.owner).flatMap(dependenciesOf);
    const before = [...own, ...inner].flatMap((id) => piecesOf.get(id) ?? []);
    // The subtasks of a task that was not split can depend on each other, but the task must not wait for
    // itself.
    waits.set(piece, new Set(before.filter((other) => other !== piece)));
  }
  throwOnCycle(waits, (piece) => piece.owner.id);
  return waits;
}

/** Throws on cycles and unknown ids, even within tasks that were not split. */
function checkDeclared(tasks: NamedTasks): void {
  const waits = new Map<NamedTask, Set<NamedTask>>();
  for (const named of tasks.byId.values()) {
    const ids = selfAndAncestors(named).flatMap(dependenciesOf);
    const before = ids.map((id) => {
      const found = tasks.byId.get(id);
      if (found !== undefined) return found;
      const names = [named.id, id].map((name) => JSON.stringify(name));
      throw new RangeError(`Cannot plan tasks: ${names.join(" depends on ")}, which is not a task`);
    });
    waits.set(named, new Set([...before, ...named.children]));
  }
  throwOnCycle(waits, (named) => named.id);
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
    const whole = selfAndAncestors(named).find((one) => found.has(one.id));
    if (whole !== undefined) found.set(id, found.get(whole.id) ?? []);
  }
  return found;
}

function selfAndAncestors(named: NamedTask): NamedTask[] {
  const line: NamedTask[] = [];
  for (let one: NamedTask | null = named; one !== null; one = one.parent) line.push(one);
  return line;
}

function descendantsOf(named: NamedTask): NamedTask[] {
  return named.children.flatMap((child) => [child, ...descendantsOf(child)]);
}

function dependenciesOf(named: NamedTask): readonly string[] {
  return named.task.depends_on ?? [];
}

function throwOnCycle<T>(waits: ReadonlyMap<T, ReadonlySet<T>>, nameOf: (node: T) => string): void {
  const rest = nodesInCycles(waits);
  const path: T[] = [];
  // Each remaining node waits for another remaining node, so the walk reaches a cycle.
  let [node]: Iterable<T | undefined> = rest;
  while (node !== undefined) {
    const start = path.indexOf(node);
    if (start >= 0) {
      const names = [...path.slice(start), node].map(nameOf);
      const shown = names.filter((name, index) => index === 0 || name !== names[index - 1]);
      throw new RangeError(`Cannot plan tasks: depends_on has a cycle, ${cycleText(shown)}`);
    }
    path.push(node);
    node = [...waits.get(node) ?? []].find((one) => rest.has(one));
  }
}

function cycleText(names: readonly string[]): string {
  const [first = ""] = names;
  return (names.length === 1 ? [first, first] : names).join(" -> ");
}

/** Returns the nodes in cycles, and all nodes that wait for them. */
function nodesInCycles<T>(waits: ReadonlyMap<T, ReadonlySet<T>>): Set<T> {
  const left = new Set(waits.keys());
  const open = new Map([...waits].map(([node, before]) => [node, before.size]));
  const waiters = new Map<T, T[]>();
  for (const [node, before] of waits) {
    for (const one of before) {
      const others = waiters.get(one);
      if (others === undefined) waiters.set(one, [node]);
      else others.push(node);
    }
  }
  const ready = [...left].filter((node) => open.get(node) === 0);
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    left.delete(node);
    for (const waiter of waiters.get(node) ?? []) {
      const count = (open.get(waiter) ?? 0) - 1;
      open.set(waiter, count);
      if (count === 0) ready.push(waiter);
    }
  }
  return left;
}
