/** Saves that were asked for by name, whoever wrote them, and whether that was trimtab on this machine. */

import { isOurPoint, trustPoint } from "../saved/restore_point.ts";
import { findSnapshot, listSnapshotFiles } from "../saved/snapshot/list.ts";
import { SnapshotNotFoundError } from "../saved/snapshot/read.ts";
import { NOT_OURS, type OwnPlace } from "../store/ours.ts";

/** Finds a snapshot by name, whoever wrote it, or the newest that is ours. */
export function snapshotFor(wanted: string, place: OwnPlace): string {
  const { projectDir } = place;
  if (wanted !== "latest") return findSnapshot(wanted, { projectDir });
  const files = listSnapshotFiles({ projectDir }).filter(({ problem }) => problem === null);
  const newest = files.find(({ path }) => isOurPoint({ path }, place));
  if (newest !== undefined) return newest.path;
  const others = files.length === 0
    ? "has no snapshot that can be read. Save one with `trimtab snapshot`"
    : `has ${files.length} ${
      files.length === 1 ? "snapshot" : "snapshots"
    } ${NOT_OURS}, and none ` +
      "that was. `trimtab list` lists them; name one by its id to see it, and accept it with --trust";
  throw new SnapshotNotFoundError(`Cannot find a snapshot: ${projectDir} ${others}`);
}

/** Whether a save is ours; one that is to be trusted is from now on. */
export function ownOrTrusted(path: string, place: OwnPlace, trust = false): boolean {
  if (isOurPoint({ path }, place)) return true;
  if (trust) trustPoint({ path }, place);
  return trust;
}
