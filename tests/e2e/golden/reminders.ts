/**
 * Finds attachments in a request: the client renders each as a reminder, with its own text around
 * the attachment's.
 *
 * @module
 */

import { isObject, type JsonObject } from "../../../src/core/record.ts";
import { resultTexts } from "../../../src/transcript/content.ts";
import { asString } from "../../../src/transcript/entry.ts";

export interface Reminder {
  /** The text that the reminder starts with. */
  opening: string;
  /** The attachment's texts in the reminder, in order. */
  pieces: string[];
  /** Whether the single piece is the whole reminder, as newer clients store it. */
  isVerbatim?: boolean;
}

const OPEN = "<system-reminder>\n";
const CLOSE = "\n</system-reminder>";

/** Renders each kind of attachment in the test's sessions. A kind without an entry never matches. */
const READINGS: Record<string, (attachment: JsonObject) => Reminder[]> = {
  agent_listing_delta: ({ addedLines, removedTypes }) => [{
    opening: "",
    pieces: [...strings(addedLines), ...strings(removedTypes)],
  }],
  file: ({ filename, content }) => [
    { opening: "Called the Read tool with the following input: ", pieces: strings([filename]) },
    { opening: "Result of calling the Read tool:\n", pieces: fileLines(content) },
  ],
  hook_additional_context: ({ hookName, content }) => [{
    opening: `${hookName} hook additional context: `,
    pieces: [...strings([hookName]), ...strings(content)],
  }],
  hook_blocking_error: ({ hookName, blockingError }) => [{
    opening: `${hookName} hook blocking error from command: `,
    pieces: isObject(blockingError)
      ? strings([hookName, blockingError.command, blockingError.blockingError])
      : [],
  }],
  hook_success: ({ hookName, content }) => [{
    opening: `${hookName} hook success: `,
    pieces: strings([hookName, content]),
  }],
  queued_command: ({ prompt }) => [{
    opening: "The user sent a new message while you were working:\n",
    pieces: strings([prompt]),
  }],
  skill_listing: ({ content }) => [{
    opening: "The following skills are available for use with the Skill tool:\n\n",
    pieces: strings([content]),
  }],
  task_reminder: () => [{ opening: "The task tools haven't been used recently.", pieces: [] }],
};

export function remindersOf(attachment: JsonObject): Reminder[] {
  const type = asString(attachment.type) ?? "";
  const unknown = { opening: `(no reading of ${type})`, pieces: [] };
  return READINGS[type]?.(attachment) ?? [unknown];
}

/** Lists the reminders of an entry that stores the exact text that was sent. */
export function renderedReminders(rendered: readonly unknown[]): Reminder[] {
  return rendered.flatMap((piece) => resultTexts(isObject(piece) ? piece.content : undefined))
    .map((text) => ({ opening: "", pieces: [text], isVerbatim: true }));
}

/** Returns the number of characters that the client added, or null when the text does not match. */
export function matchReminder(text: string, reminder: Reminder): number | null {
  const whole = text.trimEnd();
  if (reminder.isVerbatim) {
    const [words = ""] = reminder.pieces;
    return whole === words.trimEnd() ? [...text].length - [...words].length : null;
  }
  if (!whole.startsWith(OPEN + reminder.opening) || !whole.endsWith(CLOSE)) return null;
  let at = OPEN.length;
  let pieceChars = 0;
  for (const piece of reminder.pieces) {
    const found = whole.indexOf(piece, at);
    if (found === -1) return null;
    at = found + piece.length;
    pieceChars += [...piece].length;
  }
  return [...text].length - pieceChars;
}

/** Splits a text that consists of reminders alone; returns an empty list for any other text. */
export function splitReminders(text: string): string[] {
  const parts = text.split(/\n\n(?=<system-reminder>\n)/);
  const isAll = parts.every((part) => part.startsWith(OPEN) && part.trimEnd().endsWith(CLOSE));
  return isAll ? parts : [];
}

function strings(values: unknown): string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
}

function fileLines(content: unknown): string[] {
  const file = isObject(content) && isObject(content.file) ? content.file : {};
  return (asString(file.content) ?? "").split("\n");
}
