import { sizeInKb } from "../inject/bound.ts";
import { readSave } from "../saved/read.ts";
import { type FoundSave, readableSaves, type SnapshotPlace } from "../saved/store.ts";
import {
  rehydratedText,
  REHYDRATION_LEVELS,
  type RehydrationLevel,
  requireLevel,
} from "../saved/views/rehydrated.ts";

/** A snapshot in a list. */
export interface ListedSnapshot {
  /** The id. */
  readonly id: string;
  /** The name given by the user; `null` if there is none. */
  readonly name: string | null;
  /** Time of the save in UTC, such as `2026-03-01 14:35:22`. */
  readonly timestamp: string;
  /** The size of the snapshot's file, such as `15KB`. */
  readonly size: string;
}

/**
 * Restores snapshots at three levels of detail.
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
  /** The levels of detail, from least to most. */
  static readonly LEVELS: readonly RehydrationLevel[] = REHYDRATION_LEVELS;

  readonly #place: SnapshotPlace;

  /** Creates a rehydrator for one project. */
  constructor(place: SnapshotPlace = {}) {
    this.#place = place;
  }

  /**
   * Renders a snapshot.
   *
   * Permissions: `--allow-read` for the file.
   *
   * @param level `essential` for requirements, state, open items and the last steps; `standard` to add
   * decisions, corrections, files and commands; `comprehensive` for everything. Defaults to `standard`.
   * @returns Markdown for the model. Tell the model where the text comes from.
   * @throws {RangeError} When there is no such level, or the snapshot has a newer version.
   * @throws {Error} When the file is missing or contains no snapshot.
   */
  rehydrate(snapshotPath: string, level: RehydrationLevel = "standard"): string {
    requireLevel(level);
    return rehydratedText(readSave(snapshotPath), level);
  }

  /**
   * Lists the readable snapshots, newest first.
   *
   * Permissions: `--allow-read` for `<project>/.claude`; to find the project also `--allow-env`.
   */
  listSnapshots(): ListedSnapshot[] {
    return readableSaves("snapshot", this.#place).map(toListed);
  }
}

export function toListed({ id, save, created, bytes }: FoundSave): ListedSnapshot {
  const timestamp = created.slice(0, "2026-03-01T14:35:22".length).replace("T", " ");
  return { id, name: save?.name ?? null, timestamp, size: sizeInKb(bytes) };
}
