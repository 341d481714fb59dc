/** The configuration that a command works by. */

import { hookConfig } from "../src/config/hook_config.ts";
import type { TrimtabConfig } from "../src/config/schema.ts";
import type { SessionPlace } from "./project.ts";

export async function loadCommandConfig(
  place: Pick<SessionPlace, "projectDir" | "configDir">,
): Promise<TrimtabConfig> {
  const { projectDir, configDir } = place;
  const kept = await hookConfig({ projectDir, configDir });
  if (kept.notice === null) return kept.config;
  return await readAnew({ projectDir, configDir });
}

/** The first command that meets a new file also keeps it for hooks, which cannot parse it. */
async function readAnew(
  place: Pick<SessionPlace, "projectDir" | "configDir">,
): Promise<TrimtabConfig> {
  try {
    const { refreshContextConfig } = await import("../src/config/refresh.ts");
    return refreshContextConfig(place);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    const { loadContextConfig } = await import("../src/config/load.ts");
    return loadContextConfig(place);
  }
}
