/**
 * Informs the launcher which hooks have nothing to do in the running session, so that it exits at once when
 * the client starts them.
 */

import type { Client } from "./client.ts";

/** A hook's name on the launcher's command line. */
export type IdleHook =
  | "user-prompt-submit"
  | "post-tool-batch"
  | "post-tool-use"
  | "session-start"
  | "stop"
  | "session-end";

/** The current value in the client's environment; `undefined` if unknown. */
let published: string | undefined;

/** Publishes the hooks that have nothing to do. Returns false if the client refuses; then every hook runs. */
export async function setIdle(
  client: Client,
  sessionId: string,
  hooks: readonly IdleHook[],
): Promise<boolean> {
  const value = [sessionId, ...hooks].join(" ");
  if (value === published) return true;
  published = undefined;
  const { deny } = await client.env.set("TRIMTAB_INSIDE", value).catch(() => ({ deny: "failed" }));
  if (deny !== undefined) return false;
  published = value;
  return true;
}

/** Makes every hook run again, because an earlier instance of the module may have left a value. */
export async function resetIdle(client: Client): Promise<void> {
  published = undefined;
  await client.env.set("TRIMTAB_INSIDE", undefined);
}

/** trimtab's files and configuration in a project. */
const PROJECT_FILES = [
  ".claude/trimtab",
  ".claude/trimtab.toml",
  ".claude/checkpoints",
  ".claude/runtime/context-snapshots",
  ".work.toml",
] as const;

/** Whether a project has nothing to restore or report at start. */
export async function isUnused(client: Client, projectDir: string): Promise<boolean> {
  const found = await Promise.all(
    PROJECT_FILES.map((path) => client.fs.exists(`${projectDir}/${path}`)),
  );
  return !found.includes(true);
}
