import { assert, assertEquals } from "@std/assert";
import { listCheckpoints, saveFolder } from "../../src/saved/store.ts";
import { readIndex } from "../../src/saved/project_index.ts";
import { writeCheckpoint } from "../../src/designs/write_checkpoint.ts";
import { verifyCheckpoint } from "../../src/saved/verify.ts";
import { namesIn, sampleState, saveOptions, tempProject } from "./checkpoints.ts";
import { killAtPlace } from "../kill.ts";
import "../own_config.ts";

/** No save has more places at which it can be killed. */
const MAX_PLACES = 60;

const CHILD = new URL("save_kill_child.ts", import.meta.url);

Deno.test("writeCheckpoint() killed at any write leaves whole files and nothing in the way", async () => {
  using place = tempProject();
  const folder = saveFolder("checkpoint", place);
  let kills = 0;
  while (
    kills < MAX_PLACES &&
    await killAtPlace(CHILD, [place.projectDir, place.configDir, String(kills)])
  ) {
    kills++;
    // What has the name of a checkpoint is one, whole.
    const named = namesIn(folder).filter((name) => name.endsWith(".md"));
    const verdicts = named.map((name) => verifyCheckpoint(`${folder}/${name}`));
    assertEquals(verdicts.filter(({ valid }) => !valid), []);
    // The dead hold no lock, and what they left counts.
    const before = listCheckpoints(place);
    const saved = writeCheckpoint(sampleState(), saveOptions(place, { waitMs: 0 }));
    assertEquals([saved.verified, saved.warning], [true, undefined]);
    assert(before.every(({ iteration }) => iteration < saved.iteration));
    assertEquals(readIndex(place.configDir).checkpoints, listCheckpoints(place));
  }
  // Of each of the four files: in the middle, before the rename and after it.
  assert(kills >= 12 && kills < MAX_PLACES, `${kills} places`);
});
