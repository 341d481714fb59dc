/** Brings a compacted context back. */

import { type CompactedContext, compactedOf } from "./compacted_context.ts";
import { findSnapshot } from "./list.ts";
import type { SnapshotPlace } from "./place.ts";
import { readSnapshot, SnapshotNotFoundError } from "./read.ts";

/**
 * Brings a compacted context back.
 *
 * Permissions: `--allow-read` for the folder.
 *
 * @param snapshotId `latest` for the newest that can be read, an id, a name or a path; left out,
 * `latest`.
 * @param options Where the snapshots are.
 * @returns The compacted context; null where there is no such snapshot.
 * @throws {Error} When the snapshot cannot be read; see `readSnapshot`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { restoreContext } from "./restore_context.ts";
 *
 * assertEquals(restoreContext("latest", { projectDir: "/nowhere" }), null);
 * ```
 */
export function restoreContext(
  snapshotId: string = "latest",
  options: SnapshotPlace = {},
): CompactedContext | null {
  try {
    return compactedOf(readSnapshot(findSnapshot(snapshotId, options)));
  } catch (error) {
    if (error instanceof SnapshotNotFoundError) return null;
    throw error;
  }
}
