/** Loading the configuration and leaving it where hooks find it. */

import { writeFileAtomicSync } from "../store/atomic.ts";
import { ensurePrivateDirSync } from "../store/private_dir.ts";
import {
  CONFIG_CACHE_VERSION,
  type ConfigCache,
  configCachePath,
  configCacheText,
  readConfigCache,
} from "./cached.ts";
import {
  type FileConfig,
  type LoadConfigOptions,
  type LoadedConfig,
  readConfigFiles,
  withFlags,
} from "./load.ts";
import type { ConfigLocation } from "./files.ts";
import { ConfigError } from "./problem.ts";

/** A configuration, and whether hooks see it too. */
export interface RefreshedConfig extends LoadedConfig {
  /** False when the cache could not be written, as in a project that is read-only. */
  readonly hooksSeeIt: boolean;
}

/**
 * Loads the configuration as `loadContextConfig` does, and keeps what the files say for hooks.
 *
 * Flags are of one command, so they are not kept. A configuration that is wrong is kept as such:
 * hooks then use the defaults and say why. Nothing is written when nothing changed, or when no
 * file says anything.
 *
 * Permissions: `--allow-read` for the three files, `--allow-read` and `--allow-write` for
 * `<projectDir>/.claude/trimtab`.
 *
 * @param options The project, the configuration folder and the flags.
 * @returns Every value, where it came from, and whether hooks see it.
 * @throws {ConfigError} When anything in the files or flags is wrong; it lists all of it.
 * @throws {Deno.errors.NotCapable} When a permission is missing.
 *
 * @example
 * ```ts
 * import { readHookConfig } from "./cached.ts";
 * import { refreshContextConfig } from "./refresh.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const projectDir = Deno.makeTempDirSync();
 * const location = { projectDir, configDir: `${projectDir}/none` };
 * Deno.writeTextFileSync(`${projectDir}/.work.toml`, "[context]\nwarn_threshold = 70\n");
 * refreshContextConfig(location);
 * assertEquals(readHookConfig(location).config.context.warn_threshold, 70);
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function refreshContextConfig(options: ConfigLocation & LoadConfigOptions): RefreshedConfig {
  const files = readConfigFiles(options);
  const hooksSeeIt = keepForHooks(options, cacheOf(files));
  return Object.freeze({ ...withFlags(files, options), hooksSeeIt });
}

function cacheOf(files: FileConfig): ConfigCache {
  const { stamps, waiting } = files;
  const common = { version: CONFIG_CACHE_VERSION, files: stamps, waiting } as const;
  try {
    withFlags(files, {});
    return { ...common, values: files.values, problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { ...common, values: { context: {}, live: {} }, problems: error.problems };
  }
}

/** Whether hooks will see it; a command works in a read-only project as well. */
function keepForHooks(location: ConfigLocation, cache: ConfigCache): boolean {
  try {
    const kept = readConfigCache(location);
    if (kept === null && cache.files.every((stamp) => stamp.silent)) return true;
    if (JSON.stringify(kept) === JSON.stringify(cache)) return true;
    const path = configCachePath(location.projectDir);
    ensurePrivateDirSync(path.slice(0, path.lastIndexOf("/")));
    writeFileAtomicSync(path, configCacheText(cache, location));
    return true;
  } catch (error) {
    // A missing permission is a mistake of ours to be seen; a read-only disk is somebody's choice.
    if (error instanceof Deno.errors.NotCapable) throw error;
    return false;
  }
}
