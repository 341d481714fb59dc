/** What the configuration files say together; the caller brings the reader of TOML. */

import type { CachedStamp, WaitingValue } from "./cache_format.ts";
import { type CheckedValues, checkFile } from "./check.ts";
import {
  type ConfigFile,
  type ConfigLayer,
  type ConfigLocation,
  findConfigFiles,
  isMissing,
  isSilentText,
  MAX_CONFIG_FILE_BYTES,
  stampOf,
} from "./files.ts";
import { isNoLouder } from "./quieter.ts";
import { isTrustedText } from "./trust.ts";
import type { ConfigProblem } from "./problem.ts";
import {
  CONFIG_SPECS,
  CONFIG_TABLES,
  configOf,
  type ConfigTable,
  type ConfigValues,
  type ContextConfig,
  firstDescent,
} from "./schema.ts";
import { leadsOut } from "../store/own_file.ts";
import { parentPath } from "../store/paths.ts";
import { NotRegularFileError, readFileSync } from "../store/read_file.ts";

/** Where a value came from. */
export interface ConfigSource {
  /** Whose it is. */
  readonly layer: ConfigLayer;
  /** The file, the flag, or `default`. */
  readonly from: string;
}

/** What the files say, without flags: the part that is kept for hooks. */
export interface FileConfig {
  readonly values: ConfigValues;
  /** Where those came from; the rest are defaults. */
  readonly origins: ReadonlyMap<string, ConfigSource>;
  readonly stamps: readonly CachedStamp[];
  readonly problems: readonly ConfigProblem[];
  /** What does not count until it is trusted. */
  readonly waiting: readonly WaitingValue[];
}

interface ReadFile extends CheckedValues {
  readonly silent: boolean;
  readonly isTrusted: boolean;
}

/** Reads TOML; throws a `SyntaxError` where it cannot. */
export type TomlReader = (text: string) => Readonly<Record<string, unknown>>;

export const DEFAULT_SOURCE: ConfigSource = Object.freeze({ layer: "default", from: "default" });
const SILENCE: ReadFile = {
  values: { context: {}, live: {} },
  problems: [],
  silent: true,
  isTrusted: true,
};
const LAYERS: readonly ConfigLayer[] = ["default", "user", "work", "project", "flag"];

/** Reads what the files say, without judging them together. */
export function readConfigFiles(location: ConfigLocation, parse: TomlReader): FileConfig {
  const values: Record<ConfigTable, Record<string, unknown>> = {
    context: {},
    live: {},
    inside: {},
  };
  const origins = new Map<string, ConfigSource>();
  const problems: ConfigProblem[] = [];
  const stamps: CachedStamp[] = [];
  const waiting: WaitingValue[] = [];
  let own = configOf(values);
  for (const file of findConfigFiles(location)) {
    // Before the reading: a file that changes meanwhile then counts as changed since.
    const stamp = stampOf(file.path);
    const read = stamp.sizeBytes === null
      ? SILENCE
      : readConfigFile(file, stamp.sizeBytes, { location, parse });
    stamps.push({ ...stamp, silent: read.silent });
    problems.push(...read.problems);
    for (const table of CONFIG_TABLES) {
      for (const [key, value] of Object.entries(read.values[table] ?? {})) {
        const before: Readonly<Record<string, unknown>> = { ...own[table] };
        if (!read.isTrusted && !isNoLouder(table, key, value, before[key])) {
          waiting.push({ file: file.path, key: `${table}.${key}`, value });
          continue;
        }
        values[table][key] = value;
        origins.set(`${table}.${key}`, { layer: file.layer, from: file.path });
      }
    }
    // What a project brings is held against the user's own, and not against its other file.
    if (file.layer === "user") own = configOf(values);
  }
  return { values, origins, stamps, problems, waiting };
}

/** The problem of warning thresholds that do not ascend, whichever files they came from. */
export function orderProblem(
  context: Readonly<Record<string, unknown>>,
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
  // Whoever spoke last is the one to change it; nobody can change a default.
  const blameLower = LAYERS.indexOf(lowerSource.layer) > LAYERS.indexOf(upperSource.layer);
  const [key, source] = blameLower ? [lower, lowerSource] : [upper, upperSource];
  const [other, otherSource] = blameLower ? [upper, upperSource] : [lower, lowerSource];
  return {
    file: source.from,
    key: `context.${key}`,
    value: String(valueOf(key)),
    expected: `${blameLower ? "at most" : "at least"} context.${other}, ` +
      `which is ${valueOf(other)} (${otherSource.from})`,
  };
}

function readConfigFile(
  file: ConfigFile,
  sizeBytes: number,
  { location, parse }: { readonly location: ConfigLocation; readonly parse: TomlReader },
): ReadFile {
  if (sizeBytes > MAX_CONFIG_FILE_BYTES) {
    return wrong(file, `at most ${MAX_CONFIG_FILE_BYTES} bytes, and it has ${sizeBytes}`);
  }
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file.path, MAX_CONFIG_FILE_BYTES);
    if (isStray(file, location)) {
      return wrong(file, "a file of the project, not a link that leads out of it");
    }
  } catch (error) {
    if (isMissing(error)) return SILENCE;
    if (error instanceof Deno.errors.NotCapable) throw error;
    if (error instanceof NotRegularFileError) return wrong(file, "a regular file");
    return wrong(file, `a file that can be read (${firstLineOf(error)})`);
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return wrong(file, "text in UTF-8");
  }
  if (isSilentText(file.layer, text)) return SILENCE;
  let parsed: Readonly<Record<string, unknown>>;
  try {
    parsed = parse(text);
  } catch (error) {
    return wrong(file, `TOML (${firstLineOf(error)})`);
  }
  const isTrusted = isTrustedText(file, text, location);
  return { ...checkFile(file, parsed), silent: false, isTrusted };
}

/** Whether a file of a project lies elsewhere, behind a link. */
function isStray({ layer, path }: ConfigFile, { projectDir }: ConfigLocation): boolean {
  if (layer === "user") return false;
  if (layer === "project") return leadsOut(path, projectDir);
  // A shared file can lie above the project, in a folder that a hook may not look at.
  return Deno.lstatSync(path).isSymlink && leadsOut(path, parentPath(path));
}

function wrong(file: ConfigFile, expected: string): ReadFile {
  const problem = { file: file.path, key: "", value: "", expected };
  return { values: SILENCE.values, problems: [problem], silent: false, isTrusted: true };
}

function firstLineOf(error: unknown): string {
  return ((error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "").trim();
}
