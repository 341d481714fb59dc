/** Checks a parsed file for unknown tables and keys, wrong types, and values out of range. */

import { isObject } from "../core/record.ts";
import type { ConfigFile } from "./files.ts";
import { nearestName } from "./nearest.ts";
import { type ConfigProblem, type RetiredKey, shownValue } from "./problem.ts";
import {
  CONFIG_SPECS,
  CONFIG_TABLES,
  type ConfigTable,
  type ConfigValues,
  RETIRED_KEYS,
} from "./schema.ts";

export interface CheckedValues {
  readonly values: ConfigValues;
  readonly problems: readonly ConfigProblem[];
  readonly retired: readonly RetiredKey[];
}

const TABLES: readonly ConfigTable[] = CONFIG_TABLES;
/** `.work.toml` belongs to another tool, so trimtab reads only these tables in it. */
const SHARED_TABLES: readonly ConfigTable[] = ["context"];

export function checkFile(
  file: ConfigFile,
  parsed: Readonly<Record<string, unknown>>,
): CheckedValues {
  const values: Partial<Record<ConfigTable, Record<string, unknown>>> = {};
  const problems: ConfigProblem[] = [];
  const retired: RetiredKey[] = [];
  const tables = file.layer === "work" ? SHARED_TABLES : TABLES;
  for (const [name, table] of Object.entries(parsed)) {
    const knownTable = tables.find((known) => known === name);
    if (knownTable === undefined) {
      if (file.layer !== "work") problems.push(unknownTable(file.path, name, table));
    } else if (!isObject(table)) {
      const value = shownValue(table);
      problems.push({ file: file.path, key: name, value, expected: `a table, [${name}]` });
    } else {
      const checked = checkTable(file.path, knownTable, table);
      values[knownTable] = checked.values;
      problems.push(...checked.problems);
      retired.push(...checked.retired);
    }
  }
  return { values, problems, retired };
}

function checkTable(
  from: string,
  table: ConfigTable,
  keys: Readonly<Record<string, unknown>>,
): { values: Record<string, unknown>; problems: ConfigProblem[]; retired: RetiredKey[] } {
  const specs = new Map(Object.entries(CONFIG_SPECS[table]));
  const values: Record<string, unknown> = {};
  const problems: ConfigProblem[] = [];
  const retired: RetiredKey[] = [];
  for (const [key, value] of Object.entries(keys)) {
    const spec = specs.get(key);
    if (spec?.fits(value) === true) {
      values[key] = value;
      continue;
    }
    const instead = RETIRED_KEYS.get(`${table}.${key}`);
    if (instead !== undefined) {
      retired.push({ file: from, key: `${table}.${key}`, instead });
      continue;
    }
    const expected = spec === undefined ? knownNames("key", key, [...specs.keys()]) : spec.expected;
    problems.push({ file: from, key: `${table}.${key}`, value: shownValue(value), expected });
  }
  return { values, problems, retired };
}

function unknownTable(file: string, name: string, value: unknown): ConfigProblem {
  const homeTable = isObject(value)
    ? undefined
    : TABLES.find((table) => Object.hasOwn(CONFIG_SPECS[table], name));
  // A key above the first table probably belongs in a table.
  const expected = homeTable === undefined
    ? knownNames("table", name, TABLES)
    : `it in the table [${homeTable}]`;
  return { file, key: name, value: isObject(value) ? "" : shownValue(value), expected };
}

function knownNames(kind: string, name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  return nearest === null
    ? `one of the known ${kind}s: ${names.join(", ")}`
    : `a known ${kind}; did you mean ${nearest}?`;
}
