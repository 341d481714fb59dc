import { assertEquals } from "@std/assert";
import { saveCheckpoint } from "../../src/saved/checkpoint/store.ts";
import { findRestorePoint } from "../../src/saved/restore_point.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import { NOON_MS, sampleState, saveOptions, tempProject } from "./checkpoints.ts";
import "../own_config.ts";

Deno.test("findRestorePoint() takes no checkpoint of nothing before one of work", () => {
  using place = tempProject();
  const { projectDir, configDir } = place;
  const later = saveOptions(place, { now: () => NOON_MS + 60_000 });
  const empty = saveCheckpoint(emptyState(), later);
  assertEquals(findRestorePoint(projectDir, { configDir })?.id, empty.id);
  const full = saveCheckpoint(sampleState(), saveOptions(place));
  assertEquals(findRestorePoint(projectDir, { configDir })?.id, full.id);
});
