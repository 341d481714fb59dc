/** A kind of damage in a transcript. */
export type RescueKind =
  | "torn_line"
  | "concatenated"
  | "nul_padding"
  | "missing_parent"
  | "self_parent"
  | "loop"
  | "unfinished_trim"
  | "thinking"
  | "image"
  | "tool_call";

/** The repair that a rescue makes for a defect. */
export type RescueAction = "left_out" | "replaced" | "split" | "reparented" | "made_root";

/** A defect in a transcript. */
export interface RescueFinding {
  /** The line number, from 1. */
  line: number;
  /** The kind of damage. */
  kind: RescueKind;
  /** A description of the damage. */
  what: string;
  /** The repair in the copy. */
  action: RescueAction;
}

export type RescueNote = Omit<RescueFinding, "line">;
