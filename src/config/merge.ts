/** Merges configuration files without I/O, so that the module inside the client can use this code. */

import { type CheckedValues, checkFile, type WrongPart } from "./check.ts";
import type { ConfigFile } from "./files.ts";
import type { RetiredKey } from "./problem.ts";
import {
  CONFIG_SPECS,
  CONFIG_TABLES,
  configOf,
  type ConfigTable,
  DEFAULT_CONFIG,
  firstDescent,
  type KeySpec,
  needsNoTrust,
  type TrimtabConfig,
} from "./schema.ts";
import { parseToml } from "./toml.ts";

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
  /** Whether every value takes effect: the file is the user's own, or the user trusted it. */
  readonly isTrusted: boolean;
}

interface MergedConfig {
  /** Valid only if `wrong` is empty. */
  readonly config: TrimtabConfig;
  /** The files that set the values, by table and key, such as `context.restore_on`. */
  readonly origins: ReadonlyMap<string, ConfigFile>;
  readonly wrong: readonly WrongPart[];
  readonly waiting: readonly WaitingValue[];
  /** Keys without effect: those of earlier versions, and values of `[inside]` that a project may not set. */
  readonly retired: readonly RetiredKey[];
}

const USER_ONLY = "only trimtab.toml in Claude Code's folder can set this value";

/** Later texts take precedence. */
export function mergeTexts(texts: readonly ConfigText[]): MergedConfig {
  const values: Record<ConfigTable, Record<string, unknown>> = {
    context: {},
    live: {},
    inside: {},
  };
  const origins = new Map<string, ConfigFile>();
  const wrong: WrongPart[] = [];
  const waiting: WaitingValue[] = [];
  const retired: RetiredKey[] = [];
  let userConfig = configOf(values);
  for (const file of texts) {
    const read = readText(file);
    wrong.push(...read.wrong);
    retired.push(...read.retired);
    for (const table of CONFIG_TABLES) {
      const specs: Readonly<Record<string, KeySpec>> = CONFIG_SPECS[table];
      const before: Readonly<Record<string, unknown>> = { ...userConfig[table] };
      for (const [key, value] of Object.entries(read.values[table] ?? {})) {
        const spec = specs[key];
        const name = `${table}.${key}`;
        if (
          file.layer !== "user" && spec !== undefined && !needsNoTrust(spec, value, before[key])
        ) {
          // The module reads this table, and cannot check trust.
          if (table === "inside") {
            retired.push({ file: file.path, key: name, instead: USER_ONLY });
            continue;
          }
          if (!file.isTrusted) {
            waiting.push({ file: file.path, key: name, value });
            continue;
          }
        }
        values[table][key] = value;
        origins.set(name, file);
      }
    }
    // Values of a project's files are compared only with the user's values.
    if (file.layer === "user") userConfig = configOf(values);
  }
  const context: Record<string, unknown> = { ...DEFAULT_CONFIG.context, ...values.context };
  // Invalid values may also be out of order, which would be a second problem with the same cause.
  const descent = wrong.length === 0 ? firstDescent(context) : null;
  if (descent !== null) {
    const [lower, upper] = descent.map((key) => `context.${key}`);
    const { path } = origins.get(`${upper}`) ?? origins.get(`${lower}`) ?? { path: "" };
    wrong.push({ file: path, key: `${lower}`, value: context, descent });
  }
  return { config: configOf(values), origins, wrong, waiting, retired };
}

function readText(file: ConfigText): CheckedValues {
  try {
    return checkFile(
      file,
      parseToml(file.layer === "work" ? onlyContextTable(file.text) : file.text),
    );
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const wrong = [{ file: file.path, key: "", value: `TOML (${error.message})` }];
    return { values: {}, wrong, retired: [] };
  }
}

/**
 * Matches a line and, if a list or a multi-line string starts in the line, the rest of that list or string. An
 * unclosed list or multi-line string extends to the end of the text.
 */
const STATEMENT =
  /(?:"{3}(?:\\[^]|[^\\])*?(?:"{3}|$)|'{3}[^]*?(?:'{3}|$)|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|#[^\n]*|\[(?:\[[^\]]*\]?|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|#[^\n]*|[^[\]"'#]+)*\]?|[^\n"'#[]+)*\n?/g;

/** Empties the lines outside `[context]` in another tool's file, because they may contain unsupported TOML. */
function onlyContextTable(text: string): string {
  let table: string | undefined;
  return text.replaceAll(STATEMENT, (statement) => {
    table = /^\s*\[\s*(context(?=\s*\])|)/.exec(statement)?.[1] ?? table;
    const isOwn = table === undefined ? /^\s*context\s*\./.test(statement) : table === "context";
    return isOwn ? statement : statement.replaceAll(/[^\n]/g, "");
  });
}
