import type { Trail } from "../../src/core/work_state.ts";
import { emptyTrail } from "../../src/extract/trail/trail.ts";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { checkSave, SNAPSHOT_SCHEMA_VERSION } from "../../src/saved/check.ts";
import { validateSnapshot } from "./snapshot_schema.ts";
import schema from "../../snapshots.schema.json" with { type: "json" };
import { anySnapshot } from "./snapshots.ts";
import { runsOf } from "../full.ts";

const RUNS = { numRuns: runsOf(1_500, 500, "changed snapshots"), seed: 20261122 };

type Json = null | boolean | number | string | Json[] | { [field: string]: Json };
type Path = readonly (string | number)[];

const EXAMPLE: Json = JSON.parse(JSON.stringify(schema.examples[0]));

function pathsIn(value: Json, path: Path = []): Path[] {
  const inner = value !== null && typeof value === "object"
    ? Object.entries(value).flatMap(([key, one]) =>
      pathsIn(one, [...path, Array.isArray(value) ? Number(key) : key])
    )
    : [];
  return path.length === 0 ? inner : [path, ...inner];
}

/** Returns a copy with another value at a path; undefined removes the value. */
function withValue(value: Json, [key, ...rest]: Path, to: Json | undefined): Json {
  if (Array.isArray(value)) {
    const at = Number(key);
    const inner = rest.length === 0 ? to : withValue(value[at] ?? null, rest, to);
    return inner === undefined ? value.toSpliced(at, 1) : value.with(at, inner);
  }
  if (value === null || typeof value !== "object" || key === undefined) return value;
  const { [key]: old = null, ...others } = value;
  const inner = rest.length === 0 ? to : withValue(old, rest, to);
  return inner === undefined ? others : { ...others, [key]: inner };
}

Deno.test("checkSave() and the schema accept every snapshot", () => {
  const property = fc.property(anySnapshot(), (snapshot) => {
    assertEquals(checkSave(snapshot), []);
    assertEquals(validateSnapshot(snapshot), []);
  });
  fc.assert(property, { ...RUNS, numRuns: 100 });
});

Deno.test("checkSave() agrees with the schema on a snapshot with a change at any path", () => {
  const otherValue = fc.constantFrom<Json | undefined>(
    ...[undefined, null, true, 0, 1, 2, -1, 1.5, 0.5, 1e300, "", "x", "pending", "created"],
    ...["20260301_143522-7", "20260301_143522 ", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z"],
    ...["2026-03-01T14:35:22.1Z\n", [], ["x"], [1], [null], {}, { step: "x" }],
    ...[{ uuid: null, line: null }, { uuid: null, line: 0 }, { phase_number: 1, phase_name: "x" }],
  );
  const base = fc.oneof(
    fc.constant(EXAMPLE),
    anySnapshot().map((one): Json => JSON.parse(JSON.stringify(one))),
  );
  const mutated = base.chain((value) =>
    fc.tuple(fc.constant(value), fc.constantFrom(...pathsIn(value)), otherValue)
  );
  let refused = 0;
  const property = fc.property(mutated, ([value, path, to]) => {
    const other = withValue(value, path, to);
    const [ours, theirs] = [checkSave(other), validateSnapshot(other)];
    assertEquals(ours.length === 0, theirs.length === 0, `${path}: ${ours} | ${theirs}`);
    if (ours.length > 0) refused++;
    assert(ours.every((problem) => problem.endsWith(".")));
  });
  fc.assert(property, RUNS);
  assert(refused > RUNS.numRuns / 3, `only ${refused} were refused`);
});

Deno.test("checkSave() describes each problem and its position", () => {
  const statuses = "pending, in_progress, completed";
  const long = "x".repeat(90);
  const cases: readonly (readonly [path: string, to: Json | undefined, problem: string])[] = [
    ["token_count", -1, "must be a whole number from 0, got -1."],
    ["changes[0].count", "3", 'must be a whole number from 1, got "3".'],
    ["key_decisions[0].from.line", {}, "must be a whole number from 1, got an object."],
    ["next_steps", null, "must be a list, got null."],
    ["learnings", undefined, "is missing."],
    ["next_steps[1].status", "done", `must be one of ${statuses}, got "done".`],
    ["snapshot_id", long, `must be a string like 20260301_143522, got "${long.slice(0, 78)}….`],
  ];
  for (const [path, to, problem] of cases) {
    const changed = withValue(EXAMPLE, path.match(/\w+/g) ?? [], to);
    assertEquals(checkSave(changed), [`The field ${path} ${problem}`]);
  }
});

Deno.test("checkSave() reports a bounded number of problems", () => {
  const learnings = Array.from({ length: 50 }, (_, i) => i);
  const problems = checkSave(withValue(EXAMPLE, ["learnings"], learnings));
  assertEquals(problems.length, 20);
});

Deno.test("snapshots.schema.json describes every field of a trail", () => {
  // The type requires each field here, so a new one cannot be forgotten in the schema.
  const trail: Required<Trail> = {
    ...emptyTrail(),
    branch_before: "",
    uncommitted: 0,
    uncommitted_files: [],
    others: [],
    deleted: [],
    unpushed: 0,
    halted: "",
    stashed: [],
    thought: "",
    intention: "",
    thought_steps: "",
    spec: "",
    planning: false,
    running: [],
    answered: false,
  };
  const described = new Set(Object.keys(schema.$defs.trail.properties));
  assertEquals(new Set(Object.keys(trail)).difference(described), new Set());
});

Deno.test("snapshots.schema.json describes every field, and its examples are valid", () => {
  assertEquals(validateSnapshot(EXAMPLE), []);
  assertEquals(schema.properties.schema_version.const, SNAPSHOT_SCHEMA_VERSION);
  assertEquals(schema.required.filter((name: string) => !(name in schema.properties)), []);
  for (const [name, field] of Object.entries(schema.properties)) {
    assert(field.description.endsWith("."), name);
    const examples: readonly unknown[] = "examples" in field ? field.examples : [];
    for (const example of examples) {
      assertEquals(checkSave({ ...schema.examples[0], [name]: example }), [], name);
    }
  }
});
