/** Checks a snapshot's shape without a library; says the same as `snapshots.schema.json`. */

import { isRecord } from "../../core/record.ts";

/** The version of the shape that this trimtab reads and writes. */
export const SNAPSHOT_SCHEMA_VERSION = 1;

const MAX_PROBLEMS = 20;

const SNAPSHOT_ID = /^(?:[0-9]{8}_[0-9]{6}|[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{6})(?:-[0-9]{1,6})?$/;
const TIMESTAMP =
  /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?Z$/;

type Check = (value: unknown, path: string, problems: string[]) => void;

const text: Check = simple("a string", (value) => typeof value === "string");
const count: Check = simple("a whole number from 0", (value) => isWhole(value, 0));
const positive: Check = simple("a whole number from 1", (value) => isWhole(value, 1));
const number: Check = simple("a number", (value) => typeof value === "number");
const texts = list(text);

const origin = fields({ uuid: orNull(text), line: orNull(positive) });

const trail = fields({
  stopped: texts,
  commands: texts,
  refused: texts,
  branch: text,
  links: texts,
  read: texts,
  plans: texts,
}, { names: texts });

const from = { from: origin };

const counts = list(fields({ name: text, count }));

const progress = fields({
  recent: list(fields({ text, from: origin })),
  tools: counts,
  files_read: counts,
  summaries: list(origin),
});

const origins = fields({
  requirements: list(origin),
  issues: list(
    fields({
      kind: oneOf(["command", "tool", "todo", "question", "stated"]),
      uuid: orNull(text),
      line: orNull(positive),
    }),
  ),
  learnings: list(origin),
  stopped: list(origin),
  commands: list(origin),
  refused: list(origin),
});

const CONTENT = {
  session_id: orNull(text),
  original_requirements: text,
  later_requirements: texts,
  key_decisions: list(
    fields({ decision: text, rationale: text, alternatives: text }, {
      ...from,
      kind: oneOf(["answer", "plan", "user", "assistant"]),
    }),
  ),
  implementation_state: text,
  open_items: texts,
  next_steps: list(
    fields({ step: text, status: oneOf(["pending", "in_progress", "completed"]) }, from),
  ),
  tools_used: texts,
  changes: list(fields({
    file: text,
    action: oneOf(["created", "modified"]),
    count: positive,
    first_line: orNull(positive),
    last_line: orNull(positive),
    what: text,
  }, { ...from, why: text })),
  commits: list(fields({ hash: text, message: text }, from)),
  phase_state: orNull(fields({ phase_number: number, phase_name: text })),
  active_task: orNull(fields({ plan_id: text, status: text })),
  learnings: texts,
  original_tokens: orNull(count),
  compacted_tokens: orNull(count),
  compression_ratio: orNull(
    simple(
      "a number from 0 to 1",
      (value) => typeof value === "number" && value >= 0 && value <= 1,
    ),
  ),
};

const OPTIONAL_CONTENT = {
  trail,
  progress,
  origins,
  partial: text,
};

const SNAPSHOT = fields({
  schema_version: simple(
    `${SNAPSHOT_SCHEMA_VERSION}`,
    (value) => value === SNAPSHOT_SCHEMA_VERSION,
  ),
  snapshot_id: matching(SNAPSHOT_ID, "an id like 20260301_143522"),
  name: orNull(text),
  timestamp: matching(TIMESTAMP, "a time like 2026-03-01T14:35:22.000Z"),
  token_count: count,
  ...CONTENT,
}, {
  ...OPTIONAL_CONTENT,
  reason: oneOf(["auto", "manual", "watcher"]),
  project: text,
  iteration: positive,
  usage_percent: orNull(number),
  parent: orNull(text),
  verified: simple("true or false", (value) => typeof value === "boolean"),
  summary: text,
  view_sha256: matching(/^[0-9a-f]{64}$/, "a SHA-256 digest"),
});

/** Checks what a save says of the work, where it stands in another file. */
export function checkContent(value: unknown): string[] {
  const problems: string[] = [];
  fields(CONTENT, OPTIONAL_CONTENT)(value, "", problems);
  return problems;
}

/**
 * Checks whether a value is a snapshot.
 *
 * @param value What a file's JSON holds.
 * @returns What is wrong, a sentence with the path of the field each; empty where nothing is.
 *
 * @example
 * ```ts
 * import { assert, assertEquals } from "@std/assert";
 * import { checkSnapshot } from "./check.ts";
 *
 * assertEquals(checkSnapshot([]), ["The snapshot must be an object, but is a list."]);
 * assert(checkSnapshot({}).includes("The field schema_version is missing."));
 * ```
 */
export function checkSnapshot(value: unknown): string[] {
  const problems: string[] = [];
  SNAPSHOT(value, "", problems);
  if (problems.length <= MAX_PROBLEMS) return problems;
  return [...problems.slice(0, MAX_PROBLEMS), `${problems.length - MAX_PROBLEMS} more problems.`];
}

function wrongField(path: string, expected: string, value: unknown): string {
  const what = path === "" ? "The snapshot" : `The field ${path}`;
  return `${what} must be ${expected}, but is ${kindOf(value)}.`;
}

function simple(expected: string, isFitting: (value: unknown) => boolean): Check {
  return (value, path, problems) => {
    if (!isFitting(value)) problems.push(wrongField(path, expected, value));
  };
}

function matching(pattern: RegExp, expected: string): Check {
  return simple(expected, (value) => typeof value === "string" && pattern.test(value));
}

function oneOf(values: readonly string[]): Check {
  return simple(`one of ${values.join(", ")}`, (value) => values.some((one) => one === value));
}

function orNull(check: Check): Check {
  return (value, path, problems) => {
    if (value !== null) check(value, path, problems);
  };
}

function list(item: Check): Check {
  return (value, path, problems) => {
    if (!Array.isArray(value)) {
      problems.push(wrongField(path, "a list", value));
      return;
    }
    value.forEach((one, i) => item(one, `${path}[${i}]`, problems));
  };
}

function fields(
  required: { readonly [field: string]: Check },
  optional: { readonly [field: string]: Check } = {},
): Check {
  return (value, path, problems) => {
    if (!isRecord(value)) {
      problems.push(wrongField(path, "an object", value));
      return;
    }
    const prefix = path === "" ? "" : `${path}.`;
    for (const [field, check] of Object.entries(required)) {
      if (value[field] !== undefined) check(value[field], prefix + field, problems);
      else problems.push(`The field ${prefix}${field} is missing.`);
    }
    for (const [field, check] of Object.entries(optional)) {
      if (value[field] !== undefined) check(value[field], prefix + field, problems);
    }
  };
}

function isWhole(value: unknown, least: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= least;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  const shown = JSON.stringify(value) ?? "undefined";
  return shown.length > 40 ? `${shown.slice(0, 39).toWellFormed()}…` : shown;
}
