/** Merges configuration files without I/O, so that the module inside the client can use this code. */

import { type CheckedValues, checkFile } from "./check.ts";
import type { ConfigFile, ConfigLayer } from "./files.ts";
import type { ConfigProblem, RetiredKey } from "./problem.ts";
import {
  CONFIG_SPECS,
  CONFIG_TABLES,
  configOf,
  type ConfigTable,
  type ConfigValues,
  type ContextConfig,
  firstDescent,
  isNoLouder,
  type KeySpec,
} from "./schema.ts";
import { parseToml } from "./toml.ts";

/** Source of a value. */
export interface ConfigSource {
  /** The layer that set the value. */
  readonly layer: ConfigLayer;
  /** The path of the file, or `default`. */
  readonly from: string;
}

/** An untrusted value of a project's file that would make trimtab do more than the user configured. */
export interface WaitingValue {
  /** The configuration file that sets the value. */
  readonly file: string;
  /** The table and the key, such as `context.restore_on`. */
  readonly key: string;
  /** The value, as TOML gives it. */
  readonly value: unknown;
}

export interface ConfigText extends ConfigFile {
  readonly text: string;
  /** Whether every value takes effect, because the file is the user's own or the user trusted it. */
  readonly isTrusted: boolean;
}

interface FileConfig {
  readonly values: ConfigValues;
  /** Sources by table and key; a value without a source is a default. */
  readonly origins: ReadonlyMap<string, ConfigSource>;
  readonly problems: readonly ConfigProblem[];
  /** Values that have no effect until their file is trusted. */
  readonly waiting: readonly WaitingValue[];
  /** Keys of earlier versions that the files set. They have no effect. */
  readonly retired: readonly RetiredKey[];
}

export const DEFAULT_SOURCE: ConfigSource = Object.freeze({ layer: "default", from: "default" });
const LAYERS: readonly ConfigLayer[] = ["default", "user", "work", "project"];

/** A later text takes precedence. */
export function mergeTexts(texts: readonly ConfigText[]): FileConfig {
  const values: Record<ConfigTable, Record<string, unknown>> = {
    context: {},
    live: {},
    inside: {},
  };
  const origins = new Map<string, ConfigSource>();
  const problems: ConfigProblem[] = [];
  const waiting: WaitingValue[] = [];
  const retired: RetiredKey[] = [];
  let userConfig = configOf(values);
  for (const file of texts) {
    const read = readText(file);
    problems.push(...read.problems);
    retired.push(...read.retired);
    for (const table of CONFIG_TABLES) {
      const specs: Readonly<Record<string, KeySpec>> = CONFIG_SPECS[table];
      const before: Readonly<Record<string, unknown>> = { ...userConfig[table] };
      for (const [key, value] of Object.entries(read.values[table] ?? {})) {
        const spec = specs[key];
        if (!file.isTrusted && spec !== undefined && !isNoLouder(spec, value, before[key])) {
          waiting.push({ file: file.path, key: `${table}.${key}`, value });
          continue;
        }
        values[table][key] = value;
        origins.set(`${table}.${key}`, { layer: file.layer, from: file.path });
      }
    }
    // Values of a project's files are compared only with the user's values.
    if (file.layer === "user") userConfig = configOf(values);
  }
  return { values, origins, problems, waiting, retired };
}

/** Returns null if the warning thresholds ascend. */
export function orderProblem(
  { context = {} }: ConfigValues,
  origins: ReadonlyMap<string, ConfigSource>,
): ConfigProblem | null {
  const valueOf = (key: keyof ContextConfig): unknown =>
    context[key] ?? CONFIG_SPECS.context[key].value;
  const keys = Object.keys(CONFIG_SPECS.context) as (keyof ContextConfig)[];
  const descent = firstDescent(Object.fromEntries(keys.map((key) => [key, valueOf(key)])));
  if (descent === null) return null;
  const [lower, upper] = descent;
  const lowerSource = origins.get(`context.${lower}`) ?? DEFAULT_SOURCE;
  const upperSource = origins.get(`context.${upper}`) ?? DEFAULT_SOURCE;
  // Names the layer with higher precedence, which is never the default, because users cannot change the
  // default.
  const isLowerToBlame = LAYERS.indexOf(lowerSource.layer) > LAYERS.indexOf(upperSource.layer);
  const [key, source] = isLowerToBlame ? [lower, lowerSource] : [upper, upperSource];
  const [other, otherSource] = isLowerToBlame ? [upper, upperSource] : [lower, lowerSource];
  return {
    file: source.from,
    key: `context.${key}`,
    value: String(valueOf(key)),
    expected: `${isLowerToBlame ? "at most" : "at least"} context.${other}, ` +
      `which is ${valueOf(other)} (${otherSource.from})`,
  };
}

export function fileProblem({ path }: ConfigFile, expected: string): ConfigProblem {
  return { file: path, key: "", value: "", expected };
}

function readText(file: ConfigText): CheckedValues {
  try {
    return checkFile(file, parseToml(file.layer === "work" ? ownLines(file.text) : file.text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const problems = [fileProblem(file, `TOML (${error.message})`)];
    return { values: {}, problems, retired: [] };
  }
}

/** Empties the lines of another tool's file that are not in `[context]`; they may be any TOML. */
function ownLines(text: string): string {
  let table: string | undefined = "";
  return text.split("\n").map((line) => {
    if (/^\s*\[/.test(line)) table = /^\s*\[\s*(\w+)\s*\]/.exec(line)?.[1];
    const isOwn = table === "context" || (table === "" && /^\s*context\s*\./.test(line));
    return isOwn ? line : "";
  }).join("\n");
}
