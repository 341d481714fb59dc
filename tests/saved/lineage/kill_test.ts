import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readLineage } from "../../../src/saved/lineage/file.ts";
import { rollOver } from "../../../src/saved/lineage/roll_over.ts";
import { claimHandoff, listHandoffs } from "../../../src/saved/lineage/handoffs.ts";
import { killAtPlace } from "../../kill.ts";
import {
  listSessions,
  NOON,
  rollOptions,
  sessionId,
  tempProject,
  writeTranscript,
} from "./sessions.ts";
import "../../own_config.ts";

/** Three rounds over all places; a hundred with `TRIMTAB_KILLS=100`. */
const KILLS = Number(Deno.env.get("TRIMTAB_KILLS") ?? 36);

/** No rollover has more places at which it can be killed. */
const MAX_PLACES = 60;

const CHILD = new URL("kill_child.ts", import.meta.url);

Deno.test("rollOver() killed at every write leaves the lineage readable and announces no handoff without its text", async () => {
  using place = tempProject();
  const { root, projectDir } = place;
  const nowMs = NOON.getTime();
  let [stopAt, finished, kept] = [0, 0, 0];
  const places = new Set<number>();
  for (let kills = 0; kills < KILLS;) {
    // Each session is rolled over three times, so that the kills also meet an earlier handoff.
    const id = sessionId(1 + Math.floor(kills / 3));
    writeTranscript(root, id);
    const before = listHandoffs(projectDir);
    const isKilled = await killAtPlace(CHILD, [root, id, `${stopAt}`, `${kills}`], [
      "--allow-env=WORK_WORKER_ID",
    ]);
    const { sessions, problem } = readLineage({ projectDir });
    assertEquals(problem, null);
    const numbers = sessions.map((one) => one.session_number).sort((a, b) => a - b);
    assertEquals(numbers, numbers.map((_, at) => at + 1));
    const handoffs = listHandoffs(projectDir);
    // What was announced stays announced, and has its text.
    for (const { id } of before) {
      assert(handoffs.some((one) => one.id === id));
    }
    for (const { view, id } of handoffs) {
      const text = Deno.readTextFileSync(view ?? "");
      assertStringIncludes(text, `\`trimtab show ${id.slice(0, 8)}:LINE\``);
      assert(text.endsWith("are what was to come next.\n"));
    }
    if (!isKilled) {
      assert(stopAt > 0 && stopAt < MAX_PLACES);
      finished++;
      stopAt = 0;
      continue;
    }
    kept += handoffs.length - before.length;
    places.add(stopAt++);
    kills++;
  }
  // Of each of the three files: before it is made, in its middle, before the rename and after it.
  assertEquals(places.size, 12);
  assert(finished >= 2 && kept > 0, `${finished} rollovers to the end, ${kept} handoffs announced`);

  // The dead hold no lock. All that was announced is taken, each by one.
  const options = rollOptions(place, { owner: { projectDir, sessionId: sessionId(1) }, waitMs: 0 });
  const again = rollOver(options);
  assertEquals(listSessions({ projectDir }).find((one) => one.id === 2)?.session_number, 2);
  assertEquals(again.parent_session_id, sessionId(1));
  const waiting = listHandoffs(projectDir).length;
  const takers = Array.from(
    { length: waiting + 1 },
    (_, at) =>
      claimHandoff({
        projectDir,
        configDir: `${root}/config`,
        sessionId: sessionId(900 + at),
        nowMs,
      })?.id,
  );
  assertEquals(new Set(takers).size, waiting + 1);
  assertEquals(takers.at(-1), undefined);
});
