/**
 * Known differences between the library and the client. An entry that no longer differs fails the test and
 * has to be removed.
 */

import type { JsonObject } from "../../../src/core/record.ts";

/** A kind of attachment that the library wrongly counts as sent, or as not sent. */
export interface MiscountedKind {
  name: string;
  why: string;
  /** Whether the client sends it; the library assumes the opposite. */
  isSent: boolean;
  matches(attachment: JsonObject): boolean;
}

export const MISCOUNTED: MiscountedKind[] = [
  {
    name: "a hook that printed nothing for the model",
    why: "A hook_success with empty content is not sent; the hook's name is counted as its text.",
    isSent: false,
    matches: ({ type, content }) => type === "hook_success" && content === "",
  },
];

/** The reasons why the library's context differs from the client's, keyed by session name. */
export const KNOWN_DIFFERENCES: Record<string, string> = {
  "documents, and tools that the API runs":
    "server_tool_use and web_search_tool_result are sent, but the library counts no text in them",
  "two objects on a line": "the client loses the second one, the library reads both",
};
