/** Describes wrong parts of configuration files. The module inside the client only lists their keys. */

import { isObject } from "../core/record.ts";
import type { WrongPart } from "./check.ts";
import type { ConfigFile, ConfigLayer } from "./files.ts";
import { nearestName } from "./nearest.ts";
import { type ConfigProblem, shownValue } from "./problem.ts";
import {
  CONFIG_SPECS,
  CONFIG_TABLES,
  type Descent,
  type KeySpec,
  MAX_LIST_ITEMS,
} from "./schema.ts";

const LAYERS: readonly (ConfigLayer | undefined)[] = [undefined, "user", "work", "project"];

/** @param origins The files that set the values, by table and key. */
export function describeProblem(
  part: WrongPart,
  origins: ReadonlyMap<string, ConfigFile>,
): ConfigProblem {
  const { file, key, value, descent } = part;
  if (key === "") return fileProblem(file, String(value));
  if (descent) return orderProblem(part, descent, origins);
  const [name = "", keyName] = key.split(".");
  if (keyName === undefined) return unknownTable(part);
  const specs: Readonly<Record<string, KeySpec>> = Object(CONFIG_SPECS)[name];
  const spec = Object.hasOwn(specs, keyName) ? specs[keyName] : undefined;
  const expected = spec === undefined
    ? knownNames("key", keyName, Object.keys(specs))
    : expectedOf(keyName, spec);
  return { file, key, value: shownValue(value), expected };
}

export function fileProblem(file: string, expected: string): ConfigProblem {
  return { file, key: "", value: "", expected };
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

function unknownTable({ file, key, value }: WrongPart): ConfigProblem {
  const shown = isObject(value) ? "" : shownValue(value);
  if (CONFIG_TABLES.some((table) => table === key)) {
    return { file, key, value: shown, expected: `a table, [${key}]` };
  }
  const homeTable = isObject(value)
    ? undefined
    : CONFIG_TABLES.find((table) => Object.hasOwn(CONFIG_SPECS[table], key));
  // A key above the first table probably belongs in a table.
  const expected = homeTable === undefined
    ? knownNames("table", key, CONFIG_TABLES)
    : `this key in the table [${homeTable}]`;
  return { file, key, value: shown, expected };
}

function knownNames(kind: string, name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  return nearest === null
    ? `one of the known ${kind}s: ${names.join(", ")}`
    : `a known ${kind}; did you mean ${nearest}?`;
}

/** Blames the file with the higher precedence. The defaults have the lowest, so they are never blamed. */
function orderProblem(
  { value: context }: WrongPart,
  [lower, upper]: Descent,
  origins: ReadonlyMap<string, ConfigFile>,
): ConfigProblem {
  const originOf = (key: string): ConfigFile | undefined => origins.get(`context.${key}`);
  const layerOf = (key: string): number => LAYERS.indexOf(originOf(key)?.layer);
  const isLowerToBlame = layerOf(lower) > layerOf(upper);
  const [key, other] = isLowerToBlame ? [lower, upper] : [upper, lower];
  return {
    file: originOf(key)?.path ?? "default",
    key: `context.${key}`,
    value: String(Object(context)[key]),
    expected: `${isLowerToBlame ? "at most" : "at least"} context.${other}, ` +
      `which is ${Object(context)[other]} (${originOf(other)?.path ?? "default"})`,
  };
}
