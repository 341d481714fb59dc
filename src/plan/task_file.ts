import { parse as parseJsonc } from "@std/jsonc";
import { parse as parseToml } from "@std/toml";
import { nearestName } from "../config/nearest.ts";
import { shownValue } from "../config/problem.ts";
import { isObject } from "../core/record.ts";
import { reasonOf } from "../store/atomic.ts";
import { type BatchTask, type NamedTask, nameTasks } from "./task.ts";

/** Reads a list of tasks in JSON, JSON with comments, or TOML. */
export function parseTasks(text: string, name: string): BatchTask[] {
  // An editor on Windows may have added a byte order mark.
  const plain = text.replace(/^\ufeff/, "");
  const isToml = isTomlFile(plain, name);
  let tasks: unknown;
  try {
    tasks = isToml ? parseToml(plain) : parseJsonc(plain);
  } catch (error) {
    // The parsers are recursive, so deep nesting exceeds the stack.
    const reason = error instanceof RangeError ? "It is nested too deeply" : reasonOf(error);
    const shown = name === "-" ? "stdin" : JSON.stringify(name);
    const format = isToml ? "TOML" : "JSON";
    throw new SyntaxError(`Cannot read tasks ${shown}: not valid ${format}. ${reason}`);
  }
  return checkTasks(tasks);
}

function isTomlFile(text: string, name: string): boolean {
  if (/\.(?:toml|jsonc?)$/i.test(name)) return /\.toml$/i.test(name);
  // JSON starts with `{`, a comment or `[`. In JSON, `{`, a comment, a value or `]` follows the first `[`; in
  // TOML, a second `[` or a table's name follows, as in `[[tasks]]` or `[table]`.
  return !/^\s*(?:\{|\/[/*]|\[\s*(?:[{\]"]|-?\d|(?:null|true|false)\b|\/[/*]|$))/.test(text);
}

const MAX_NAMES = 1_000;

const MAX_ESTIMATED_FILES = 100_000;

const MAX_ID_CHARS = 200;

const MAX_PROBLEMS = 20;

type Report = (field: string, problem: string) => void;

interface FieldSpec {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

const NAMES: FieldSpec = {
  expected: `a list of at most ${MAX_NAMES} strings`,
  fits: (value) => Array.isArray(value) && value.length <= MAX_NAMES && value.every(isName),
};

const FIELDS: Readonly<Record<string, FieldSpec>> = {
  id: {
    expected: `a string of 1 to ${MAX_ID_CHARS} characters on one line`,
    fits: (value) => isName(value) && value.length <= MAX_ID_CHARS,
  },
  description: {
    expected: "a string that describes the work",
    fits: (value) => typeof value === "string" && value.trim() !== "",
  },
  files: NAMES,
  estimated_files: {
    expected: `a whole number from 0 to ${MAX_ESTIMATED_FILES}`,
    fits: (value) =>
      Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_ESTIMATED_FILES,
  },
  depends_on: NAMES,
  no_split: { expected: "true or false", fits: (value) => typeof value === "boolean" },
  priority: {
    expected: "a number or a string",
    fits: (value) => typeof value === "string" || Number.isFinite(value),
  },
};

const KNOWN_KEYS = [...Object.keys(FIELDS), "subtasks"];

export function checkTasks(value: unknown): BatchTask[] {
  const problems: string[] = [];
  const report: Report = (field, problem) => problems.push(`${field}: ${problem}`);
  const list = isObject(value) ? value.tasks : value;
  if (!Array.isArray(list)) problems.push(nonListProblem(value));
  else if (list.length === 0) report("tasks", mismatch("at least one task", list));
  else checkList(list, "tasks", report);
  if (problems.length > 0 || !Array.isArray(list)) throw problemsError(problems);
  return nameTasks(list.filter(isTask)).roots.map(withIds);
}

function nonListProblem(value: unknown): string {
  if (isObject(value) && value.tasks !== undefined) {
    return `tasks: ${mismatch("a list of tasks", value.tasks)}`;
  }
  const keys = isObject(value) ? Object.keys(value).slice(0, MAX_PROBLEMS) : [];
  const found = keys.length > 0 ? `the keys ${keys.join(", ")}` : shownValue(value);
  return `the file: expected a list of tasks, at the top level or under the key tasks, got ${found}`;
}

function mismatch(expected: string, value: unknown): string {
  return `expected ${expected}, got ${value === undefined ? "nothing" : shownValue(value)}`;
}

function checkList(list: readonly unknown[], listPath: string, report: Report): void {
  for (const [index, task] of list.entries()) {
    const path = `${listPath}[${index}]`;
    if (!isObject(task)) {
      report(path, mismatch("a task, such as { description, files }", task));
      continue;
    }
    checkFields(task, path, report);
    const { subtasks } = task;
    if (Array.isArray(subtasks)) checkList(subtasks, `${path}.subtasks`, report);
    else if (subtasks !== undefined) {
      report(`${path}.subtasks`, mismatch("a list of tasks", subtasks));
    }
  }
}

function checkFields(task: Readonly<Record<string, unknown>>, path: string, report: Report): void {
  for (const [field, { expected, fits }] of Object.entries(FIELDS)) {
    const value = task[field];
    if (value === undefined && field !== "description") continue;
    if (!fits(value)) report(`${path}.${field}`, mismatch(expected, value));
  }
  for (const key of Object.keys(task)) {
    if (KNOWN_KEYS.includes(key)) continue;
    // Unknown keys are kept, but likely typos of known keys are rejected.
    const suggestion = nearestName(key, KNOWN_KEYS.filter((known) => !Object.hasOwn(task, known)));
    if (suggestion !== null) {
      report(`${path}.${key}`, `unknown key; did you mean ${suggestion}?`);
    }
  }
}

function withIds(named: NamedTask): BatchTask {
  const { id, task, children } = named;
  if (task.subtasks === undefined) return { id, ...task };
  return { id, ...task, subtasks: children.map(withIds) };
}

function problemsError(problems: readonly string[]): TypeError {
  const [first = "", ...others] = problems;
  if (others.length === 0) return new TypeError(`Cannot use tasks: ${first}`);
  const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => `\n  ${problem}`).join("");
  const more = problems.length - MAX_PROBLEMS;
  const rest = more > 0 ? `\n  and ${more} more` : "";
  return new TypeError(`Cannot use tasks: ${problems.length} problems${shown}${rest}`);
}

function isTask(value: unknown): value is BatchTask {
  return isObject(value) && typeof value.description === "string";
}

function isName(value: unknown): value is string {
  // deno-lint-ignore no-control-regex
  return typeof value === "string" && value.trim() !== "" && !/[\x00-\x1f\x7f]/.test(value);
}
