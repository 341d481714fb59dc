/**
 * Texts that the client has put beside the conversation: which of them stay after a trim in place.
 *
 * After a compaction the client adds its own reminders again. All others, such as a file that a prompt
 * mentions, the words of a skill or of another plugin's hook, would be gone.
 */

import { queuedPrompt } from "../transcript/content.ts";
import { asString, isObject } from "../transcript/entry.ts";
import { isTrimNote } from "../transcript/in_place.ts";
import type { SessionLine } from "./session_lines.ts";

/** Decides on the reminders of one conversation. */
export interface Reminders {
  /** Returns the text that a row gets in the place of a reminder, or nothing. */
  keep(text: string): string[];
  /** Whether of several such texts only the newest says how things are. */
  isState(text: string): boolean;
}

/** Attachments that the client adds again behind a compaction. */
const RENEWED: ReadonlySet<unknown> = new Set(
  "date date_change deferred_tools_record instructions model prompt_snapshot remote_session_change session_context task_reminder todo_reminder total_tokens_reminder"
    .split(" "),
);

/** Further ones, which the client adds one request late after a trim in the middle of a turn. */
const RENEWED_LATE: ReadonlySet<unknown> = new Set([
  "agent_listing_delta",
  "deferred_tools_delta",
  "environment",
  "mcp_instructions_delta",
  "skill_listing",
]);

/** The same by their first words, for transcripts that do not hold what was sent of an attachment. */
const RENEWED_TEXT = new RegExp(
  "^(?:" + [
    "As you answer the user's questions, you can use the following context",
    "Attribution for git commits",
    "Codebase and user instructions are shown below",
    "The TodoWrite tool hasn't been used",
    "The date has changed",
    "The task tools haven't been used",
    "Today's date is",
    "You are powered by the model",
    "<total_tokens>",
  ].join("|") + ")",
);
const RENEWED_LATE_TEXT = new RegExp(
  "^(?:" + [
    "# Environment\n",
    "# MCP Server Instructions",
    "Available agent types for the Agent tool",
    "New agent types are now available",
    "The following MCP servers have",
    "The following deferred tools are",
    "The following skills are available",
  ].join("|") + ")",
);

/** Our own words on a window that was fuller, and on an earlier trim. */
const OUTDATED =
  /^(?:\w+ hook additional context: Context at \d+%\. |Note from the trimtab plugin, not from the user:)/;

/** The client says so behind tools that a search has loaded; they have to be searched for again. */
const TOOL_LOADED = "Tool loaded.";

/** The client draws no text that begins with this tag, and sends it. */
const HIDDEN_OPEN = "<local-command-caveat>";
const HIDDEN_CLOSE = "</local-command-caveat>";

const REMINDER = /<system-reminder>\n?[^]*?<\/system-reminder>/g;

/** Lists the reminders that a text holds. */
export function remindersIn(text: string): string[] {
  return text.match(REMINDER) ?? [];
}

/**
 * Reads what the transcript says about the reminders of a conversation.
 *
 * @param lines The lines of the active context.
 * @param isMidTurn Whether the next request goes on with a turn: then the client adds some of its
 * reminders only to the one after it.
 */
export function readReminders(
  lines: readonly SessionLine[],
  { isMidTurn }: { isMidTurn: boolean },
): Reminders {
  const attachments = new Map<string, { type: unknown; prompt: string | undefined }>();
  const notes = new Set<string>();
  for (const { entry } of lines) {
    const { attachment, rendered } = entry.raw;
    if (!isObject(attachment)) continue;
    const texts = (Array.isArray(rendered) ? rendered : []).filter(isObject)
      .map(({ content }) => (asString(content) ?? "").trim());
    const prompt = queuedPrompt(entry);
    for (const text of texts) {
      attachments.set(text, { type: attachment.type, prompt });
      if (isTrimNote(entry)) notes.add(text);
    }
  }
  return {
    keep: (sent) => {
      const text = unhide(sent).trim();
      const { type, prompt } = attachments.get(text) ?? {};
      if (prompt !== undefined) return [prompt];
      const words = wordsOf(text);
      if (notes.has(text) || OUTDATED.test(words) || text === TOOL_LOADED) return [];
      if (RENEWED.has(type) || RENEWED_TEXT.test(words)) return [];
      const isLate = RENEWED_LATE.has(type) || RENEWED_LATE_TEXT.test(words);
      return isLate && !isMidTurn ? [] : [hide(text)];
    },
    isState: (text) => RENEWED_LATE_TEXT.test(wordsOf(unhide(text))),
  };
}

function wordsOf(text: string): string {
  return text.replace(/^<system-reminder>\n?/, "");
}

/** Keeps a reminder off the screen, where it would look like a prompt. */
export function hide(text: string): string {
  return text.startsWith("<system-reminder>") ? `${HIDDEN_OPEN}${text}${HIDDEN_CLOSE}` : text;
}

/** Whether a text is a reminder that {@linkcode hide} has hidden. */
export function isHidden(text: string): boolean {
  return text.startsWith(`${HIDDEN_OPEN}<system-reminder>`) && text.endsWith(HIDDEN_CLOSE);
}

/** Gives a reminder as it was before it was hidden. */
export function unhide(text: string): string {
  return isHidden(text) ? text.slice(HIDDEN_OPEN.length, -HIDDEN_CLOSE.length) : text;
}
