/** The configuration that a command works by. */

import type { WaitingValue } from "../config/cache_format.ts";
import { hookConfig } from "../config/hook_config.ts";
import type { TrimtabConfig } from "../config/schema.ts";
import type { SessionPlace } from "./place.ts";

/** A configuration, and what of the project's files does not count until it is trusted. */
interface CommandConfig extends TrimtabConfig {
  readonly waiting: readonly WaitingValue[];
}

export async function loadCommandConfig(
  place: Pick<SessionPlace, "projectDir" | "configDir">,
): Promise<CommandConfig> {
  const { projectDir, configDir } = place;
  const { config, notice, waiting } = await hookConfig({ projectDir, configDir });
  if (notice === null) return { ...config, waiting };
  return await readAnew({ projectDir, configDir });
}

/** Says which values do not count yet, and how to change that. */
export function waitingLines(waiting: readonly WaitingValue[]): string[] {
  return valueLines(waiting, "waits for `trimtab trust`:");
}

export function valueLines(values: readonly WaitingValue[], words: string): string[] {
  return values.map(({ file, key, value }) =>
    `${words} ${key} = ${JSON.stringify(value)}  # ${file}`
  );
}

/** The first command that meets a new file also keeps it for hooks, which cannot parse it. */
async function readAnew(
  place: Pick<SessionPlace, "projectDir" | "configDir">,
): Promise<CommandConfig> {
  try {
    const { refreshContextConfig } = await import("../config/refresh.ts");
    return refreshContextConfig(place);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    const { loadContextConfig } = await import("../config/load.ts");
    return loadContextConfig(place);
  }
}
