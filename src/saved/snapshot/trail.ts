/** The trail of a session in a snapshot. */

import type { Said, Trail } from "../../extract/work_state.ts";

/** Where a session stopped, and how its work went, as a snapshot keeps it. */
export interface SnapshotTrail {
  /** The last things that were said and done, newest last. */
  readonly stopped: readonly string[];
  /** Commands with how they ended last. */
  readonly commands: readonly string[];
  /** What the user refused or corrected, newest first. */
  readonly refused: readonly string[];
  /** The branch on which the work was done; empty where nothing tells. */
  readonly branch: string;
  /** Pull requests and issues, newest first. */
  readonly links: readonly string[];
  /** Files that were read and not changed, newest first. */
  readonly read: readonly string[];
  /** Files that hold plans, newest last. */
  readonly plans: readonly string[];
  /** Names that the work is about, the one of which most was said first. */
  readonly names?: readonly string[];
}

export function snapshotTrail(trail: Trail): SnapshotTrail {
  const texts = (all: readonly Said[]): string[] => all.map(({ text }) => text);
  const { stopped, commands, refused, ...names } = trail;
  return {
    ...names,
    stopped: texts(stopped),
    commands: texts(commands),
    refused: texts(refused),
  };
}
