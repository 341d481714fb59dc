/**
 * Starts trimtab's hook scripts from the module, and lists those with nothing to do in a variable, so that the
 * launcher skips them. The client itself starts no PreCompact hook for a trim in place, and shows the answer of
 * the `/trim` hook as a refusal.
 */

import { isObject } from "../src/core/record.ts";
import { HEADLESS_ENTRYPOINT } from "../src/events/call.ts";
import { attempt } from "../src/inside/attempt.ts";
import type {
  ClassicAnswer,
  ClassicEvent,
  Client,
  CommandAnswer,
  CommandEvent,
  NextHandler,
} from "../src/inside/client.ts";
import { currentRows } from "../src/inside/rows.ts";
import { readSessionLines } from "../src/inside/session_lines.ts";
import { asString } from "../src/transcript/entry.ts";
import { isInTerminal } from "./_inside_plan.ts";

/** Timeouts of the hooks, as in hooks.json. */
const TIMEOUT_MS = { "user-prompt-expansion": 120_000, "pre-compact": 30_000 } as const;

const PRESS_ENTER = "/resume is in the prompt: press Enter to continue in the copy";

export const REWOUND =
  "Nothing was copied: the transcript still ends with the turns that you rewound. " +
  "Send a message first, then trim again";

async function runHookScript(
  client: Client,
  name: keyof typeof TIMEOUT_MS,
  fields: Record<string, unknown>,
): Promise<string> {
  const env = await client.process.hookEnv();
  const { CLAUDE_PLUGIN_ROOT: root = "" } = env;
  // Except on Windows, the path is absolute, so that a project cannot supply another `sh`.
  const shell = /^[A-Za-z]:/.test(root) ? "sh" : "/bin/sh";
  const payload = {
    session_id: await client.session.id(),
    cwd: await client.session.root(),
    transcript_path: (await client.session.info()).transcriptPath,
    ...fields,
  };
  const { stdout } = await client.process.run([shell, `${root}/bin/trimtab`, "hook", name], {
    // An empty value makes the launcher run the hook even if it is listed as idle.
    env: { ...env, TRIMTAB_INSIDE: "" },
    stdin: JSON.stringify(payload),
    timeoutMs: TIMEOUT_MS[name],
  });
  return stdout;
}

export async function saveCheckpoint(client: Client): Promise<void> {
  await attempt(client, () =>
    runHookScript(client, "pre-compact", {
      hook_event_name: "PreCompact",
      trigger: "auto",
      custom_instructions: null,
    }));
}

export function displayOnly(text: string): CommandAnswer {
  return { text, isTextDisplayOnly: true };
}

/** Trims a copy of the session. Returns `undefined` to let the client run the hook instead. */
export async function answerCopy(
  client: Client,
  { command, args }: CommandEvent,
): Promise<CommandAnswer | undefined> {
  const stdout = await runHookScript(client, "user-prompt-expansion", {
    hook_event_name: "UserPromptExpansion",
    command_name: command,
    command_args: args,
  });
  const answer: unknown = stdout === "" ? undefined : JSON.parse(stdout);
  const text = isObject(answer) ? asString(answer.reason) : undefined;
  if (text === undefined) return undefined;
  const [resume] = /\/resume [0-9a-f-]{36}/.exec(text) ?? [];
  if (resume === undefined || !await isInTerminal(client)) return displayOnly(text);
  // An id of 36 characters is too long to type, so the command is put into the prompt.
  client.clock.after(1, () => attempt(client, () => fillPrompt(client, resume)));
  return displayOnly(await isPromptEmpty(client) ? `${text}\n${PRESS_ENTER}` : text);
}

async function isPromptEmpty(client: Client): Promise<boolean> {
  return (await client.prompt.read()).text === "";
}

async function fillPrompt(client: Client, text: string): Promise<void> {
  if (await isPromptEmpty(client)) await client.prompt.fill({ text });
}

export async function refuseRewound(client: Client): Promise<CommandAnswer | undefined> {
  try {
    const { transcriptPath } = await client.session.info();
    const lines = await readSessionLines(client, transcriptPath, await currentRows(client));
    return lines.endsWithRewoundTurns ? displayOnly(REWOUND) : undefined;
  } catch {
    // If the check fails, as in an old client or without a transcript, the copy is made.
    return undefined;
  }
}

let replacedSession: string | undefined;

/** Records the session that a trim or an undo has just replaced; `undefined` when a compaction begins. */
export function setReplaced(session: string | undefined): void {
  replacedSession = session;
}

/** Skips the hook after a trim in place, and in a headless session of a project without trimtab's files. */
export async function sessionStartHook(
  client: Client,
  event: ClassicEvent,
  next: NextHandler<ClassicEvent, ClassicAnswer>,
): Promise<ClassicAnswer> {
  await attempt(client, async () => {
    const isTrim = event.source === "compact" && replacedSession === event.session_id;
    if (event.source === "compact") replacedSession = undefined;
    const isIdle = isTrim || await isIdleStart(client);
    await setIdle(client, event.session_id, isIdle ? ["session-start"] : []);
  });
  return await next(event);
}

async function isIdleStart(client: Client): Promise<boolean> {
  const entrypoint = await client.env.get("CLAUDE_CODE_ENTRYPOINT");
  return HEADLESS_ENTRYPOINT.test(entrypoint ?? "") &&
    await lacksProjectFiles(client, await client.session.root());
}

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
