/** Runs trimtab's hooks that the client does not run, or whose answer it would show as a refusal. */

import { isObject } from "../core/record.ts";
import type { Client } from "./client.ts";

/** The client's own timeout for the `/trim` hook, in milliseconds. */
const COPY_TIMEOUT_MS = 120_000;

/** The client's own timeout for other hooks, in milliseconds. */
const TIMEOUT_MS = 30_000;

/**
 * The shell to run. Windows finds it through PATH; elsewhere an absolute path keeps a project from replacing
 * it.
 */
export function shellOf({ CLAUDE_PLUGIN_ROOT: root = "" }: Record<string, string>): string {
  return /^[A-Za-z]:/.test(root) ? "sh" : "/bin/sh";
}

/** Time limit for the launcher to find Deno, in milliseconds. */
const FIND_TIMEOUT_MS = 20_000;

let found: Promise<boolean> | undefined;

/** Whether the launcher finds Deno. */
export function canRunHooks(client: Client): Promise<boolean> {
  // Forgets a failure, because a busy machine may answer the next time.
  found ??= findDeno(client).catch(() => {
    found = undefined;
    return false;
  });
  return found;
}

async function findDeno(client: Client): Promise<boolean> {
  const env = await client.process.hookEnv();
  const argv = ["/bin/sh", `${env.CLAUDE_PLUGIN_ROOT}/bin/trimtab`, "--version"];
  const { exitCode } = await client.process.run(argv, {
    env,
    stdin: "",
    timeoutMs: FIND_TIMEOUT_MS,
  });
  return exitCode === 0;
}

/** Runs a hook through the launcher, as the client would, and returns its stdout. */
export async function runHook(
  client: Client,
  name: "pre-compact" | "post-tool-batch" | "user-prompt-expansion",
  fields: Record<string, unknown>,
): Promise<string> {
  const env = await client.process.hookEnv();
  const payload = {
    session_id: await client.session.id(),
    cwd: await client.session.root(),
    ...fields,
  };
  const { stdout } = await client.process.run(
    [shellOf(env), `${env.CLAUDE_PLUGIN_ROOT}/bin/trimtab`, "hook", name],
    {
      // An empty value makes the launcher run the hook even if it is listed as idle.
      env: { ...env, TRIMTAB_INSIDE: "" },
      stdin: JSON.stringify(payload),
      timeoutMs: name === "user-prompt-expansion" ? COPY_TIMEOUT_MS : TIMEOUT_MS,
    },
  );
  return stdout;
}

/** Returns the answer of the `/trim` hook; `undefined` if it printed no reason. */
export async function trimCopy(
  client: Client,
  call: { command: string; args: string },
): Promise<string | undefined> {
  const { transcriptPath } = await client.session.info();
  const stdout = await runHook(client, "user-prompt-expansion", {
    hook_event_name: "UserPromptExpansion",
    transcript_path: transcriptPath,
    command_name: call.command,
    command_args: call.args,
  });
  return textIn(stdout, "reason");
}

/** Returns the hook's message to the user, which offers to shape long outputs; `undefined` if it has none. */
export async function offerOf(client: Client, calls: unknown): Promise<string | undefined> {
  const stdout = await runHook(client, "post-tool-batch", {
    // Omits the transcript's path, so that the hook skips its check of the window.
    hook_event_name: "PostToolBatch",
    tool_calls: calls,
  });
  return textIn(stdout, "systemMessage")?.replace(/^trimtab: /, "");
}

function textIn(stdout: string, name: string): string | undefined {
  const answer: unknown = stdout === "" ? undefined : JSON.parse(stdout);
  const value = isObject(answer) ? answer[name] : undefined;
  return typeof value === "string" ? value : undefined;
}
