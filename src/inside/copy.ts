/**
 * Starts trimtab's hook scripts from the module. The client itself starts no PreCompact hook for a trim in
 * place, and shows the answer of the `/trim` hook as a refusal.
 */

import { isObject } from "../core/record.ts";
import { asString } from "../transcript/entry.ts";
import type { Client } from "./client.ts";

/** As for the `/trim` hook in hooks.json. */
const TRIM_TIMEOUT_MS = 120_000;

/** As for the PreCompact hook in hooks.json. */
const PRE_COMPACT_TIMEOUT_MS = 30_000;

export async function runHookScript(
  client: Client,
  name: "pre-compact" | "user-prompt-expansion",
  fields: Record<string, unknown>,
): Promise<string> {
  const env = await client.process.hookEnv();
  const { CLAUDE_PLUGIN_ROOT: root = "" } = env;
  // Except on Windows, the path is absolute, so that a project cannot supply another `sh`.
  const shell = /^[A-Za-z]:/.test(root) ? "sh" : "/bin/sh";
  const payload = {
    session_id: await client.session.id(),
    cwd: await client.session.root(),
    ...fields,
  };
  const { stdout } = await client.process.run(
    [shell, `${root}/bin/trimtab`, "hook", name],
    {
      // An empty value makes the launcher run the hook even if it is listed as idle.
      env: { ...env, TRIMTAB_INSIDE: "" },
      stdin: JSON.stringify(payload),
      timeoutMs: name === "user-prompt-expansion" ? TRIM_TIMEOUT_MS : PRE_COMPACT_TIMEOUT_MS,
    },
  );
  return stdout;
}

export async function trimCopy(
  client: Client,
  call: { command: string; args: string },
): Promise<string | undefined> {
  const { transcriptPath } = await client.session.info();
  const stdout = await runHookScript(client, "user-prompt-expansion", {
    hook_event_name: "UserPromptExpansion",
    transcript_path: transcriptPath,
    command_name: call.command,
    command_args: call.args,
  });
  const answer: unknown = stdout === "" ? undefined : JSON.parse(stdout);
  return isObject(answer) ? asString(answer.reason) : undefined;
}
