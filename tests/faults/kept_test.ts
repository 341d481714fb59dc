// A file that is temporarily unreadable keeps its contents.

import { assert, assertThrows } from "@std/assert";
import { triggerCheckpoint } from "../../src/watch/trigger.ts";
import { emitEvent } from "../../src/designs/emit_event.ts";
import { newPlace, START_MS, treeOf } from "./place.ts";
import { withFailing } from "./system_calls.ts";
import { assertKept, assertWhole } from "./whole.ts";
import { WRITE_PATHS } from "./write_paths.ts";
import "../own_config.ts";

/** The read that fails, counted from 1, by write path. */
const READS: readonly (readonly [name: string, nth: number])[] = [
  ["state of a session", 1],
  ["left session", 1],
  ["index of checkpoints", 1],
];

for (const [name, nth] of READS) {
  Deno.test(`the ${name} keeps a file that is temporarily unreadable`, async () => {
    using place = newPlace();
    const path = WRITE_PATHS.find((path) => path.name === name);
    assert(path !== undefined);
    let thrown: unknown = null;
    try {
      await withFailing({ call: "readFileSync", nth, kind: "EIO" }, () => path.run(place, 1));
    } catch (error) {
      thrown = error;
    }
    assert(thrown instanceof Error, "the file was rewritten without its contents");
    assertKept(place, assertWhole(place));
    path.run(place, 2);
    path.assertDone(place, 2);
    assertKept(place, treeOf(place.root));
  });
}

Deno.test("emitEvent() and triggerCheckpoint() leave no partial line on a full disk", async () => {
  using place = newPlace();
  const { projectDir } = place;
  const half = { call: "writeSync", nth: 1, kind: "short" } as const;
  const event = { type: "x", payload: {}, source: "test" };
  const writers = [
    () => emitEvent(event, { projectDir, now: new Date(START_MS) }),
    () => triggerCheckpoint("checkpoint_stale", { projectDir }),
  ];
  for (const write of writers) {
    const before = treeOf(place.root);
    await withFailing(half, () => assertThrows(write, Error, "Free disk space and try again"));
    assertKept(place, assertWhole(place));
    assert([...treeOf(place.root)].every(([path, text]) => before.get(path) === text));
    write();
    assertWhole(place);
  }
});
