import { assert, assertEquals } from "@std/assert";
import { checkpointFolder, listCheckpoints } from "../../src/memory/checkpoint_files.ts";
import { readIndex } from "../../src/memory/checkpoint_index.ts";
import { saveCheckpoint } from "../../src/memory/checkpoint_store.ts";
import { verifyCheckpoint } from "../../src/memory/verify_checkpoint.ts";
import { namesIn, sampleState, saveOptions, tempProject } from "./checkpoints.ts";

/** No save has more places at which it can be killed. */
const MAX_PLACES = 60;

/** Runs a save and kills it where it says that it has come to the place; tells whether it did. */
async function killAt(
  place: { projectDir: string; configDir: string },
  stopAt: number,
): Promise<boolean> {
  const script = new URL("save_kill_child.ts", import.meta.url).href;
  const allow = ["--allow-read", "--allow-write"];
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--no-check",
      "--cached-only",
      ...allow,
      script,
      place.projectDir,
      place.configDir,
      String(stopAt),
    ],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const isThere = new TextDecoder().decode(value) === "ready\n";
  if (isThere) child.kill("SIGKILL");
  const { success, signal } = await child.status;
  await reader.cancel();
  await child.stdin.abort();
  assert(isThere ? signal === "SIGKILL" : success);
  return isThere;
}

Deno.test("saveCheckpoint() killed at any write leaves whole files and nothing in the way", async () => {
  using place = tempProject();
  const folder = checkpointFolder(place.projectDir);
  let kills = 0;
  while (kills < MAX_PLACES && await killAt(place, kills)) {
    kills++;
    // What has the name of a checkpoint is one, whole.
    const named = namesIn(folder).filter((name) => name.endsWith(".md"));
    const verdicts = named.map((name) => verifyCheckpoint(`${folder}/${name}`));
    assertEquals(verdicts.filter(({ valid }) => !valid), []);
    // The dead hold no lock, and what they left counts.
    const before = listCheckpoints(place);
    const saved = saveCheckpoint(sampleState(), saveOptions(place, { waitMs: 0 }));
    assertEquals([saved.verified, saved.warning], [true, undefined]);
    assert(before.every(({ iteration }) => iteration < saved.iteration));
    assertEquals(readIndex(place.configDir).checkpoints, listCheckpoints(place));
  }
  // Of each of the four files: in the middle, before the rename and after it.
  assert(kills >= 12 && kills < MAX_PLACES, `${kills} places`);
});
