/**
 * Has the hook of `/trim` write a copy, and says what it says: a hook's own answer looks like a refusal.
 */

import type { Client } from "./client.ts";

/** As long as the client gives the hook itself, in milliseconds. */
const TIMEOUT_MS = 120_000;

/** What the hook answers; `undefined` where it cannot be run. */
export async function trimCopy(
  client: Client,
  call: { command: string; args: string },
): Promise<string | undefined> {
  const env = await client.process.hookEnv();
  const { transcriptPath } = await client.session.info();
  const payload = {
    hook_event_name: "UserPromptExpansion",
    session_id: await client.session.id(),
    transcript_path: transcriptPath,
    cwd: await client.session.root(),
    command_name: call.command,
    command_args: call.args,
  };
  const { stdout } = await client.process.run(
    ["sh", `${env.CLAUDE_PLUGIN_ROOT}/bin/trimtab`, "hook", "user-prompt-expansion"],
    { env, stdin: JSON.stringify(payload), timeoutMs: TIMEOUT_MS },
  );
  const answer: unknown = stdout === "" ? undefined : JSON.parse(stdout);
  const isAnswer = typeof answer === "object" && answer !== null && "reason" in answer;
  return isAnswer && typeof answer.reason === "string" ? answer.reason : undefined;
}
