/** The configuration for hooks: where there is no file of it, no reader is loaded. */

import type { HookConfig } from "./cached.ts";
import { type ConfigLocation, findConfigFiles, stampOf } from "./files.ts";
import { DEFAULT_CONFIG } from "./schema.ts";

/** What `readHookConfig` says, without loading it where there is nothing to read. */
export async function hookConfig(location: ConfigLocation): Promise<HookConfig> {
  if (!hasFiles(location)) return { config: DEFAULT_CONFIG, notice: null, waiting: [] };
  const { readHookConfig } = await import("./cached.ts");
  return readHookConfig(location);
}

function hasFiles(location: ConfigLocation): boolean {
  try {
    return findConfigFiles(location).some(({ path }) => stampOf(path).sizeBytes !== null);
  } catch {
    // What is the matter is said by those who read them.
    return true;
  }
}
