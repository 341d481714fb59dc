/** Merges configuration files without I/O, so that the module inside the client can use this code. */

import { isObject } from "../core/record.ts";
import type { ConfigFile } from "./files.ts";
import type { RetiredKey } from "./problem.ts";
import {
  CONFIG_TABLES,
  configOf,
  type ConfigTable,
  DEFAULT_CONFIG,
  firstDescent,
  RETIRED_KEYS,
  specOf,
  type TrimtabConfig,
} from "./schema.ts";
import { parseToml, type TomlTable } from "./toml.ts";

/** A part of a file that cannot be used. */
export interface WrongPart {
  readonly file: string;
  /** A table, or a key with its table, such as `context.warn_threshold`; empty for the file itself. */
  readonly key: string;
  /** The value as parsed; absent for the file itself. */
  readonly value?: unknown;
  /** The expected content; absent if it follows from the key. */
  readonly expected?: string;
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
  const origins = new Map<string, ConfigText>();
  const wrong: WrongPart[] = [];
  const waiting: WaitingValue[] = [];
  const retired: RetiredKey[] = [];
  let userConfig = configOf(values);
  for (const text of texts) {
    const { layer, path: file, isTrusted } = text;
    for (const [name, keys] of Object.entries(parseText(text, wrong))) {
      const table = CONFIG_TABLES.find((known) => known === name);
      if (table === undefined || !isObject(keys)) {
        wrong.push({ file, key: name, value: keys });
        continue;
      }
      const before: Readonly<Record<string, unknown>> = { ...userConfig[table] };
      for (const [keyName, value] of Object.entries(keys)) {
        const key = `${table}.${keyName}`;
        const spec = specOf(table, keyName);
        const instead = RETIRED_KEYS.get(key);
        if (instead !== undefined) retired.push({ file, key, instead });
        else if (spec?.fits(value) !== true) wrong.push({ file, key, value });
        else if (
          // The module reads `[inside]`, and cannot check trust.
          layer === "user" || (isTrusted && table !== "inside") ||
          spec.needsNoTrust(value, before[keyName])
        ) {
          values[table][keyName] = value;
          origins.set(key, text);
        } else if (table === "inside") retired.push({ file, key, instead: USER_ONLY });
        else waiting.push({ file, key, value });
      }
    }
    // Values of a project's files are compared only with the user's values.
    if (layer === "user") userConfig = configOf(values);
  }
  // Invalid values may also be out of order, which would be a second problem with the same cause.
  if (wrong.length === 0) wrong.push(...outOfOrder(values.context, texts, origins));
  return { config: configOf(values), origins, wrong, waiting, retired };
}

/** Blames the file with the higher precedence. The defaults have the lowest, so they are never blamed. */
function outOfOrder(
  values: Readonly<Record<string, unknown>>,
  texts: readonly ConfigText[],
  origins: ReadonlyMap<string, ConfigText>,
): WrongPart[] {
  const context: Readonly<Record<string, unknown>> = { ...DEFAULT_CONFIG.context, ...values };
  const descent = firstDescent(context);
  if (descent === undefined) return [];
  const pathOf = (key: string): string => origins.get(`context.${key}`)?.path ?? "default";
  const rankOf = (key: string): number => texts.findIndex(({ path }) => path === pathOf(key));
  const [lower, upper] = descent;
  const isLowerToBlame = rankOf(lower) > rankOf(upper);
  const [key, other] = isLowerToBlame ? [lower, upper] : [upper, lower];
  return [{
    file: pathOf(key),
    key: `context.${key}`,
    value: context[key],
    expected: `${isLowerToBlame ? "at most" : "at least"} context.${other}, ` +
      `which is ${context[other]} (${pathOf(other)})`,
  }];
}

function parseText({ layer, path: file, text }: ConfigText, wrong: WrongPart[]): TomlTable {
  try {
    return parseToml(layer === "work" ? onlyContextTable(text) : text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    wrong.push({ file, key: "", expected: `TOML (${error.message})` });
    return {};
  }
}

/**
 * Matches a line and, if a list or a multi-line string starts in the line, the rest of that list or string. An
 * unclosed list or multi-line string extends to the end of the text.
 */
const STATEMENT =
  /(?:"{3}(?:\\[^]|[^\\])*?(?:"{3}|$)|'{3}[^]*?(?:'{3}|$)|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|#[^\n]*|\[(?:\[[^\]]*\]?|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|#[^\n]*|[^[\]"'#]+)*\]?|[^\n"'#[]+)*\n?/g;

/** Blanks the lines outside `[context]` in another tool's file, because they may contain unsupported TOML. */
function onlyContextTable(text: string): string {
  let table: string | undefined;
  return text.replaceAll(STATEMENT, (statement) => {
    table = /^\s*\[\s*(context(?=\s*\])|)/.exec(statement)?.[1] ?? table;
    const isOwn = table === undefined ? /^\s*context\s*\./.test(statement) : table === "context";
    return isOwn ? statement : statement.replaceAll(/[^\n]/g, "");
  });
}
