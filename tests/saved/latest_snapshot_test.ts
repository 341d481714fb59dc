// What a repository ships is not the newest snapshot of a project for the library either.

import { assertEquals, assertThrows } from "@std/assert";
import { emptyState } from "../../src/extract/empty_state.ts";
import { findSnapshot } from "../../src/saved/snapshot/list.ts";
import { SnapshotNotFoundError } from "../../src/saved/snapshot/read.ts";
import { restoreContext } from "../../src/saved/snapshot/restore_context.ts";
import { snapshotOf } from "../../src/saved/snapshot/snapshot.ts";
import { saveSnapshot } from "../../src/saved/snapshot/store.ts";
import "../own_config.ts";

Deno.test("findSnapshot() and restoreContext() take no stranger's snapshot for the latest", () => {
  const projectDir = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    const now = new Date("2026-03-01T10:00:00.000Z");
    const ours = saveSnapshot(snapshotOf(emptyState()), { projectDir, now });
    const stranger = ours.path.replace(/[^/]+$/, "20990101_000000.json");
    const shipped = { ...ours.snapshot, snapshot_id: "20990101_000000" };
    Deno.writeTextFileSync(stranger, JSON.stringify(shipped));
    assertEquals(findSnapshot("latest", { projectDir }), ours.path);
    assertEquals(findSnapshot("20990101_000000", { projectDir }), stranger, "asked for by name");
    Deno.removeSync(ours.path);
    assertThrows(
      () => findSnapshot("latest", { projectDir }),
      SnapshotNotFoundError,
      "written on this machine",
    );
    assertEquals(restoreContext("latest", { projectDir }), null);
  } finally {
    Deno.removeSync(projectDir, { recursive: true });
  }
});
