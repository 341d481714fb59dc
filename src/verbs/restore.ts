/** Gives back what was saved as context to go on from. */

import { boundText } from "../inject/bound.ts";
import { cleanLine } from "../inject/clean.ts";
import { handoffContext } from "../lineage/rolled_over.ts";
import { findHandoff, type FoundHandoff, trustHandoff } from "../lineage/waiting.ts";
import { findCheckpoint } from "../saved/checkpoint/files.ts";
import {
  findRestorePoint,
  restoredContext,
  type RestorePoint,
  restorePoints,
} from "../saved/restore_point.ts";
import { findSnapshot } from "../saved/snapshot/list.ts";
import type { OwnPlace } from "../store/ours.ts";
import { ownOrTrusted } from "./own.ts";
import { locateProject, type PlaceOptions } from "./place.ts";

/** Which save to restore. */
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
  const handoff = findHandoff(place, wanted);
  if (handoff !== null) return handoffResult(handoff, place, trust);
  const point = wanted === "latest" ? newestOf(place) : named(wanted, projectDir);
  const is_ours = ownOrTrusted(point.path, place, trust);
  const { id, kind } = point;
  const summary = boundText(cleanLine(point.summary), MAX_SUMMARY_CHARS);
  const context = restoredContext(point, projectDir, { maxChars: MAX_CHARS });
  return { id, kind, created: timeOf(point.created), summary, context, is_ours };
}

function newestOf({ projectDir, configDir }: OwnPlace): RestorePoint {
  const point = findRestorePoint(projectDir, { configDir });
  if (point !== null) return point;
  const count = restorePoints(projectDir).length;
  throw new Error(
    `Cannot restore: ${projectDir} has ` +
      (count === 0
        ? "no checkpoint and no snapshot. Save one with trimtab checkpoint"
        : `nothing that was written on this machine. Of the ${count} that were not, \`trimtab list\` ` +
          "lists them; name one by its id to see it, and accept it with --trust"),
  );
}

function handoffResult(handoff: FoundHandoff, place: OwnPlace, trust = false): RestoreResult {
  const { parent_session_id: id, isOurs, title } = handoff;
  if (!isOurs && trust) trustHandoff(place, id);
  return {
    id,
    kind: "handoff",
    created: timeOf(handoff.created),
    summary: boundText(cleanLine(title), MAX_SUMMARY_CHARS),
    context: handoffContext(handoff, { maxChars: MAX_CHARS, projectDir: place.projectDir }),
    is_ours: isOurs || trust,
  };
}

/** A time in our own words: any text that can be read as one could stand there. */
function timeOf(time: string): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

function named(wanted: string, projectDir: string): RestorePoint {
  const checkpoint = findCheckpoint(wanted, { projectDir });
  const path = checkpoint === null ? findSnapshot(wanted, { projectDir }) : checkpoint.path;
  const point = restorePoints(projectDir).find((one) => one.path === path);
  if (point === undefined) throw new Error(`Cannot restore ${path}: it cannot be read`);
  return point;
}
