import { isMissing } from "../store/exists.ts";
import { isRealPathOutside } from "../store/own_file.ts";
import { findConfigDir, findProjectDir, parentPath } from "../store/paths.ts";
import { readFileSync } from "../store/read_file.ts";
import {
  type ConfigFile,
  type ConfigLayer,
  type ConfigLocation,
  findConfigFiles,
  MAX_CONFIG_FILE_BYTES,
} from "./files.ts";
import { describeProblem } from "./describe.ts";
import { type ConfigText, mergeTexts, type WaitingValue, type WrongPart } from "./merge.ts";
import { ConfigError, type RetiredKey } from "./problem.ts";
import { CONFIG_SPECS, type TrimtabConfig } from "./schema.ts";
import { isTrustedText } from "./trust.ts";

/** Source of a value. */
export interface ConfigSource {
  /** The layer that set the value. */
  readonly layer: ConfigLayer;
  /** The path of the file, or `default`. */
  readonly from: string;
}

/** Sources of all values, by table and key. */
export type ConfigSources = {
  readonly [Table in keyof TrimtabConfig]: {
    readonly [Key in keyof TrimtabConfig[Table]]: ConfigSource;
  };
};

/** Options for {@linkcode loadContextConfig}. */
export interface LoadConfigOptions {
  /** The folder of the project. @default {findProjectDir({ cwd: Deno.cwd() })} */
  readonly projectDir?: string;
  /** Claude Code's configuration folder; `undefined` for none. @default {findConfigDir()} */
  readonly configDir?: string | undefined;
  /** Whether to trust the project's files; for programs that have checked their content. @default {false} */
  readonly isTrusted?: boolean;
}

/** A configuration with the sources of its values. */
export interface LoadedConfig extends TrimtabConfig {
  /** The source of each value. */
  readonly sources: ConfigSources;
  /** Values of the project's files that have no effect until the files are trusted. */
  readonly waiting: readonly WaitingValue[];
  /** Keys without effect: those of earlier versions, and values of `[inside]` that a project may not set. */
  readonly retired: readonly RetiredKey[];
}

/**
 * Loads the configuration of a project.
 *
 * In ascending precedence: defaults, `<configDir>/trimtab.toml`, the `[context]` table of the nearest
 * `.work.toml` from `<projectDir>` upwards in its repository, `<projectDir>/.claude/trimtab.toml`. A missing
 * file has no effect.
 *
 * Permissions: `--allow-read` for `<projectDir>`, `<configDir>` and the folders up to the repository's root;
 * if a folder is not given, also `--allow-env=CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE`.
 *
 * @returns Every value and its source, the values that await trust, and the keys without effect.
 * @throws {ConfigError} When a file is invalid; the error lists all problems.
 *
 * @example
 * ```ts
 * import { loadContextConfig } from "./load.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const projectDir = Deno.makeTempDirSync();
 * Deno.writeTextFileSync(`${projectDir}/.work.toml`, "[context]\nwarn_threshold = 70\n");
 * const config = loadContextConfig({ projectDir, configDir: `${projectDir}/none` });
 * assertEquals(config.context.warn_threshold, 70);
 * assertEquals(config.sources.context.warn_threshold.from, `${projectDir}/.work.toml`);
 * assertEquals(config.sources.context.urgent_threshold.layer, "default");
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function loadContextConfig(options: LoadConfigOptions = {}): LoadedConfig {
  const location = {
    projectDir: options.projectDir ?? findProjectDir({ cwd: Deno.cwd() }),
    configDir: "configDir" in options ? options.configDir : findConfigDir(),
    isTrusted: options.isTrusted ?? false,
  };
  const texts: ConfigText[] = [];
  const unread: WrongPart[] = [];
  for (const file of findConfigFiles(location)) {
    const { text, expected } = readConfigText(file, location);
    if (expected !== undefined) unread.push({ file: file.path, key: "", expected });
    if (text === undefined) continue;
    texts.push({ ...file, text, isTrusted: isTrustedText(file, text, location) });
  }
  const { config, origins, wrong, waiting, retired } = mergeTexts(texts);
  const problems = [...unread, ...wrong].map(describeProblem);
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze({ ...config, sources: sourcesOf(origins), waiting, retired });
}

function sourcesOf(origins: ReadonlyMap<string, ConfigFile>): ConfigSources {
  const sources = Object.entries(CONFIG_SPECS).map(([table, specs]) => {
    const byKey = Object.keys(specs).map((key) => {
      const { layer, path } = origins.get(`${table}.${key}`) ?? DEFAULT_ORIGIN;
      return [key, { layer, from: path }];
    });
    return [table, Object.fromEntries(byKey)];
  });
  // Safe, because the specifications name every key of the interfaces.
  return Object.fromEntries(sources) as ConfigSources;
}

const DEFAULT_ORIGIN = { layer: "default", path: "default" } as const;

/** Returns an empty object for a missing file. */
function readConfigText(
  file: ConfigFile,
  location: ConfigLocation,
): { text?: string; expected?: string } {
  try {
    const bytes = readFileSync(file.path, MAX_CONFIG_FILE_BYTES);
    if (leadsOutOfProject(file, location)) {
      return { expected: "a file in the project, not a link to a file outside it" };
    }
    // Keeps a byte order mark, because trust applies to the exact bytes.
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    if (isMissing(error)) return {};
    if (error instanceof Deno.errors.NotCapable) throw error;
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { expected: `a readable file in UTF-8 (${reason})` };
  }
}

function leadsOutOfProject({ layer, path }: ConfigFile, { projectDir }: ConfigLocation): boolean {
  if (layer === "user") return false;
  if (layer === "project") return isRealPathOutside(path, projectDir);
  // A shared file can be above the project, in a folder that a hook may not read.
  return Deno.lstatSync(path).isSymlink && isRealPathOutside(path, parentPath(path));
}
