/** Distinguishes a trim in place from a compaction: both leave the same boundary. */

import { isObject } from "../core/record.ts";
import { asString, type Entry } from "./entry.ts";

interface InPlaceNote {
  /** Whether something was trimmed, or a trim taken back. */
  readonly kind: "trim" | "undo";
  readonly words: string | undefined;
}

/** The command by which the module has the client replace the conversation. */
const COMMAND = /^<command-name>\/compact<\/command-name>[^]*<command-args>([^<]*)</;

/**
 * `trimtab`, alone, with options, or with one word, which is taken for a mistyped option: a sentence
 * that begins with the name is for the client.
 */
const ASKED = /^\s*trimtab(?:\s+(-[^]*|[\w-]+))?\s*$/;

/** The module's words afterwards. */
const SAID = /^trimtab: (trimmed in place|trim undone|compaction undone): ([^]*)$/;

/** The options of a trim that was asked for by `/compact trimtab ...`; `undefined` for other instructions. */
export function trimOptions(instructions: string): string | undefined {
  const asked = ASKED.exec(instructions);
  return asked === null ? undefined : (asked[1] ?? "").trim();
}

/** Reads a line's note about the boundary before it; `undefined` without one. */
export function inPlaceNote(entry: Entry): InPlaceNote | undefined {
  if (entry.type === "system") {
    const [, what, words] = SAID.exec(asString(entry.raw.content) ?? "") ?? [];
    if (words === undefined) return undefined;
    return { kind: what === "trimmed in place" ? "trim" : "undo", words };
  }
  if (entry.type !== "user") return undefined;
  const args = trimOptions(COMMAND.exec(asString(entry.message?.content) ?? "")?.[1] ?? "");
  if (args === undefined) return undefined;
  return { kind: /(?:^|\s)--undo(?:\s|$)/.test(args) ? "undo" : "trim", words: undefined };
}

/** Whether it is the module's note to the model about a trim, by the next request at the latest. */
export function isTrimNote({ raw: { attachment } }: Entry): boolean {
  return isObject(attachment) && attachment.type === "plugin_note" &&
    attachment.plugin === "trimtab";
}

/** All that the model learns about a trim. */
const TOLD: InPlaceNote = { kind: "trim", words: undefined };

/** Finds the cause of a boundary in the lines behind it. */
export class BoundaryWatch {
  #isSummary = false;

  /** Reads a line's note about a trim, also without a screen to show it. */
  look(entry: Entry): InPlaceNote | undefined {
    this.#isSummary ||= entry.raw.isCompactSummary === true;
    // An entry that waits for a request may come behind the next compaction.
    const isTold = isTrimNote(entry) && !this.#isSummary;
    return inPlaceNote(entry) ?? (isTold ? TOLD : undefined);
  }
}

/** Leaves out what a trim in place repeats: 2.1.330 dates those rows before the boundary that precedes them. */
export function* withoutRepeats<T extends { readonly entry: Entry }>(
  items: Iterable<T>,
): Generator<T, void, undefined> {
  let boundary: string | undefined;
  const held: T[] = [];
  for (const item of items) {
    const { entry } = item;
    if (entry.type === "system" && entry.subtype === "compact_boundary" && !entry.isSidechain) {
      yield* held.splice(0);
      boundary = asString(entry.raw.timestamp);
    } else if (inPlaceNote(entry) !== undefined || isTrimNote(entry)) {
      held.splice(0);
      boundary = undefined;
      // The entry of the command itself is no prompt.
      if (entry.type === "user") continue;
    } else if (boundary !== undefined && isMessage(entry)) {
      if (isDatedBefore(entry, boundary)) {
        held.push(item);
        continue;
      }
      yield* held.splice(0);
      boundary = undefined;
    }
    yield item;
  }
  yield* held;
}

/** Fields of rows that the client made of an answer, a prompt or a result. */
const MADE = ["requestRef", "origin", "promptSource", "sourceToolAssistantUUID", "isMeta"] as const;

/** Whether a line repeats what precedes a boundary, as the rows of a trim in place do. */
export function isRebuilt({ type, raw }: Entry): boolean {
  const isRow = type === "assistant"
    ? raw.madeBy === "other"
    : type === "user" && raw.promptId !== undefined;
  return isRow && MADE.every((name) => raw[name] === undefined);
}

function isMessage({ type, isSidechain }: Entry): boolean {
  return (type === "user" || type === "assistant") && !isSidechain;
}

function isDatedBefore({ raw }: Entry, time: string): boolean {
  const own = asString(raw.timestamp);
  return raw.isCompactSummary !== true && own !== undefined && own <= time;
}
