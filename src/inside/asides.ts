/**
 * Finds words of the conversation that stand in no row: what the client attached to it, such as a file
 * that a prompt mentions or what a person typed while the model worked. It puts its own reminders back
 * after a compaction, but not these.
 *
 * @module
 */

import { contentParts } from "../transcript/content.ts";
import { isObject } from "../transcript/entry.ts";
import type { Aside } from "./rows.ts";
import type { SessionLine } from "./session_lines.ts";

/** Attachments that the client attaches again by itself. */
const PUT_BACK: ReadonlySet<unknown> = new Set([
  "agent_listing_delta",
  "auto_mode",
  "date",
  "date_change",
  "deferred_tools_delta",
  "environment",
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

/** Lists what has to be kept, by the message that it follows. */
export function findAsides(lines: readonly SessionLine[]): Aside[] {
  const asides: Aside[] = [];
  let after: string | undefined;
  for (const { entry } of lines) {
    if (entry.type === "user" || entry.type === "assistant") after = entry.uuid;
    if (entry.type !== "attachment" || after === undefined) continue;
    const { attachment } = entry.raw;
    if (!isObject(attachment) || PUT_BACK.has(attachment.type)) continue;
    const text = contentParts(entry).map((part) => part.text).join("");
    if (text !== "") asides.push({ after, text });
  }
  return asides;
}
