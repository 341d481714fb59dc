/**
 * Finds attachments in a request: the client renders each as a reminder, with its own text around the
 * attachment's text.
 */

import { isObject, type JsonObject } from "../../../src/core/record.ts";
import { resultTexts } from "../../../src/transcript/content.ts";

export interface Reminder {
  /** The text that the reminder starts with. */
  opening: string;
  pieces: string[];
  /** Whether the only piece is the complete reminder, as the client stores it. */
  isVerbatim?: boolean;
}

const OPEN = "<system-reminder>\n";
const CLOSE = "\n</system-reminder>";

/**
 * Returns the expected reminder for the attachment of a hand-written line, or a reminder that matches no text
 * if the type is unknown. Lines that the client wrote already contain the rendered text.
 */
export function remindersOf({ type, hookName, content }: JsonObject): Reminder[] {
  if (type !== "hook_additional_context") {
    return [{ opening: `(no reading of ${type})`, pieces: [] }];
  }
  return [{
    opening: `${hookName} hook additional context: `,
    pieces: [...strings([hookName]), ...strings(content)],
  }];
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
  let offset = OPEN.length;
  let pieceChars = 0;
  for (const piece of reminder.pieces) {
    const found = whole.indexOf(piece, offset);
    if (found === -1) return null;
    offset = found + piece.length;
    pieceChars += [...piece].length;
  }
  return [...text].length - pieceChars;
}

/** Splits text that consists only of reminders; returns an empty list for any other text. */
export function splitReminders(text: string): string[] {
  const parts = text.split(/\n\n(?=<system-reminder>\n)/);
  const isAll = parts.every((part) => part.startsWith(OPEN) && part.trimEnd().endsWith(CLOSE));
  return isAll ? parts : [];
}

function strings(values: unknown): string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
}
