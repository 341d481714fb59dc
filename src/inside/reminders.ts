/**
 * Decides which reminders a trim in place keeps: those that the client does not add again after a compaction,
 * such as a mentioned file, a skill's text or another plugin's hook output.
 */

import { isObject } from "../core/record.ts";
import { RESUMING } from "../inject/bound.ts";
import { clearedBy, contentParts, queuedPrompt } from "../transcript/content.ts";
import { isTrimNote } from "../transcript/in_place.ts";
import { type Boundary, renderedTexts, type SessionLine } from "./session_lines.ts";

export interface Reminders {
  /** Returns the text to keep of a block that no row contains, such as a reminder, or an empty list. */
  keep(text: string): string[];
  /** Whether only the newest copy of a kept text counts, as for the list of available skills. */
  isState(text: string): boolean;
  /** The text that the client sends instead of a result that it has cleared, by call id. */
  readonly cleared: ReadonlyMap<unknown, unknown>;
}

/** Types of attachments that the client adds again after a compaction. */
const RENEWED: ReadonlySet<unknown> = new Set(
  "date date_change deferred_tools_record instructions prompt_snapshot remote_session_change session_context task_reminder todo_reminder total_tokens_reminder"
    .split(" "),
);

/** Types that it adds only with the second request if the compaction was in the middle of a turn. */
const RENEWED_LATE: ReadonlySet<unknown> = new Set(
  "agent_listing_delta deferred_tools_delta environment mcp_instructions_delta model output_style output_style_instructions skill_listing"
    .split(" "),
);

/** Matches reminders of the types in `RENEWED`; some transcripts do not record an attachment's text. */
const RENEWED_TEXT = startsWith(`Attribution for git commits
As you answer the user's questions, you can use the following context
Codebase and user instructions are shown below
The TodoWrite tool hasn't been used
The date has changed
The task tools haven't been used
Today's date is
<total_tokens>`);

const RENEWED_LATE_TEXT = startsWith(`# Environment\\n
# MCP Server Instructions
# Output Style: .
[^\\n]{1,80} output style is active\\. Remember to follow
Available agent types for the Agent tool
New agent types are now available
The following MCP servers have
The following deferred tools are
The following skills are available
You are powered by the model`);

/** Also matches a folder's rules, which the client sends again with the next read in that folder. */
const STATE = new RegExp(`${RENEWED_LATE_TEXT.source}|^Contents of [^\\n]+\\.md:\\n`);

/** @param patterns One regular expression per line. */
function startsWith(patterns: string): RegExp {
  return new RegExp(`^(?:${patterns.replaceAll("\n", "|")})`);
}

/** Matches trimtab's messages about the window and about earlier trims, which a trim makes obsolete. */
const OUTDATED =
  /^(?:\w+ hook additional context: Context at \d+%\. |Note from the trimtab plugin, not from the user:)/;

/** Group 1 is the event's source, which Claude Code 2.1.330 omits if the hook answers with JSON. */
const START_HOOK = /^SessionStart(?::(\w+))? hook ([^]*)/;

const RESUMED = new RegExp(
  `^SessionStart(?::compact)? hook [^]*${RESUMING}[^]*besides what the summ`,
);

/** Whether a reminder is the context that trimtab adds after a compaction. An undo makes it obsolete. */
export function isRestoredContext(text: string): boolean {
  return RESUMED.test(withoutTag(text));
}

/** The client's text after a tool search. A trim unloads the tools that were found. */
export const TOOL_LOADED = "Tool loaded.";

/** The client sends text that begins with this tag but does not display it. */
export const HIDDEN_OPEN = "<local-command-caveat>";
const HIDDEN_CLOSE = "</local-command-caveat>";

const REMINDER = /\n*(<system-reminder>\n?[^]*?<\/system-reminder>)/g;

export function remindersIn(text: string): string[] {
  return [...text.matchAll(REMINDER)].map(([, reminder = ""]) => reminder);
}

export function withoutReminders(text: string): string {
  return text.replace(REMINDER, "");
}

