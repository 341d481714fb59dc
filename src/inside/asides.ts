/**
 * Finds words of the conversation that stand in no row: what the client attached to it, such as a file
 * that a prompt mentions or what a person typed while the model worked. It puts its own reminders back
 * after a compaction, but not these.
 */

import { contentParts } from "../transcript/content.ts";
import { asString, type Entry, isObject, type JsonObject } from "../transcript/entry.ts";
import { isTrimNote } from "../transcript/in_place.ts";
import type { Aside } from "./rows.ts";
import type { SessionLine } from "./session_lines.ts";

/** Attachments that the client attaches again by itself. */
const PUT_BACK: ReadonlySet<unknown> = new Set([
  "agent_listing_delta",
  "auto_mode",
  "date",
  "date_change",
  "deferred_tools_delta",
  "deferred_tools_record",
  "environment",
  "instructions",
  "mcp_instructions_delta",
  "model",
  "nested_memory",
  "prompt_snapshot",
  "remote_session_change",
  "session_context",
  "skill_listing",
  "task_reminder",
  "todo_reminder",
  "total_tokens_reminder",
]);

/** Words of the client's own that say nothing once a command is over. */
const CAVEAT = "<local-command-caveat>";

/** Our own words on a window that was fuller. */
const WARNING = /hook additional context: Context at \d+%\. /;

/** Lists what has to be kept, by the message that it follows. */
export function findAsides(
  lines: readonly SessionLine[],
  handles: ReadonlySet<string>,
): Aside[] {
  const asides: Aside[] = [];
  let after: string | undefined;
  for (const { entry } of lines) {
    if (entry.uuid !== undefined && handles.has(entry.uuid)) after = entry.uuid;
    else if (after !== undefined) {
      const text = isLeftOut(entry) ? wordsOf(entry) : "";
      if (text !== "") asides.push({ after, text });
    }
  }
  return asides;
}

/** Whether an entry reaches the model, stands in no row, and is not put back by the client. */
function isLeftOut(entry: Entry): boolean {
  const { attachment } = entry.raw;
  if (entry.type === "attachment") {
    // What we told the model of an earlier trim, the next one tells it anew.
    return isObject(attachment) && !PUT_BACK.has(attachment.type) && !isTrimNote(entry);
  }
  return entry.type === "user" && entry.raw.isMeta === true;
}

function wordsOf(entry: Entry): string {
  const { attachment } = entry.raw;
  // What a person typed while the model worked is a prompt like any other.
  if (isObject(attachment) && attachment.type === "queued_command" && isPrompt(attachment)) {
    return asString(attachment.prompt) ?? "";
  }
  const texts = contentParts(entry).filter(({ kind }) => kind !== "tool_result");
  const text = texts.map((part) => part.text).join("");
  return text.startsWith(CAVEAT) || WARNING.test(text) ? "" : text;
}

function isPrompt({ commandMode, prompt }: JsonObject): boolean {
  return commandMode === "prompt" && typeof prompt === "string";
}
