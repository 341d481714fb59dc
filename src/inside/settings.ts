/**
 * The configuration as the module can read it: what a command kept for hooks, while it is still what
 * the files say.
 *
 * @module
 */

import { configCachePath, parseConfigCache } from "../config/cache_format.ts";
import { configFiles } from "../config/files.ts";
import { configOf, type ContextConfig, DEFAULT_CONFIG } from "../config/schema.ts";
import type { Client } from "./client.ts";

/** A transcript lies two folders below the client's configuration. */
const ABOVE_TRANSCRIPT = 3;

/** Reads the configuration; `undefined` where only a command can tell what the files say. */
export async function readSettings(
  client: Client,
  projectDir: string,
  transcriptPath: string,
): Promise<ContextConfig | undefined> {
  const configDir = transcriptPath.split(/[\\/]/).slice(0, -ABOVE_TRANSCRIPT).join("/");
  const files = configFiles({ projectDir, configDir });
  const stamps = await Promise.all(files.map(({ path }) => stampOf(client, path)));
  if (stamps.every((stamp) => stamp === undefined)) return DEFAULT_CONFIG.context;
  const text = await client.fs.read(configCachePath(projectDir)).catch(() => "");
  const cache = parseConfigCache(text);
  if (cache === null || cache.problems.length > 0) return undefined;
  const isSame = files.every(({ path }, index) => {
    const kept = cache.files[index];
    const stamp = stamps[index];
    return kept?.path === path && (kept.sizeBytes ?? undefined) === stamp?.size &&
      (stamp === undefined || Math.trunc(kept.mtimeMs ?? 0) === Math.trunc(stamp.mtimeMs));
  });
  return isSame ? configOf(cache.values).context : undefined;
}

async function stampOf(
  client: Client,
  path: string,
): Promise<{ size: number; mtimeMs: number } | undefined> {
  try {
    return await client.fs.stat(path);
  } catch {
    return undefined;
  }
}
