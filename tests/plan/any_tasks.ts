/**
 * Makes arbitrary lists of tasks.
 *
 * @module
 */

import fc from "fast-check";
import type { BatchTask } from "../../src/plan/task.ts";

interface Draft {
  verb: string;
  files: string[] | undefined;
  estimated: number | undefined;
  isWhole: boolean;
  picks: number[];
  children: Draft[];
}

const anyFile = fc.tuple(fc.constantFrom("", "src/", "src/a/", "lib/b/c/"), fc.nat(40))
  .map(([folder, n]) => `${folder}${n}.ts`);

function draftOf(children: fc.Arbitrary<Draft[]>): fc.Arbitrary<Draft> {
  return fc.record({
    verb: fc.constantFrom("Refactor", "Implement", "Add", "Fix", "Update", "Look at", "Prefix"),
    files: fc.option(fc.uniqueArray(anyFile, { maxLength: 12 }), { nil: undefined }),
    estimated: fc.option(fc.nat(20), { nil: undefined, freq: 3 }),
    isWhole: fc.boolean(),
    picks: fc.array(fc.nat(), { maxLength: 3 }),
    children,
  });
}

const leaf = draftOf(fc.constant<Draft[]>([]));
const branch = draftOf(fc.array(leaf, { maxLength: 3 }));
const root = draftOf(fc.array(branch, { maxLength: 3 }));

function taskOf(draft: Draft, id: string, before: readonly string[]): BatchTask {
  const { verb, files, estimated, isWhole, picks, children } = draft;
  const dependencies = [...new Set(picks.map((pick) => before[pick % before.length] ?? ""))]
    .filter((name) => name !== "");
  const ids = children.map((_, n) => `${id}.${n}`);
  return {
    id,
    description: `${verb} number ${id}`,
    ...(files === undefined ? {} : { files }),
    ...(estimated === undefined ? {} : { estimated_files: estimated }),
    ...(isWhole ? { no_split: true } : {}),
    ...(dependencies.length === 0 ? {} : { depends_on: dependencies }),
    ...(children.length === 0 ? {} : {
      // A subtask depends only on earlier subtasks, so the tasks have no cycle.
      subtasks: children.map((child, n) => taskOf(child, `${id}.${n}`, ids.slice(0, n))),
    }),
  };
}

/** Tasks without cycles, in any order: a dependency may follow its dependents. */
export const anyTasks: fc.Arbitrary<BatchTask[]> = fc.tuple(
  fc.array(root, { minLength: 1, maxLength: 8 }),
  fc.infiniteStream(fc.nat()),
).map(([drafts, keys]) => {
  const tasks: BatchTask[] = [];
  for (const [index, draft] of drafts.entries()) {
    tasks.push(taskOf(draft, `t${index}`, tasks.flatMap((task) => idsOf([task]))));
  }
  const places = tasks.map((task) => ({ task, key: Number(keys.next().value ?? 0) % 3 }));
  return places.sort((a, b) => a.key - b.key).map(({ task }) => task);
});

export function idsOf(tasks: readonly BatchTask[]): string[] {
  return tasks.flatMap((task) => [task.id ?? "", ...idsOf(task.subtasks ?? [])]);
}

export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const one of Object.values(value)) deepFreeze(one);
  return Object.freeze(value);
}
