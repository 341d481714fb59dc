/** The configuration for hooks and commands. Where there is no file of it, no reader is loaded. */

import { type ConfigLocation, findConfigFiles, sizeOf } from "./files.ts";
import type { WaitingValue } from "./merge.ts";
import type { RetiredKey } from "./problem.ts";
import { DEFAULT_CONFIG, type TrimtabConfig } from "./schema.ts";

/** A configuration, and the values of its files that have no effect. */
export interface ReadConfig extends TrimtabConfig {
  /** Values of the project's files that do not count until they are trusted. */
  readonly waiting: readonly WaitingValue[];
  /** Keys of earlier versions. */
  readonly retired: readonly RetiredKey[];
}

/** A configuration for a hook, which goes on whatever is the matter with the files. */
export interface HookConfig {
  /** The configuration to use. */
  readonly config: ReadConfig;
  /** A message to show once in a session, or null. */
  readonly notice: string | null;
}

const DEFAULTS: ReadConfig = { ...DEFAULT_CONFIG, waiting: [], retired: [] };
const MAX_NOTICE_CHARS = 600;

/**
 * Reads the configuration of a project.
 *
 * Permissions: `--allow-read` for the three files, and for `<configDir>/trimtab` where the project's
 * files are there.
 *
 * @throws {ConfigError} When anything in the files is wrong.
 */
export async function readConfig(location: ConfigLocation): Promise<ReadConfig> {
  if (findConfigFiles(location).every(({ path }) => sizeOf(path) === null)) return DEFAULTS;
  const { loadContextConfig } = await import("./load.ts");
  return loadContextConfig(location);
}

/** Reads the configuration for a hook: the defaults, and a notice that says why, where it is wrong. */
export async function hookConfig(location: ConfigLocation): Promise<HookConfig> {
  try {
    return { config: await readConfig(location), notice: null };
  } catch (error) {
    const { ConfigError, problemText } = await import("./problem.ts");
    const reason = error instanceof ConfigError
      ? `the configuration is wrong: ${error.problems.map(problemText).join("; ")}`
      : `cannot read the configuration: ${error instanceof Error ? error.message : String(error)}`;
    return { config: DEFAULTS, notice: noticeOf(`trimtab: using defaults, ${reason}`) };
  }
}

/** One line, whatever a path or a value holds. */
function noticeOf(text: string): string {
  const points = [...text.slice(0, MAX_NOTICE_CHARS * 2)];
  const bounded = points.length <= MAX_NOTICE_CHARS
    ? points.join("")
    : `${points.slice(0, MAX_NOTICE_CHARS - 1).join("")}…`;
  return bounded.replace(/\p{Cc}+/gu, " ");
}
