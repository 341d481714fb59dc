/** Checks a parsed file for unknown tables and keys, wrong types, and values out of range. */

import { isObject } from "../core/record.ts";
import type { ConfigFile } from "./files.ts";
import type { RetiredKey } from "./problem.ts";
import {
  CONFIG_SPECS,
  CONFIG_TABLES,
  type ConfigTable,
  type ConfigValues,
  type Descent,
  RETIRED_KEYS,
} from "./schema.ts";

/** A part of a file that cannot be used. `describe.ts` describes what is expected. */
export interface WrongPart {
  readonly file: string;
  /** A table, or a key with its table, such as `context.warn_threshold`; empty for the file itself. */
  readonly key: string;
  /** The value as parsed; for the file itself, the expected content. */
  readonly value: unknown;
  /** Thresholds that are out of order; `value` then contains the entire table. */
  readonly descent?: Descent;
}

export interface CheckedValues {
  readonly values: ConfigValues;
  readonly wrong: readonly WrongPart[];
  readonly retired: readonly RetiredKey[];
}

/** `.work.toml` belongs to another tool, so trimtab reads only these tables in it. */
const SHARED_TABLES: readonly ConfigTable[] = ["context"];

export function checkFile(
  { layer, path: file }: ConfigFile,
  parsed: Readonly<Record<string, unknown>>,
): CheckedValues {
  const values: Partial<Record<ConfigTable, Record<string, unknown>>> = {};
  const wrong: WrongPart[] = [];
  const retired: RetiredKey[] = [];
  const tables = layer === "work" ? SHARED_TABLES : CONFIG_TABLES;
  for (const [name, keys] of Object.entries(parsed)) {
    const table = tables.find((known) => known === name);
    if (table === undefined || !isObject(keys)) {
      if (table !== undefined || layer !== "work") wrong.push({ file, key: name, value: keys });
      continue;
    }
    const specs = new Map(Object.entries(CONFIG_SPECS[table]));
    const checked: Record<string, unknown> = values[table] = {};
    for (const [keyName, value] of Object.entries(keys)) {
      const key = `${table}.${keyName}`;
      const instead = RETIRED_KEYS.get(key);
      if (specs.get(keyName)?.fits(value) === true) checked[keyName] = value;
      else if (instead !== undefined) retired.push({ file, key, instead });
      else wrong.push({ file, key, value });
    }
  }
  return { values, wrong, retired };
}
