/**
 * The configuration for a hook: no TOML, a few looks at files, never an error.
 *
 * Hooks must start on a machine that never fetched a package, so they have no library for TOML. What
 * a command read it keeps as JSON, with what each file looked like; while that is what the files say,
 * it is used. Else a small reader takes the files themselves, and what it does not understand is
 * said. Nothing here comes from packages.
 */

import {
  type ConfigFile,
  type ConfigLocation,
  type FileStamp,
  findConfigFiles,
  isSilentText,
  MAX_CONFIG_FILE_BYTES,
  stampOf,
} from "./files.ts";
import { type ConfigProblem, problemText } from "./problem.ts";
import { orderProblem, readConfigFiles } from "./merge.ts";
import { parseSimpleToml } from "./simple_toml.ts";
import {
  type CachedStamp,
  type ConfigCache,
  configCachePath,
  parseConfigCache,
  type WaitingValue,
} from "./cache_format.ts";
import { configOf, DEFAULT_CONFIG, type TrimtabConfig } from "./schema.ts";
import { hasSeal, sealOf } from "../store/ours.ts";
import { readOwnTextSync } from "../store/own_file.ts";
import { readTextSync } from "../store/read_file.ts";

export {
  type CachedStamp,
  CONFIG_CACHE_VERSION,
  type ConfigCache,
  configCachePath,
} from "./cache_format.ts";

/** What a hook gets. */
export interface HookConfig {
  /** The configuration to use. */
  readonly config: TrimtabConfig;
  /** What to tell the user once in a session, or null. */
  readonly notice: string | null;
  /** Values of the project's files that do not count until they are trusted. */
  readonly waiting: readonly WaitingValue[];
}

const MAX_CACHE_BYTES = 1_000_000;
const MAX_NOTICE_CHARS = 600;
const RUN_STATUS = "Run `trimtab status` once to apply it.";
const DEFAULTS: HookConfig = { config: DEFAULT_CONFIG, notice: null, waiting: [] };

const CACHE_KIND = "configuration";

interface ConfigLook {
  readonly file: ConfigFile;
  readonly stamp: FileStamp;
}

/**
 * The configuration as a hook may have it.
 *
 * Without configuration files: the defaults, after three looks. With files that are as they were
 * when a command read them: what it kept. With files that changed: what they say now; where that is
 * too complex for a hook to parse, what was kept before, or the defaults, and a notice. With files that are
 * wrong: the defaults, and a notice that says what.
 *
 * Permissions: `--allow-read` for the three files and `<projectDir>/.claude/trimtab`.
 *
 * @param location The project and the configuration folder.
 * @returns A configuration that can be used as it is, and what to tell the user. Never throws.
 *
 * @example
 * ```ts
 * import { readHookConfig } from "./cached.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const projectDir = Deno.makeTempDirSync();
 * const { config, notice } = readHookConfig({ projectDir, configDir: `${projectDir}/none` });
 * assertEquals(config.context.warn_threshold, 60);
 * assertEquals(notice, null);
 * Deno.removeSync(projectDir, { recursive: true });
 * ```
 */
export function readHookConfig(location: ConfigLocation): HookConfig {
  try {
    const looks = findConfigFiles(location).map((file) => ({ file, stamp: stampOf(file.path) }));
    if (looks.every((look) => look.stamp.sizeBytes === null)) return DEFAULTS;
    const kept = readConfigCache(location);
    // Kept from another configuration folder, or before the project moved, it is not about this one.
    const cache = kept !== null && looks.every((look, index) =>
        kept.files[index]?.path === look.file.path
      )
      ? kept
      : null;
    const config = cache === null ? DEFAULT_CONFIG : configOf(cache.values);
    const changed = looks.find((look, index) => isNews(look, cache?.files[index]));
    if (changed !== undefined) {
      const read = readChanged(location);
      if (read !== null) return read;
      const held = cache === null || cache.problems.length > 0 ? "defaults" : "the previous values";
      return withNotice(
        config,
        `using ${held}: ${changed.file.path} is new or changed, and too complex for a hook to parse. ${RUN_STATUS}`,
      );
    }
    if (cache === null || cache.problems.length === 0) {
      return { config, notice: null, waiting: cache?.waiting ?? [] };
    }
    return withProblems(cache.problems);
  } catch (error) {
    // A hook goes on with the defaults whatever is the matter with the files.
    const reason = error instanceof Error ? error.message : String(error);
    return withNotice(DEFAULT_CONFIG, `using defaults, cannot read the configuration: ${reason}`);
  }
}

/** The configuration as a hook itself can read it; null where the files hold more than that. */
function readChanged(location: ConfigLocation): HookConfig | null {
  let isBeyond = false;
  const { values, origins, problems, waiting } = readConfigFiles(location, (text) => {
    try {
      return parseSimpleToml(text);
    } catch (error) {
      isBeyond = true;
      throw error;
    }
  });
  if (isBeyond) return null;
  const disorder = problems.length === 0 ? orderProblem(values.context, origins) : null;
  const all = disorder === null ? problems : [disorder];
  return all.length === 0 ? { config: configOf(values), notice: null, waiting } : withProblems(all);
}

export function readConfigCache(location: ConfigLocation): ConfigCache | null {
  const text = readOwnTextSync(configCachePath(location.projectDir), MAX_CACHE_BYTES);
  const cache = text === null ? null : parseConfigCache(text);
  if (cache === null) return null;
  const { seal, ...rest } = { seal: undefined, ...cache };
  // A repository could ship one that says what a hook is to do.
  return hasSeal(location, CACHE_KIND, JSON.stringify(rest), seal) ? rest : null;
}

export function configCacheText(cache: ConfigCache, location: ConfigLocation): string {
  const seal = sealOf(location, CACHE_KIND, JSON.stringify(cache));
  return `${JSON.stringify({ ...cache, seal })}\n`;
}

/** Whether a file says something that no command has read yet, or no longer says what it did. */
function isNews(look: ConfigLook, before: CachedStamp | undefined): boolean {
  const { mtimeMs, sizeBytes } = look.stamp;
  if (before?.mtimeMs === mtimeMs && before.sizeBytes === sizeBytes) return false;
  return before?.silent === false || !isSilent(look);
}

/** Read only when something changed: in the usual case a file is looked at, no more. */
function isSilent({ file, stamp }: ConfigLook): boolean {
  if (stamp.sizeBytes === null) return true;
  if (file.layer !== "work" || stamp.sizeBytes > MAX_CONFIG_FILE_BYTES) return false;
  return isSilentText(file.layer, readTextSync(file.path, MAX_CONFIG_FILE_BYTES));
}

function withProblems(problems: readonly ConfigProblem[]): HookConfig {
  const told = problems.map(problemText).join("; ");
  return withNotice(DEFAULT_CONFIG, `using defaults, the configuration is wrong: ${told}`);
}

function withNotice(config: TrimtabConfig, text: string): HookConfig {
  const points = [...`trimtab: ${text}`.slice(0, MAX_NOTICE_CHARS * 2)];
  const notice = points.length <= MAX_NOTICE_CHARS
    ? points.join("")
    : `${points.slice(0, MAX_NOTICE_CHARS - 1).join("")}…`;
  // A path can hold anything; the notice stays one line.
  return { config, notice: notice.replace(/\p{Cc}+/gu, " "), waiting: [] };
}
