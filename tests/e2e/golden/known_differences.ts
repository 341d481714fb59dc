/**
 * Known differences between the library and the client. An entry that no longer differs fails the
 * test and has to be removed.
 *
 * @module
 */

import type { JsonObject } from "../../../src/core/record.ts";
import { isNewerClient } from "../bed/version.ts";

/** A kind of attachment that the library wrongly counts as sent, or as not sent. */
export interface Miscounted {
  name: string;
  why: string;
  /** Whether the client sends it; the library assumes the opposite. */
  isSent: boolean;
  matches(attachment: JsonObject): boolean;
}

/** Attachments that the oldest client rewords on resume. */
const READ_BY_TYPE: Miscounted[] = [
  {
    name: "mentioned files",
    why: "An attachment of type file is sent as a call of Read and its result; none is counted.",
    isSent: true,
    matches: ({ type }) => type === "file",
  },
  {
    name: "a reminder of an empty task list",
    why: "A task_reminder with an empty list is sent; it counts as nothing for want of text.",
    isSent: true,
    matches: ({ type, content }) =>
      type === "task_reminder" && Array.isArray(content) && content.length === 0,
  },
];

/**
 * Newer clients store the text that they send for `READ_BY_TYPE`, so the library counts it
 * correctly.
 */
export const MISCOUNTED: Miscounted[] = [
  ...(await isNewerClient() ? [] : READ_BY_TYPE),
  {
    name: "a hook that printed nothing for the model",
    why: "A hook_success with empty content is not sent; the hook's name is counted as its text.",
    isSent: false,
    matches: ({ type, content }) => type === "hook_success" && content === "",
  },
];

/** Keyed by session name: why the library's context differs from the client's. */
export const KNOWN_DIFFERENCES: Record<string, string> = {
  "documents, and tools that the API runs":
    "server_tool_use and web_search_tool_result are sent, and count as nothing",
  "two objects on a line": "the client loses the second one, the library reads both",
};
