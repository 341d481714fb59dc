/** Validates a save against `snapshots.schema.json`. Supports only the keywords that this schema uses. */

import { shownValue } from "../config/problem.ts";
import { isObject } from "../core/record.ts";
import schema from "../../snapshots.schema.json" with { type: "json" };

interface Rule {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly unknown[];
  readonly items?: Rule;
  readonly required?: readonly string[];
  readonly properties?: { readonly [field: string]: Rule };
  readonly anyOf?: readonly Rule[];
}

export const SNAPSHOT_SCHEMA_VERSION = 1;

const MAX_PROBLEMS = 20;

const RULES: { readonly [name: string]: Rule } = schema.$defs;

/** Returns a sentence for each of the first 20 problems, with the path of the field. */
export function checkSave(value: unknown): string[] {
  const problems: string[] = [];
  check(value, schema, "", problems);
  return problems.slice(0, MAX_PROBLEMS);
}

function check(value: unknown, unresolved: Rule, path: string, problems: string[]): void {
  const rule = resolveRule(unresolved);
  if (value === null && allowedTypes(rule).includes("null")) return;
  if (!matchesRule(value, rule)) {
    const subject = path === "" ? "The save" : `The field ${path}`;
    problems.push(`${subject} must be ${describeRule(rule)}, got ${describeValue(value)}.`);
  } else if (Array.isArray(value)) {
    const { items = {} } = rule;
    value.forEach((item, index) => check(item, items, `${path}[${index}]`, problems));
  } else if (isObject(value)) {
    const prefix = path === "" ? "" : `${path}.`;
    for (const field of rule.required ?? []) {
      if (value[field] === undefined) problems.push(`The field ${prefix}${field} is missing.`);
    }
    for (const [field, inner] of Object.entries(rule.properties ?? {})) {
      if (value[field] !== undefined) check(value[field], inner, prefix + field, problems);
    }
  }
}

/** Resolves `$ref`, and turns `anyOf: [rule, null]` into one rule that allows null. */
function resolveRule(rule: Rule): Rule {
  const { $ref, anyOf } = rule;
  if ($ref !== undefined) return resolveRule(RULES[$ref.replace("#/$defs/", "")] ?? {});
  if (anyOf === undefined) return rule;
  const inner = resolveRule(anyOf.find(({ type }) => type !== "null") ?? {});
  return { ...inner, type: [...allowedTypes(inner), "null"] };
}

function allowedTypes({ type = [] }: Rule): readonly string[] {
  return typeof type === "string" ? [type] : type;
}

function matchesRule(value: unknown, rule: Rule): boolean {
  const { pattern, minimum = -Infinity, maximum = Infinity } = rule;
  if (rule.const !== undefined) return value === rule.const;
  if (rule.enum !== undefined) return rule.enum.some((allowed) => allowed === value);
  if (typeof value === "number" && !(value >= minimum && value <= maximum)) return false;
  if (typeof value === "string" && pattern !== undefined) {
    return new RegExp(pattern, "u").test(value);
  }
  const actual: string = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return allowedTypes(rule).some((type) =>
    type === actual || (type === "integer" && Number.isInteger(value))
  );
}

function describeRule(rule: Rule): string {
  const { minimum, maximum, pattern, examples = [] } = rule;
  if (rule.const !== undefined) return String(rule.const);
  if (rule.enum !== undefined) return `one of ${rule.enum.join(", ")}`;
  const end = maximum === undefined ? "" : ` to ${maximum}`;
  const bounds = minimum === undefined ? "" : ` from ${minimum}${end}`;
  const names: { readonly [type: string]: string } = {
    array: "a list",
    object: "an object",
    integer: `a whole number${bounds}`,
    number: `a number${bounds}`,
    boolean: "true or false",
    string: pattern === undefined ? "a string" : `a string like ${examples[0] ?? pattern}`,
  };
  return names[allowedTypes(rule).find((type) => type !== "null") ?? ""] ?? "nothing";
}

function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return shownValue(value);
}
