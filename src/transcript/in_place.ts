/** Distinguishes a trim in place from a compaction, because both write the same boundary. */

import { isObject } from "../core/record.ts";
import { asString, type Entry } from "./entry.ts";

interface InPlaceNote {
  readonly kind: "trim" | "undo";
  /** If the note is a message to the user, its text without `trimtab: `. */
  readonly words?: string;
}

/** Matches any `/compact` command, which a trim in place uses, and captures its arguments. */
const COMMAND = /^<command-name>\/compact<\/command-name>[^]*<command-args>([^<]*)</;

/** Matches `trimtab` alone, with options, or with one word, which counts as a mistyped option. */
const TRIM_ARGUMENTS = /^\s*trimtab(?:\s+(-[^]*|[\w-]+))?\s*$/;

const USER_MESSAGE = /^trimtab: ((trimmed in place|trim undone|compaction undone): [^]*)$/;

export function trimOptions(instructions: string): string | undefined {
  const match = TRIM_ARGUMENTS.exec(instructions);
  return match === null ? undefined : (match[1] ?? "").trim();
}

export function isUndo(options: string): boolean {
  return /(?:^|\s)--undo(?:\s|$)/.test(options);
}

export function inPlaceNote(entry: Entry): InPlaceNote | undefined {
  if (isTrimNote(entry)) return { kind: "trim" };
  if (entry.type === "system") {
    const [, words, outcome] = USER_MESSAGE.exec(asString(entry.raw.content) ?? "") ?? [];
    if (words === undefined) return undefined;
    return { kind: outcome === "trimmed in place" ? "trim" : "undo", words };
  }
  if (entry.type !== "user") return undefined;
  const args = trimOptions(COMMAND.exec(asString(entry.message?.content) ?? "")?.[1] ?? "");
  if (args === undefined) return undefined;
  return { kind: isUndo(args) ? "undo" : "trim" };
}

/** Whether an entry is the note about a trim in place that the model receives with its next request. */
export function isTrimNote({ raw: { attachment } }: Entry): boolean {
  return isObject(attachment) && attachment.type === "plugin_note" &&
    attachment.plugin === "trimtab";
}

/** Matches the output of a `/compact` that changed nothing, or that failed in a client without the module. */
const NOT_COMPACTED =
  /^<local-command-std(?:out|err)>[^A-Z]*(?:Not compacted|Error during compaction|Compaction (?:canceled|failed)|Could not compact)/;

/** Finds the cause of a boundary in the entries after it. */
export class BoundaryWatch {
  #isSummary = false;
  readonly notes: InPlaceNote[] = [];

  get kind(): InPlaceNote["kind"] | undefined {
    // An undo takes precedence, because the entries after it can contain the command of an earlier trim.
    return (this.notes.find(({ kind }) => kind === "undo") ?? this.notes[0])?.kind;
  }

  add(entry: Entry): void {
    const { raw, message } = entry;
    this.#isSummary ||= raw.isCompactSummary === true;
    // Notes after a summary are not about this boundary. A client without the module treats
    // `/compact trimtab` as instructions for its summary. The note of an earlier trim is written with the
    // next request, which may follow the summary.
    if (this.#isSummary) return;
    const note = inPlaceNote(entry);
    if (note !== undefined) this.notes.push(note);
    else if (NOT_COMPACTED.test(asString(message?.content ?? raw.content) ?? "")) this.notes.pop();
  }
}

export function boundaryKind(entries: Iterable<Entry>): BoundaryWatch["kind"] {
  const watch = new BoundaryWatch();
  for (const entry of entries) watch.add(entry);
  return watch.kind;
}

/**
 * Drops the entries that a trim in place or an undo repeats, which are dated before the boundary that they
 * follow, and its `/compact` command. The file of a fork begins with the boundary, so it repeats nothing.
 */
export function* withoutRepeats<T extends { readonly entry: Entry }>(
  items: Iterable<T>,
): Generator<T, void, undefined> {
  let boundary: string | undefined;
  let hasMessages = false;
  const held: T[] = [];
  for (const item of items) {
    const { entry } = item;
    if (entry.type === "system" && entry.subtype === "compact_boundary" && !entry.isSidechain) {
      yield* held.splice(0);
      boundary = hasMessages ? asString(entry.raw.timestamp) : undefined;
    } else if (inPlaceNote(entry) !== undefined) {
      held.splice(0);
      boundary = undefined;
      // Drops the command's own entry, which is not a prompt.
      if (entry.type === "user") continue;
    } else if (boundary !== undefined && isMainMessage(entry)) {
      if (isDatedBefore(entry, boundary)) {
        held.push(item);
        continue;
      }
      yield* held.splice(0);
      boundary = undefined;
    }
    hasMessages ||= isMainMessage(entry);
    yield item;
  }
  yield* held;
}

/** Original answers, prompts and results can have these fields; repeated entries have none of them. */
const ORIGINAL_FIELDS = [
  "requestRef",
  "origin",
  "promptSource",
  "sourceToolAssistantUUID",
  "isMeta",
];

/** Whether an entry repeats an entry from before a boundary, for example after a trim in place. */
export function isRebuilt({ type, raw }: Entry): boolean {
  const mayBeRepeat = type === "assistant"
    ? raw.madeBy === "other"
    : type === "user" && raw.promptId !== undefined;
  return mayBeRepeat && ORIGINAL_FIELDS.every((name) => raw[name] === undefined);
}

function isMainMessage({ type, isSidechain }: Entry): boolean {
  return (type === "user" || type === "assistant") && !isSidechain;
}

function isDatedBefore({ raw }: Entry, time: string): boolean {
  const timestamp = asString(raw.timestamp);
  return raw.isCompactSummary !== true && timestamp !== undefined && timestamp <= time;
}

/** Matches only the whole note, because a person or the model may quote it. */
const DROP_NOTE =
  /^(?:<local-command-caveat>)?<system-reminder>\n\[The user took [\d,]+ turns? with [\d,]+ calls? out of the conversation: lines (\d+) to (\d+) of ([0-9a-f-]+)\]\n<\/system-reminder>(?:<\/local-command-caveat>)?$/;

/** Returns lines, counted from 1, of the session with the id, which may be shortened. */
export function droppedRange(
  note: string,
): { from: number; to: number; session: string } | undefined {
  const [, from, to, session = ""] = DROP_NOTE.exec(note) ?? [];
  return from === undefined ? undefined : { from: Number(from), to: Number(to), session };
}
