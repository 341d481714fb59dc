/** Answers `/trim` with a trimmed copy of the session. */

import type { Client, CommandAnswer, CommandEvent } from "../src/inside/client.ts";
import { attempt } from "../src/inside/attempt.ts";
import { trimCopy } from "../src/inside/copy.ts";
import { currentRows } from "../src/inside/rows.ts";
import { readSessionLines } from "../src/inside/session_lines.ts";
import { isInTerminal } from "./_inside_plan.ts";

const PRESS_ENTER = "/resume is in the prompt: press Enter to continue in the copy";

export function displayOnly(text: string): CommandAnswer {
  return { text, isTextDisplayOnly: true };
}

/** Returns `undefined` to let the client run the hook instead. */
export async function answerCopy(
  client: Client,
  event: CommandEvent,
): Promise<CommandAnswer | undefined> {
  const text = await trimCopy(client, event);
  if (text === undefined) return undefined;
  const [resume] = /\/resume [0-9a-f-]{36}/.exec(text) ?? [];
  if (resume === undefined || !await isInTerminal(client)) return displayOnly(text);
  // An id of 36 characters is too long to type, so the command is put into the prompt.
  client.clock.after(1, () => attempt(client, () => fillPrompt(client, resume)));
  const hint = (await client.prompt.read()).text === "" ? `\n${PRESS_ENTER}` : "";
  return displayOnly(text + hint);
}

export const REWOUND =
  "Nothing was copied: the transcript still ends with the turns that you rewound. " +
  "Send a message first, then trim again";

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

async function fillPrompt(client: Client, text: string): Promise<void> {
  if ((await client.prompt.read()).text === "") await client.prompt.fill({ text });
}
