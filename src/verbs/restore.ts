import { DEFAULT_CONFIG } from "../config/schema.ts";
import { boundText } from "../inject/bound.ts";
import { cleanLine } from "../inject/clean.ts";
import { handoffText } from "../saved/views/continuation.ts";
import { restoredText } from "../saved/views/restored.ts";
import { findEdited, findSaveToRestore, isOwnOrTrusted } from "../saved/restore_point.ts";
import { locateProject, type PlaceOptions } from "./place.ts";

/** The save to restore. */
export interface RestoreOptions extends PlaceOptions {
  /** An id or its start, a snapshot's name or path, or a session's id. @default {the newest own save} */
  readonly id?: string | undefined;
  /** Whether to accept a save that was not written on this machine. @default {false} */
  readonly trust?: boolean;
}

/** A restored save. */
export interface RestoreResult {
  /** Id of the save. */
  readonly id: string;
  /** The kind of save. */
  readonly kind: "checkpoint" | "snapshot" | "handoff";
  /** Time of the save, ISO 8601. */
  readonly created: string;
  /** Describes the save on one line. */
  readonly summary: string;
  /** The context, fenced, at most 9,000 UTF-16 code units. */
  readonly context: string;
  /** Whether the save was written on this machine or is trusted. */
  readonly is_ours: boolean;
  /** Id of a newer save that was passed over because its Markdown was edited; missing if there is none. */
  readonly edited?: string;
}

const MAX_SUMMARY_CHARS = 200;

export function restore(options: RestoreOptions = {}): RestoreResult {
  const place = locateProject(options);
  const { projectDir } = place;
  const { id: wanted = "latest", trust } = options;
  const found = findSaveToRestore(wanted, ["handoff", "snapshot", "checkpoint"], place);
  const is_ours = isOwnOrTrusted(found, place, trust);
  const { id, kind } = found;
  const kinds = ["snapshot", "checkpoint"] as const;
  const edited = wanted === "latest" ? findEdited(kinds, place) : null;
  const isNewer = edited !== null && Date.parse(edited.created) > Date.parse(found.created);
  // The configured limit applies only to hooks.
  const textOptions = { maxChars: DEFAULT_CONFIG.context.restore_max_chars, projectDir };
  return {
    id,
    kind,
    // Reformats the date, because the file could contain any string that parses as a date.
    created: `${new Date(found.created).toISOString().slice(0, 19)}Z`,
    summary: boundText(cleanLine(found.summary), MAX_SUMMARY_CHARS),
    context: kind === "handoff"
      ? handoffText(found, textOptions)
      : restoredText(found, textOptions),
    is_ours,
    ...(isNewer ? { edited: edited.id } : {}),
  };
}
