/** Describes invalid parts of configuration files. The module inside the client lists only their keys. */

import { isObject } from "../core/record.ts";
import type { WrongPart } from "./merge.ts";
import { nearestName } from "./nearest.ts";
import { type ConfigProblem, shownValue } from "./problem.ts";
import {
  CONFIG_SPECS,
  CONFIG_TABLES,
  type ConfigTable,
  isTable,
  type KeySpec,
  MAX_LIST_ITEMS,
  specOf,
} from "./schema.ts";

export function describeProblem({ file, key, value, expected }: WrongPart): ConfigProblem {
  const [table = "", keyName] = key.split(".");
  const isShown = keyName !== undefined || !(value === undefined || isObject(value));
  return {
    file,
    key,
    value: isShown ? shownValue(value) : "",
    expected: expected ??
      (keyName === undefined || !isTable(table)
        ? expectedTable(key, value)
        : expectedValue(table, keyName)),
  };
}

export function expectedOf(key: string, { value, range, choices }: KeySpec): string {
  if (range !== undefined) return `a whole number from ${range[0]} to ${range[1]}`;
  const names = choices?.map((name) => `"${name}"`).join(", ");
  if (!Array.isArray(value)) return names === undefined ? "true or false" : `one of ${names}`;
  const items = key === "protect" ? "globs" : "names of tools";
  return names === undefined
    ? `a list of at most ${MAX_LIST_ITEMS} ${items}`
    : `a list of values from ${names}`;
}

function expectedValue(table: ConfigTable, key: string): string {
  const spec = specOf(table, key);
  return spec === undefined
    ? knownNames("key", key, Object.keys(CONFIG_SPECS[table]))
    : expectedOf(key, spec);
}

function expectedTable(name: string, value: unknown): string {
  if (isTable(name)) return `a table, [${name}]`;
  // A key above the first table probably belongs in a table.
  const table = isObject(value)
    ? undefined
    : CONFIG_TABLES.find((table) => specOf(table, name) !== undefined);
  return table === undefined
    ? knownNames("table", name, CONFIG_TABLES)
    : `this key in the table [${table}]`;
}

function knownNames(kind: string, name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  return nearest === null
    ? `one of the known ${kind}s: ${names.join(", ")}`
    : `a known ${kind}; did you mean ${nearest}?`;
}
