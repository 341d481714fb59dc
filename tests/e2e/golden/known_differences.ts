/**
 * Known differences between the library and the client. An entry that no longer differs
 * fails the test, and has to be removed.
 *
 * @module
 */

import type { JsonObject } from "../../../src/core/record.ts";
import { isNewerClient } from "../bed/version.ts";

/** A kind of attachment that the library wrongly takes as sent, or as not sent. */
export interface Miscounted {
  name: string;
  why: string;
  /** Whether the client sends it; the library assumes the opposite. */
  isSent: boolean;
  /** Whether an attachment is of this kind. */
  matches(attachment: JsonObject): boolean;
}

/** Attachments that the oldest client rewords on resume. */
const READ_BY_TYPE: Miscounted[] = [
  {
    name: "files that are mentioned",
    why: "An attachment of type file is sent as a call of Read and its result; none is counted.",
    isSent: true,
    matches: ({ type }) => type === "file",
  },
  {
    name: "a reminder of tasks when there are none",
    why: "A task_reminder with an empty list is sent; it counts as nothing for want of text.",
    isSent: true,
    matches: ({ type, content }) =>
      type === "task_reminder" && Array.isArray(content) && content.length === 0,
  },
];

/** All kinds. Newer clients store the sent text of the first two, so the library is right there. */
export const MISCOUNTED: Miscounted[] = [
  ...(await isNewerClient() ? [] : READ_BY_TYPE),
  {
    name: "a hook that printed nothing for the model",
    why: "A hook_success with empty content is not sent; the hook's name is counted as its text.",
    isSent: false,
    matches: ({ type, content }) => type === "hook_success" && content === "",
  },
];

/** Sessions whose context the library computes differently, and why. */
export const KNOWN_DIFFERENCES: Record<string, string> = {
  "documents, and tools that the API runs":
    "server_tool_use and web_search_tool_result are sent, and count as nothing",
  "two objects on a line": "the client loses the second one, the library reads both",
};
