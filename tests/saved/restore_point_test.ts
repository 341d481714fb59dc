import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { writeCheckpoint } from "../../src/saved/checkpoint/store.ts";
import {
  findRestorePoint,
  isOurPoint,
  restoredContext,
  trustPoint,
} from "../../src/saved/restore_point.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import { NOON_MS, sampleState, saveOptions, tempProject } from "./checkpoints.ts";
import "../own_config.ts";

Deno.test("findRestorePoint() takes no checkpoint of nothing before one of work", () => {
  using place = tempProject();
  const { projectDir, configDir } = place;
  const later = saveOptions(place, { now: () => NOON_MS + 60_000 });
  const empty = writeCheckpoint(emptyState(), later);
  assertEquals(findRestorePoint(projectDir, { configDir })?.id, empty.id);
  const full = writeCheckpoint(sampleState(), saveOptions(place));
  assertEquals(findRestorePoint(projectDir, { configDir })?.id, full.id);
});

Deno.test("restoredContext() of Markdown that was edited is that text, once it is trusted", () => {
  using place = tempProject();
  const { projectDir, configDir } = place;
  const { path } = writeCheckpoint(sampleState(), saveOptions(place));
  const point = findRestorePoint(projectDir, { configDir });
  assert(point !== null);
  assert(!restoredContext(point, projectDir).includes("edited"));
  Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replace("- Use JWT", "- Use PASETO"));
  assertEquals(isOurPoint(point, { projectDir, configDir }), false);
  assertEquals(findRestorePoint(projectDir, { configDir }), null);
  const context = restoredContext(point, projectDir);
  assertStringIncludes(context, "Its Markdown was edited: this is that text.");
  assertStringIncludes(context, "- Use PASETO — because no database");
  assert(!context.includes("usage_percent"));
  trustPoint(point, { projectDir, configDir });
  assertEquals(findRestorePoint(projectDir, { configDir })?.id, point.id);
});

Deno.test("restoredContext() needs only the JSON, and takes Markdown alone as its text", () => {
  using place = tempProject();
  const { projectDir, configDir } = place;
  const { path } = writeCheckpoint(sampleState(), saveOptions(place));
  const text = Deno.readTextFileSync(path);
  Deno.removeSync(path);
  const point = findRestorePoint(projectDir, { configDir });
  assert(point !== null);
  assertStringIncludes(restoredContext(point, projectDir), "## Files\n\nChanged, newest first:");
  Deno.removeSync(point.path);
  Deno.writeTextFileSync(path, text);
  const alone = findRestorePoint(projectDir, { configDir });
  assertEquals(alone?.path, path);
  assert(alone !== null);
  assertStringIncludes(
    restoredContext(alone, projectDir),
    "## What Changed\n\n- [/p/src/auth.ts:12-40]",
  );
});
