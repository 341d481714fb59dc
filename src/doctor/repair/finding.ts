/** Counts the findings of a rescue, and lists as many as the maximum allows. */

/** A kind of damage in a transcript. */
export type RescueKind =
  | "torn_line"
  | "not_an_entry"
  | "concatenated"
  | "nul_padding"
  | "lone_surrogate"
  | "orphan_result"
  | "orphan_call"
  | "missing_parent"
  | "self_parent"
  | "loop"
  | "duplicate_uuid"
  | "lost_reference"
  | "thinking"
  | "image"
  | "attachment"
  | "tool_call"
  | "content";

/** The repair of a finding; `kept` means that a defect remains because the client handles it. */
export type RescueAction = "left_out" | "replaced" | "split" | "reparented" | "renamed" | "kept";

/** A defect of a transcript. */
export interface RescueFinding {
  /** The number of its line, from 1. */
  line: number;
  /** The kind of damage. */
  kind: RescueKind;
  /** A description of the damage. */
  what: string;
  /** The repair in the copy. */
  action: RescueAction;
}

export type RescueNote = Omit<RescueFinding, "line">;

const MAX_LISTED_FINDINGS = 200;

/** In UTF-16 units; a broken entry can have a name of any length. */
const MAX_WHAT_CHARS = 200;

export class FindingLog {
  readonly counts: Partial<Record<RescueKind, number>> = {};
  changeCount = 0;
  totalCount = 0;

  readonly #changes: RescueFinding[] = [];
  readonly #kept: RescueFinding[] = [];

  add(line: number, note: RescueNote): void {
    const { kind, action, what } = note;
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    this.totalCount++;
    if (action !== "kept") this.changeCount++;
    const list = action === "kept" ? this.#kept : this.#changes;
    if (list.length >= MAX_LISTED_FINDINGS) return;
    list.push({ line, kind, what: clipped(what), action });
  }

  /** Lists findings by line. If there are too many, repairs take precedence over kept defects. */
  list(): RescueFinding[] {
    const room = MAX_LISTED_FINDINGS - this.#changes.length;
    return [...this.#changes, ...this.#kept.slice(0, room)].sort((a, b) => a.line - b.line);
  }
}

function clipped(text: string): string {
  const isLong = text.length > MAX_WHAT_CHARS;
  return isLong ? `${text.slice(0, MAX_WHAT_CHARS - 1).toWellFormed()}…` : text;
}
