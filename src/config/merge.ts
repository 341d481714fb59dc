/** Merges configuration files without I/O, so that the module inside the client can use this code. */

import { type CheckedValues, checkFile } from "./check.ts";
import type { ConfigFile, ConfigLayer } from "./files.ts";
import type { ConfigProblem, RetiredKey } from "./problem.ts";
import {
  CONFIG_SPECS,
  CONFIG_TABLES,
  configOf,
  type ConfigTable,
  DEFAULT_CONFIG,
  firstDescent,
  isNoLouder,
  type KeySpec,
  type TrimtabConfig,
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
  /** The value as parsed from TOML. */
  readonly value: unknown;
}

export interface ConfigText extends ConfigFile {
  readonly text: string;
  /** Whether every value takes effect, because the file is the user's own or the user trusted it. */
  readonly isTrusted: boolean;
}

interface MergedConfig {
  /** Meaningless if there are problems. */
  readonly config: TrimtabConfig;
  readonly sources: Readonly<Record<ConfigTable, Readonly<Record<string, ConfigSource>>>>;
  readonly problems: readonly ConfigProblem[];
  /** Values that have no effect until their file is trusted. */
  readonly waiting: readonly WaitingValue[];
  /** Keys of earlier versions that the files set. They have no effect. */
  readonly retired: readonly RetiredKey[];
}

const DEFAULT_SOURCE: ConfigSource = Object.freeze({ layer: "default", from: "default" });
const LAYERS: readonly ConfigLayer[] = ["default", "user", "work", "project"];

type ByTable<T> = Record<ConfigTable, Record<string, T>>;

/** Later texts take precedence. `readProblems` are the problems of files that could not be read. */
export function mergeTexts(
  texts: readonly ConfigText[],
  readProblems: readonly ConfigProblem[] = [],
): MergedConfig {
  const values: ByTable<unknown> = { context: {}, live: {}, inside: {} };
  const sources: ByTable<ConfigSource> = { context: {}, live: {}, inside: {} };
  for (const table of CONFIG_TABLES) {
    for (const key of Object.keys(CONFIG_SPECS[table])) sources[table][key] = DEFAULT_SOURCE;
  }
  const problems = [...readProblems];
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
        sources[table][key] = { layer: file.layer, from: file.path };
      }
    }
    // Values of a project's files are compared only with the user's values.
    if (file.layer === "user") userConfig = configOf(values);
  }
  // Invalid values may also be out of order, which would be a second problem with the same cause.
  if (problems.length === 0) problems.push(...orderProblems(values, sources));
  return { config: configOf(values), sources, problems, waiting, retired };
}

/** Returns at most one problem: two warning thresholds that do not ascend. */
function orderProblems(
  values: ByTable<unknown>,
  sources: MergedConfig["sources"],
): ConfigProblem[] {
  const context: Record<string, unknown> = { ...DEFAULT_CONFIG.context, ...values.context };
  const descent = firstDescent(context);
  if (descent === null) return [];
  const layerOf = (key: string): number => LAYERS.indexOf(sources.context[key]?.layer ?? "default");
  // Names the layer with higher precedence. It is never the default, which users cannot change.
  const [lower, upper] = descent;
  const isLowerToBlame = layerOf(lower) > layerOf(upper);
  const [key, other] = isLowerToBlame ? [lower, upper] : [upper, lower];
  const { from } = sources.context[other] ?? DEFAULT_SOURCE;
  return [{
    file: (sources.context[key] ?? DEFAULT_SOURCE).from,
    key: `context.${key}`,
    value: String(context[key]),
    expected: `${isLowerToBlame ? "at most" : "at least"} context.${other}, ` +
      `which is ${context[other]} (${from})`,
  }];
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

/** Matches a line with the further lines of its lists and strings. Unclosed ones end with the text. */
const STATEMENT =
  /(?:"{3}(?:\\[^]|[^\\])*?(?:"{3}|$)|'{3}[^]*?(?:'{3}|$)|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|#[^\n]*|\[(?:\[[^\]]*\]?|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|#[^\n]*|[^[\]"'#]+)*\]?|[^\n"'#[]+)*\n?/g;

/** Blanks lines of another tool's file outside `[context]`, which may contain unsupported TOML. */
function ownLines(text: string): string {
  let table: string | undefined;
  return text.replaceAll(STATEMENT, (statement) => {
    table = /^\s*\[\s*(context(?=\s*\])|)/.exec(statement)?.[1] ?? table;
    const isOwn = table === undefined ? /^\s*context\s*\./.test(statement) : table === "context";
    return isOwn ? statement : statement.replaceAll(/[^\n]/g, "");
  });
}
