/**
 * Tells a trim in place from a compaction: the client writes the same boundary for both, and behind it
 * what brought it about.
 */

import { asString, type Entry } from "./entry.ts";

/** What a line says of the boundary before it. */
export interface InPlaceNote {
  /** Whether something was trimmed, or a trim taken back. */
  readonly kind: "trim" | "undo";
  /** What was said to the person, if anything was. */
  readonly words: string | undefined;
}

/** The command by which the module has the client replace the conversation. */
const COMMAND = /^<command-name>\/compact<\/command-name>[^]*<command-args>trimtab\b([^<]*)</;

/** What the module says afterwards. */
const SAID = /^trimtab: (trimmed in place|trim undone): ([^]*)$/;

/** Reads what a line says of the boundary before it; `undefined` where it says nothing of it. */
export function inPlaceNote(entry: Entry): InPlaceNote | undefined {
  if (entry.type === "system") {
    const [, what, words] = SAID.exec(asString(entry.raw.content) ?? "") ?? [];
    if (words === undefined) return undefined;
    return { kind: what === "trim undone" ? "undo" : "trim", words };
  }
  if (entry.type !== "user") return undefined;
  const args = COMMAND.exec(asString(entry.message?.content) ?? "")?.[1];
  if (args === undefined) return undefined;
  return { kind: /(?:^|\s)--undo(?:\s|$)/.test(args) ? "undo" : "trim", words: undefined };
}
