/** Lists the hooks that have nothing to do in a variable, so that the launcher skips them. */

import type { Client } from "./client.ts";

export type IdleHook =
  | "user-prompt-submit"
  | "post-tool-batch"
  | "post-tool-use"
  | "session-start"
  | "stop"
  | "session-end";

/** `undefined` if the variable's value in the client's environment is unknown. */
let published: string | undefined;

export async function setIdle(
  client: Client,
  sessionId: string,
  hooks: readonly IdleHook[],
): Promise<boolean> {
  const value = [sessionId, ...hooks].join(" ");
  if (value === published) return true;
  const { deny } = await client.env.set("TRIMTAB_INSIDE", value).catch(() => ({ deny: "failed" }));
  published = deny === undefined ? value : undefined;
  return deny === undefined;
}

/** Clears the value that an earlier instance of the module may have left. */
export async function resetIdle(client: Client): Promise<void> {
  published = undefined;
  await client.env.set("TRIMTAB_INSIDE", undefined);
}

const PROJECT_FILES = [
  ".claude/trimtab",
  ".claude/trimtab.toml",
  ".claude/checkpoints",
  ".claude/runtime/context-snapshots",
  ".work.toml",
] as const;

export async function lacksProjectFiles(client: Client, projectDir: string): Promise<boolean> {
  const found = await Promise.all(
    PROJECT_FILES.map((path) => client.fs.exists(`${projectDir}/${path}`)),
  );
  return !found.includes(true);
}
