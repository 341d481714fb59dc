// On a disk that is really full, commands report an error, hooks continue, and no file is partly written.
// Everything works once there is room again.

import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { triggerCheckpoint } from "../../src/watch/trigger.ts";
import { type ChildResult, cleanEnv, runDeno } from "../../tools/child.ts";
import { newFolder } from "../folder.ts";
import { encode } from "../hooks/bed.ts";
import { rowOf } from "../permissions.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { canMount, mountSmallDisk } from "../small_disk.ts";
import { newPlace, originalsOf, type Place, SESSION, treeOf } from "./place.ts";
import { assertIntact, assertKept } from "./intact.ts";
import "../own_config.ts";

/** Block size of the disk. A file that is not empty takes up at least one block. */
const PAGE_BYTES = 4096;

const hasDisk = canMount();

function run(
  place: Place,
  script: string,
  args: string[],
  stdin?: Uint8Array,
): Promise<ChildResult> {
  const { projectDir, configDir, root } = place;
  const flags = rowOf(script, { project: projectDir, config: configDir });
  const env = { HOME: root, CLAUDE_CONFIG_DIR: configDir, CLAUDE_PROJECT_DIR: projectDir };
  return runDeno(["run", "--quiet", "--no-prompt", ...flags, `${PLUGIN}/${script}`, ...args], {
    ...{ cwd: projectDir, clearEnv: true, env: cleanEnv(env) },
    ...(stdin === undefined ? {} : { stdin }),
  });
}

function fillDisk(folder: string): Disposable {
  const path = `${folder}/filler`;
  using file = Deno.openSync(path, { write: true, create: true });
  assertThrows(() => {
    for (;;) file.writeSync(new Uint8Array(PAGE_BYTES));
  });
  return { [Symbol.dispose]: () => Deno.removeSync(path) };
}

Deno.test({
  name:
    "trim, checkpoint, a hook and the blackboard do no harm on a full disk, and work once it has room" +
    (hasDisk ? "" : " (ignored: no tmpfs can be mounted)"),
  ignore: !hasDisk,
  async fn(): Promise<void> {
    using disk = mountSmallDisk("1m");
    assert(disk !== undefined);
    using place = newPlace(newFolder({ dir: disk.folder }));
    const before = treeOf(place.root);
    const { projectDir: cwd, transcript: transcript_path } = place;
    const payload = encode({ session_id: SESSION, transcript_path, cwd, trigger: "auto" });
    const { projectDir } = place;
    const sessionId = "x".repeat(2 * PAGE_BYTES);
    const postOne = (): unknown => triggerCheckpoint("checkpoint_stale", { projectDir, sessionId });
    const runAll = (): Promise<ChildResult[]> =>
      Promise.all([
        run(place, "scripts/trim.ts", [place.transcript, "--keep-recent", "0"]),
        run(place, "scripts/checkpoint.ts", [place.transcript]),
        run(place, "hooks/pre_compact.ts", [], payload),
      ]);
    const bare = { ...place, projectDir: `${disk.folder}/bare` };
    Deno.mkdirSync(bare.projectDir);
    {
      using _full = fillDisk(disk.folder);
      const roll = await run(bare, "scripts/rollover.ts", [place.transcript, "--auto"]);
      assertEquals(roll.stderr.split("Free disk space and try again").length, 2, roll.stderr);
      const [trim, checkpoint, hook] = await runAll();
      for (const command of [trim, checkpoint]) {
        assertEquals([command?.code, command?.stdout], [1, ""]);
        assertStringIncludes(command?.stderr ?? "", "No space left on device");
        assertStringIncludes(command?.stderr ?? "", "Free disk space and try again");
      }
      assertEquals([hook?.code, hook?.stderr], [0, ""]);
      assertStringIncludes(hook?.stdout ?? "", "trimtab could not save a checkpoint: ");
      assertThrows(postOne, Error, "Free disk space and try again");
      // Renames work on a full disk, so a partly written file could have replaced a whole one.
      const after = assertIntact(place);
      const changed = [...after].filter(([path, text]) => before.get(path) !== text);
      assertEquals(changed.filter(([path]) => !path.endsWith(".lock")), []);
      assertKept(place, after);
    }
    const outcomes = (await runAll()).map(({ code, stderr }) => [code, stderr]);
    assertEquals(outcomes, outcomes.map(() => [0, ""]));
    postOne();
    const after = assertIntact(place);
    assertKept(place, after);
    assertEquals(originalsOf(place, after), originalsOf(place, before));
  },
});
