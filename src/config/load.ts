/**
 * Loading the configuration: all layers, checked as a whole, each value with where it came from.
 *
 * Hooks do not come here, because TOML comes from npm; they read what `refresh.ts` left for them.
 *
 * @module
 */

import { reasonOf } from "../store/atomic.ts";
import { parse } from "@std/toml";
import { findConfigDir, findProjectDir } from "../store/paths.ts";
import type { CachedStamp } from "./cached.ts";
import { type CheckedValues, checkFile, checkTable } from "./check.ts";
import {
  type ConfigFile,
  configFiles,
  type ConfigLayer,
  type ConfigLocation,
  isMissing,
  isSilentText,
  MAX_CONFIG_FILE_BYTES,
  stampOf,
} from "./files.ts";
import { ConfigError, type ConfigProblem } from "./problem.ts";
import {
  CONFIG_SPECS,
  configOf,
  type ConfigTable,
  type ConfigValues,
  type ContextConfig,
  firstDescent,
  type LiveConfig,
  type TrimtabConfig,
} from "./schema.ts";

/** Where a value came from. */
export interface ConfigSource {
  /** Whose it is. */
  readonly layer: ConfigLayer;
  /** The file, the flag, or `default`. */
  readonly from: string;
}

/** The source of every key. */
export interface ConfigSources {
  /** Of the `[context]` table. */
  readonly context: Readonly<Record<keyof ContextConfig, ConfigSource>>;
  /** Of the `[live]` table. */
  readonly live: Readonly<Record<keyof LiveConfig, ConfigSource>>;
}

/** What {@linkcode loadContextConfig} is asked. */
export interface LoadConfigOptions {
  /** The folder of the project. @default {findProjectDir({ cwd: Deno.cwd() })} */
  readonly projectDir?: string;
  /** Claude Code's configuration folder; `undefined` says that there is none. @default {findConfigDir()} */
  readonly configDir?: string | undefined;
  /** Values of the command line, which win over all files; undefined ones are passed over. */
  readonly flags?: { readonly [Key in keyof ContextConfig]?: unknown };
  /** How a flag is called where it is not the key with dashes. @default {{}} */
  readonly flagNames?: { readonly [Key in keyof ContextConfig]?: string };
}

/** A configuration and how it came about. */
export interface LoadedConfig extends TrimtabConfig {
  /** Where each value came from. */
  readonly sources: ConfigSources;
}

/** What the files say, without flags: the part that is kept for hooks. */
export interface FileConfig {
  /** The values that the files set. */
  readonly values: ConfigValues;
  /** Where those came from; the rest are defaults. */
  readonly origins: ReadonlyMap<string, ConfigSource>;
  /** What each file looked like just before it was read. */
  readonly stamps: readonly CachedStamp[];
  /** All that is wrong. */
  readonly problems: readonly ConfigProblem[];
}

/** What one file says. */
interface ReadFile extends CheckedValues {
  /** Whether it says nothing to us. */
  readonly silent: boolean;
}

const DEFAULT_SOURCE: ConfigSource = Object.freeze({ layer: "default", from: "default" });
/** What a file that is not there says. */
const SILENCE: ReadFile = { values: { context: {}, live: {} }, problems: [], silent: true };
/** Layers from the weakest to the strongest. */
const LAYERS: readonly ConfigLayer[] = ["default", "user", "work", "project", "flag"];

/**
 * Loads the configuration of a project.
 *
 * Later wins: defaults, `<configDir>/trimtab.toml`, the `[context]` of `<projectDir>/.work.toml`,
 * `<projectDir>/.claude/trimtab.toml`, flags. A missing file says nothing.
 *
 * Permissions: `--allow-read` for the three files; to find the folders, where they are left out, also
 * `--allow-env=CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE`.
 *
 * @param options The project, the configuration folder and the flags.
 * @returns Every value, and where it came from.
 * @throws {ConfigError} When anything in the files or flags is wrong; it lists all of it.
 *
 * @example
 * ```ts
 * import { loadContextConfig } from "./load.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const projectDir = Deno.makeTempDirSync();
 * Deno.writeTextFileSync(`${projectDir}/.work.toml`, "[context]\nwarn_threshold = 50\n");
 * const config = loadContextConfig({ projectDir, configDir: `${projectDir}/none` });
 * assertEquals(config.context.warn_threshold, 50);
 * assertEquals(config.sources.context.warn_threshold.from, `${projectDir}/.work.toml`);
 * assertEquals(config.sources.context.urgent_threshold.layer, "default");
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function loadContextConfig(options: LoadConfigOptions = {}): LoadedConfig {
  return withFlags(readConfigFiles(locationOf(options)), options);
}

/** The folders, those that nobody gave as commands find them. */
function locationOf(options: LoadConfigOptions): ConfigLocation {
  return {
    projectDir: options.projectDir ?? findProjectDir({ cwd: Deno.cwd() }),
    configDir: "configDir" in options ? options.configDir : findConfigDir(),
  };
}