/** `isMidTurn`: the next request continues a turn, and the client adds some reminders one later. */
export function readReminders(
  lines: readonly SessionLine[],
  { isMidTurn = false, boundaries: [first] = [] }: {
    readonly isMidTurn?: boolean;
    readonly boundaries?: readonly Boundary[];
  },
): Reminders {
  const attachments = new Map<string, { type: unknown; prompt: string | undefined }>();
  const notes = new Set<string>();
  const messages = new Set<string>();
  /** Output of start hooks after a compaction or a trim. The next compaction or trim runs the hooks again. */
  const repeated = new Set<string>();
  const cleared = new Map<unknown, unknown>();
  for (const { number, entry } of lines) {
    const defaultSource = number > (first?.line.number ?? Infinity) ? "compact" : "";
    for (const { text } of entry.type === "user" ? contentParts(entry) : []) {
      messages.add(text.trim());
    }
    const { attachment } = entry.raw;
    if (!isObject(attachment)) continue;
    for (const id of clearedBy(entry)) cleared.set(id, attachment.standIn);
    const texts = renderedTexts(entry).map((text) => text.trim());
    const prompt = queuedPrompt(entry);
    for (const text of texts) {
      attachments.set(text, { type: attachment.type, prompt });
      if (isTrimNote(entry)) notes.add(text);
      const [, source = defaultSource, output] = START_HOOK.exec(withoutTag(text)) ?? [];
      if (source === "compact" && output !== undefined) repeated.add(output);
    }
  }
  return {
    cleared,
    keep: (sent) => {
      const text = textBeforeHiding(sent);
      const { type, prompt } = attachments.get(text) ?? {};
      if (prompt !== undefined) return [prompt];
      const untagged = withoutTag(text);
      if (notes.has(text) || OUTDATED.test(untagged) || text === TOOL_LOADED) return [];
      // The text of the user's own command can begin like a reminder, but it is a message.
      if (untagged === text && messages.has(text)) return [text];
      if (RENEWED.has(type) || RENEWED_TEXT.test(untagged)) return [];
      const [, source, output = ""] = START_HOOK.exec(untagged) ?? [];
      // trimtab's own start hook is skipped after a trim, so its earlier context is kept.
      if ((source === "compact" || repeated.has(output)) && !output.includes(RESUMING)) return [];
      const isLate = RENEWED_LATE.has(type) || RENEWED_LATE_TEXT.test(untagged);
      return isLate && !isMidTurn ? [] : [hide(text)];
    },
    isState: (text) => {
      const reminder = unhide(text);
      // A prompt can begin with the same words, but only a reminder is hidden.
      return reminder !== text && STATE.test(withoutTag(reminder));
    },
  };
}

function withoutTag(text: string): string {
  return text.replace(/^<system-reminder>\n?/, "");
}

/** Hides a reminder from the screen, where it would look like a prompt. */
function hide(text: string): string {
  return text.startsWith("<system-reminder>") ? `${HIDDEN_OPEN}${text}${HIDDEN_CLOSE}` : text;
}

export function hiddenReminder(words: string): string {
  return hide(`<system-reminder>\n${words}\n</system-reminder>`);
}

/** Matches each reminder that an earlier trim kept. A row can contain several, and other text. */
const HIDDEN = new RegExp(
  `${HIDDEN_OPEN}<system-reminder>[^]*?</system-reminder>${HIDDEN_CLOSE}`,
  "g",
);

export function withoutHidden(text: string): string {
  return text.replace(HIDDEN, "");
}

export function textBeforeHiding(text: string): string {
  return unhide(text.trim()).trim();
}

export function isReminder(text: string): boolean {
  return textBeforeHiding(text).startsWith("<system-reminder>");
}

function unhide(text: string): string {
  const isHidden = text.startsWith(`${HIDDEN_OPEN}<system-reminder>`) &&
    text.endsWith(HIDDEN_CLOSE);
  return isHidden ? text.slice(HIDDEN_OPEN.length, -HIDDEN_CLOSE.length) : text;
}
