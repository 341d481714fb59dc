/** Reads the configuration for hooks and commands. Loads the parser only if there is a file. */

import { targetOf } from "../store/exists.ts";
import { type ConfigLocation, findConfigFiles } from "./files.ts";
import type { LoadedConfig } from "./load.ts";
import { DEFAULT_CONFIG } from "./schema.ts";

type ReadConfig = Omit<LoadedConfig, "sources">;

/** A hook runs with the defaults if a file is invalid or cannot be read. */
interface HookConfig {
  readonly config: ReadConfig;
  /** Shown once per session. */
  readonly notice: string | null;
}

const DEFAULTS: ReadConfig = { ...DEFAULT_CONFIG, waiting: [], retired: [] };
const MAX_NOTICE_CHARS = 600;

/** @throws {ConfigError} When a file is invalid. */
export async function readConfig(location: ConfigLocation): Promise<ReadConfig> {
  if (findConfigFiles(location).every(({ path }) => targetOf(path) === null)) return DEFAULTS;
  const { loadContextConfig } = await import("./load.ts");
  return loadContextConfig(location);
}

export async function hookConfig(location: ConfigLocation): Promise<HookConfig> {
  try {
    return { config: await readConfig(location), notice: null };
  } catch (error) {
    const { ConfigError, problemText, shorten } = await import("./problem.ts");
    const reason = error instanceof ConfigError
      ? `is invalid: ${error.problems.map(problemText).join("; ")}`
      : `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    const text = `trimtab: using the defaults, because the configuration ${reason}`;
    // Paths and values can contain any text.
    return { config: DEFAULTS, notice: shorten(text.replace(/\p{Cc}+/gu, " "), MAX_NOTICE_CHARS) };
  }
}
