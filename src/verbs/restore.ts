/** Returns a save as context to continue from. */

import { boundText } from "../inject/bound.ts";
import { cleanLine } from "../inject/clean.ts";
import { handoffText } from "../saved/layout/continuation.ts";
import { restoredText } from "../saved/layout/restored.ts";
import { ownOrTrusted, saveToRestore } from "../saved/restore_point.ts";
import { locateProject, type PlaceOptions } from "./place.ts";

/** The save to restore. */
export interface RestoreOptions extends PlaceOptions {
  /**
   * An id or its first characters, or the id of a session that left a handoff.
   *
   * @default the newest that was written on this machine
   */
  readonly id?: string | undefined;
  /** Whether to accept it even if it was not written on this machine. @default {false} */
  readonly trust?: boolean;
}

/** A save with the context to go on from. */
export interface RestoreResult {
  /** The id. */
  readonly id: string;
  /** The kind of save. */
  readonly kind: "checkpoint" | "snapshot" | "handoff";
  /** When it was saved, ISO 8601. */
  readonly created: string;
  /** A line that describes it. */
  readonly summary: string;
  /** The context, fenced, at most 9,000 UTF-16 code units. */
  readonly context: string;
  /** Whether it was written on this machine, or is trusted. */
  readonly is_ours: boolean;
}

/** Most UTF-16 code units of the text, as for a hook: the model reads it. */
const MAX_CHARS = 9_000;

/** Most UTF-16 code units of the line that describes a save. */
const MAX_SUMMARY_CHARS = 200;

/** Restores the newest save of a project, or a named one. */
export function restore(options: RestoreOptions = {}): RestoreResult {
  const place = locateProject(options);
  const { projectDir } = place;
  const { id: wanted = "latest", trust } = options;
  const found = saveToRestore(wanted, ["handoff", "snapshot", "checkpoint"], place);
  const is_ours = ownOrTrusted(found, place, trust);
  const { id, kind } = found;
  const how = { maxChars: MAX_CHARS, projectDir };
  return {
    id,
    kind,
    // Formatted anew: any text that can be read as a time could be in the file.
    created: `${new Date(found.created).toISOString().slice(0, 19)}Z`,
    summary: boundText(cleanLine(found.summary), MAX_SUMMARY_CHARS),
    context: kind === "handoff" ? handoffText(found, how) : restoredText(found, how),
    is_ours,
  };
}
