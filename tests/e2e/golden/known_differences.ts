/**
 * Known differences between the library and the client. An entry that no longer differs
 * fails the test, and has to be removed.
 *
 * @module
 */

import type { JsonObject } from "../../../src/core/record.ts";
import { isNewerClient } from "../bed/version.ts";

/** Attachments for which the library is wrong about whether the model gets them. */
export interface Misheard {
  name: string;
  why: string;
  /** Whether the client sends them; the library says the contrary. */
  isSent: boolean;
  /** Whether an attachment is one of them. */
  matches(attachment: JsonObject): boolean;
}

/** Attachments that the oldest client words again. */
const READ_BY_TYPE: Misheard[] = [
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

/** See {@link Misheard}. Newer clients write down what they send for the first two. */
export const MISHEARD: Misheard[] = [
  ...(await isNewerClient() ? [] : READ_BY_TYPE),
  {
    name: "a hook that printed nothing for the model",
    why: "A hook_success with empty content is not sent; the hook's name is counted as its text.",
    isSent: false,
    matches: ({ type, content }) => type === "hook_success" && content === "",
  },
];

/** Sessions whose context the library computes in another way, and why. */
export const KNOWN_DIFFERENCES: Record<string, string> = {
  "documents, and tools that the API runs":
    "server_tool_use and web_search_tool_result are sent, and count as nothing",
  "two objects on a line": "the client loses the second one, the library reads both",
};
