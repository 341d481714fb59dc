import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { writeCheckpoint } from "../../src/designs/write_checkpoint.ts";
import { restoredText } from "../../src/saved/views/restored.ts";
import { findRestorePoint } from "../../src/saved/restore_point.ts";
import { isOwnSave, trustSave } from "../../src/saved/store.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import { NOON_MS, projectTest as test, sampleState, saveOptions } from "./checkpoints.ts";

test("findRestorePoint() prefers a checkpoint with work to a newer empty one", (place) => {
  const later = saveOptions(place, { now: () => NOON_MS + 60_000 });
  const empty = writeCheckpoint(emptyState(), later);
  assertEquals(findRestorePoint(place)?.id, empty.id);
  const full = writeCheckpoint(sampleState(), saveOptions(place));
  assertEquals(findRestorePoint(place)?.id, full.id);
});

test("restoredText() returns edited Markdown, and findRestorePoint() finds it once it is trusted", (place) => {
  const { path } = writeCheckpoint(sampleState(), saveOptions(place));
  const point = findRestorePoint(place);
  assert(point !== null);
  assert(!restoredText(point, place).includes("edited"));
  Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replace("- Use JWT", "- Use PASETO"));
  assertEquals(isOwnSave(point, place), false);
  assertEquals(findRestorePoint(place), null);
  const context = restoredText(point, place);
  assertStringIncludes(context, "Its Markdown was edited; this is the edited text.");
  assertStringIncludes(context, "- Use PASETO (offered as: no database)");
  assert(!context.includes("usage_percent"));
  trustSave(point, place);
  assertEquals(findRestorePoint(place)?.id, point.id);
});

test("restoredText() needs only the JSON, and returns the Markdown's text if the JSON is missing", (place) => {
  const { path } = writeCheckpoint(sampleState(), saveOptions(place));
  const text = Deno.readTextFileSync(path);
  Deno.removeSync(path);
  const point = findRestorePoint(place);
  assert(point !== null);
  const changed = "### Modified Files\nChanged since the newest request:";
  assertStringIncludes(restoredText(point, place), changed);
  Deno.removeSync(point.path);
  Deno.writeTextFileSync(path, text);
  const alone = findRestorePoint(place);
  assert(alone !== null);
  assertEquals(alone.path, path);
  assertStringIncludes(restoredText(alone, place), "## What Changed\n- [/p/src/auth.ts:12-40]");
});
