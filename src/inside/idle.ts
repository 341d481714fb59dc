/**
 * Informs the launcher which hooks have nothing to do in the running session, so that it ends at once
 * where the client starts them.
 */

import type { Client } from "./client.ts";

/** A hook, as the launcher is called for it. */
export type IdleHook =
  | "user-prompt-submit"
  | "post-tool-batch"
  | "post-tool-use"
  | "session-start"
  | "stop"
  | "session-end";

/** The value that the client's environment has now; `undefined` where that is not known. */
let told: string | undefined;

/** Names the hooks that have nothing to do. Returns false where the client refuses: then all of them run. */
export async function setIdle(
  client: Client,
  sessionId: string,
  hooks: readonly IdleHook[],
): Promise<boolean> {
  const value = [sessionId, ...hooks].join(" ");
  if (value === told) return true;
  told = undefined;
  const { deny } = await client.env.set("TRIMTAB_INSIDE", value).catch(() => ({ deny: "failed" }));
  if (deny !== undefined) return false;
  told = value;
  return true;
}

/** Has every hook run: a module before this one may have left something behind. */
export async function resetIdle(client: Client): Promise<void> {
  told = undefined;
  await client.env.set("TRIMTAB_INSIDE", undefined);
}

/** Files of trimtab in a project, and its configuration. */
const KEPT = [
  ".claude/trimtab",
  ".claude/trimtab.toml",
  ".claude/checkpoints",
  ".claude/runtime/context-snapshots",
  ".work.toml",
] as const;

/** Whether a project has nothing that a start could restore or report. */
export async function isUnused(client: Client, projectDir: string): Promise<boolean> {
  const found = await Promise.all(
    KEPT.map((path) => client.fs.exists(`${projectDir}/${path}`)),
  );
  return !found.includes(true);
}