/** Puts flags on top of what the files say. */
export function withFlags(
  files: FileConfig,
  options: Pick<LoadConfigOptions, "flags" | "flagNames">,
): LoadedConfig {
  const context: Record<string, unknown> = { ...files.values.context };
  const origins = new Map(files.origins);
  const problems = [...files.problems];
  for (const [key, value] of Object.entries(options.flags ?? {})) {
    if (value === undefined) continue;
    const from = flagName(key, options.flagNames ?? {});
    const checked = checkTable(from, "context", { [key]: value });
    problems.push(...checked.problems);
    Object.assign(context, checked.values);
    origins.set(`context.${key}`, { layer: "flag", from });
  }
  // The order is only worth a word when each of the values by itself is right.
  const disorder = problems.length === 0 ? orderProblem(context, origins) : null;
  if (disorder !== null) problems.push(disorder);
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze({
    ...configOf({ context, live: files.values.live }),
    sources: sourcesOf(origins),
  });
}

/** Reads what the files say, without judging them together. */
export function readConfigFiles(location: ConfigLocation): FileConfig {
  const values: Record<ConfigTable, Record<string, unknown>> = { context: {}, live: {} };
  const origins = new Map<string, ConfigSource>();
  const problems: ConfigProblem[] = [];
  const stamps: CachedStamp[] = [];
  for (const file of configFiles(location)) {
    // Before the reading: a file that changes meanwhile then counts as changed since.
    const stamp = stampOf(file.path);
    const read = stamp.sizeBytes === null ? SILENCE : readConfigFile(file, stamp.sizeBytes);
    stamps.push({ ...stamp, silent: read.silent });
    problems.push(...read.problems);
    for (const table of ["context", "live"] as const) {
      for (const [key, value] of Object.entries(read.values[table])) {
        values[table][key] = value;
        origins.set(`${table}.${key}`, { layer: file.layer, from: file.path });
      }
    }
  }
  return { values, origins, stamps, problems };
}

/** The problem of warning thresholds that do not ascend, whichever files they came from. */
function orderProblem(
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

function readConfigFile(file: ConfigFile, sizeBytes: number): ReadFile {
  if (sizeBytes > MAX_CONFIG_FILE_BYTES) {
    return wrong(file, `at most ${MAX_CONFIG_FILE_BYTES} bytes, and it has ${sizeBytes}`);
  }
  let text: string;
  try {
    // A pipe or a device may have no end.
    const { isFile, isDirectory } = Deno.statSync(file.path);
    if (!isFile && !isDirectory) return wrong(file, "a regular file");
    text = new TextDecoder("utf-8", { fatal: true }).decode(Deno.readFileSync(file.path));
  } catch (error) {
    if (isMissing(error)) return SILENCE;
    if (error instanceof Deno.errors.NotCapable) throw error;
    if (error instanceof TypeError) return wrong(file, "text in UTF-8");
    return wrong(file, `a file that can be read (${firstLineOf(error)})`);
  }
  if (isSilentText(file.layer, text)) return SILENCE;
  let parsed: Record<string, unknown>;
  try {
    parsed = parse(text);
  } catch (error) {
    return wrong(file, `TOML (${firstLineOf(error)})`);
  }
  return { ...checkFile(file, parsed), silent: false };
}

function wrong(file: ConfigFile, expected: string): ReadFile {
  const problem = { file: file.path, key: "", value: "", expected };
  return { values: SILENCE.values, problems: [problem], silent: false };
}

function firstLineOf(error: unknown): string {
  return (reasonOf(error).split("\n")[0] ?? "").trim();
}

function flagName(key: string, names: Readonly<Record<string, unknown>>): string {
  const name = Object.hasOwn(names, key) ? names[key] : undefined;
  return typeof name === "string" ? name : `--${key.replaceAll("_", "-")}`;
}

function sourcesOf(origins: ReadonlyMap<string, ConfigSource>): ConfigSources {
  const of = (table: ConfigTable): Record<string, ConfigSource> =>
    Object.fromEntries(
      Object.keys(CONFIG_SPECS[table]).map((
        key,
      ) => [key, origins.get(`${table}.${key}`) ?? DEFAULT_SOURCE]),
    );
  // Every key of the specifications is there, and those name every key of the interfaces.
  return { context: of("context"), live: of("live") } as unknown as ConfigSources;
}
