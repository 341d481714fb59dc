/**
 * Makes arbitrary lists of tasks.
 *
 * @module
 */

import fc from "fast-check";
import type { BatchTask } from "../../src/plan/task.ts";

const anyFile = fc.tuple(fc.constantFrom("", "src/", "src/a/", "lib/b/c/"), fc.nat(40))
  .map(([folder, n]) => `${folder}${n}.ts`);

/** A task without an id. Each number in `depends_on` selects an earlier task. */
const anyDraft = fc.record({
  description: fc.constantFrom("Refactor", "Implement", "Add", "Fix", "Look at", "Prefix"),
  files: fc.uniqueArray(anyFile, { maxLength: 12 }),
  estimated_files: fc.nat(20),
  no_split: fc.boolean(),
  depends_on: fc.array(fc.nat(), { maxLength: 3 }),
}, { requiredKeys: ["description", "depends_on"] });

type Draft = typeof anyDraft extends fc.Arbitrary<infer T> ? T : never;
type DraftTree = readonly [draft: Draft, children: readonly DraftTree[]];

const { root } = fc.letrec<{ root: DraftTree; leaf: DraftTree }>((tie) => ({
  leaf: fc.tuple(anyDraft, fc.constant([])),
  root: fc.tuple(
    anyDraft,
    fc.array(fc.oneof({ maxDepth: 1 }, tie("leaf"), tie("root")), { maxLength: 3 }),
  ),
}));

function taskOf([draft, children]: DraftTree, id: string, before: readonly string[]): BatchTask {
  const { depends_on: picks, ...fields } = draft;
  const dependencies = [...new Set(picks.flatMap((pick) => before[pick % before.length] ?? []))];
  const ids = children.map((_, n) => `${id}.${n}`);
  return {
    ...fields,
    id,
    ...(dependencies.length === 0 ? {} : { depends_on: dependencies }),
    // A subtask depends only on earlier subtasks, so the tasks have no cycle.
    ...(children.length === 0 ? {} : {
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
