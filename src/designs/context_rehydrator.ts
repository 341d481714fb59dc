/** Brings snapshots back, for programs. */

import { sizeInKb } from "../inject/bound.ts";
import { readSave } from "../saved/read.ts";
import { type FoundSave, readableSaves, type SnapshotPlace } from "../saved/store.ts";
import {
  rehydratedText,
  REHYDRATION_LEVELS,
  type RehydrationLevel,
  requireLevel,
} from "../saved/layout/rehydrated.ts";

/** A snapshot, as a list shows it. */
export interface ListedSnapshot {
  /** Its id. */
  readonly id: string;
  /** The name that a person gave it. */
  readonly name: string | null;
  /** When it was saved, in UTC, as `2026-03-01 14:35:22`. */
  readonly timestamp: string;
  /** The size of its file, as `15KB`. */
  readonly size: string;
}

/**
 * Restores what snapshots hold, at three levels of detail.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { ContextRehydrator } from "./context_rehydrator.ts";
 *
 * assertEquals([...ContextRehydrator.LEVELS], ["essential", "standard", "comprehensive"]);
 * assertEquals(new ContextRehydrator({ projectDir: "/nowhere" }).listSnapshots(), []);
 * ```
 */
export class ContextRehydrator {
  /** The levels of detail, from the least to the most. */
  static readonly LEVELS: readonly RehydrationLevel[] = REHYDRATION_LEVELS;

  readonly #place: SnapshotPlace;

  /**
   * Restores snapshots of one project.
   *
   * @param place The project, or the folder of its snapshots.
   */
  constructor(place: SnapshotPlace = {}) {
    this.#place = place;
  }

  /**
   * Renders a snapshot.
   *
   * Permissions: `--allow-read` for the file.
   *
   * @param snapshotPath The file.
   * @param level `essential` for requirements, state and open items, `standard` for decisions and
   * commands too, `comprehensive` for all of it; left out, `standard`.
   * @returns Markdown for the model; say where it is from.
   * @throws {RangeError} When there is no such level, or the snapshot is of a newer version.
   * @throws {Error} When the file is missing or holds no snapshot; see `readSnapshot`.
   */
  rehydrate(snapshotPath: string, level: RehydrationLevel = "standard"): string {
    requireLevel(level);
    return rehydratedText(readSave(snapshotPath), level);
  }

  /**
   * Lists the snapshots that can be restored.
   *
   * Permissions: `--allow-read` for the folder.
   *
   * @returns The snapshots, newest first.
   */
  listSnapshots(): ListedSnapshot[] {
    return readableSaves("snapshot", this.#place).map(viewListed);
  }
}

export function viewListed({ id, save, created, bytes }: FoundSave): ListedSnapshot {
  const timestamp = created.slice(0, "2026-03-01T14:35:22".length).replace("T", " ");
  return { id, name: save?.name ?? null, timestamp, size: sizeInKb(bytes) };
}
