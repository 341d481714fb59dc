import { readLineage } from "../saved/lineage/file.ts";
import type { SessionRecord } from "../saved/lineage/rows.ts";
import { trimsInEffect } from "../store/inside_record.ts";
import { readInsideRecord } from "../store/state.ts";
import { locateProject, type PlaceOptions } from "./place.ts";

/** A session of a project. */
export interface SessionRow extends SessionRecord {
  /** Number of trims in place that are still in effect. */
  readonly trims_in_place: number;
}

/** The sessions of a project. */
export interface SessionsResult {
  /** The sessions, in the order of their records. */
  readonly sessions: readonly SessionRow[];
  /** Describes a problem with the lineage file; absent if the file is valid. */
  readonly problem?: string;
}

export function sessions(options: PlaceOptions = {}): SessionsResult {
  const { projectDir } = locateProject(options);
  const { sessions: all, problem } = readLineage({ projectDir });
  const rows = all.map((session) => {
    const { session_id: sessionId } = session;
    const trims = sessionId === null ? [] : readInsideRecord({ projectDir, sessionId }).trims;
    return { ...session, trims_in_place: trimsInEffect(trims).length };
  });
  return problem === null ? { sessions: rows } : { sessions: rows, problem };
}
