import { assert, assertEquals, assertThrows } from "@std/assert";
import { withLockSync } from "../../src/store/lock.ts";
import { ensurePrivateDirSync } from "../../src/store/private_dir.ts";
import { checkpointSession, unreadWarning } from "../../src/saved/session.ts";
import { saveFolder } from "../../src/saved/store.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import { NOON_MS, projectTest, SESSION } from "./checkpoints.ts";

/** The default of `waitMs` with `activeOnly`. */
const HOOK_WAIT_MS = 500;

projectTest(
  "checkpointSession() with activeOnly waits for a lock for waitMs, by default 500 ms",
  (place) => {
    const owner = { projectDir: place.projectDir, sessionId: SESSION };
    const transcript = `${place.projectDir}/${SESSION}.jsonl`;
    Deno.writeTextFileSync(transcript, "");
    const folder = saveFolder("checkpoint", owner);
    ensurePrivateDirSync(folder);
    const options = {
      ...{ owner, transcript, configDir: place.configDir, now: () => NOON_MS, state: emptyState() },
      ...{ trigger: "auto" as const, usagePercent: null, retentionDays: 7, activeOnly: true },
    };
    const save = (waitMs?: number): number => {
      const start = performance.now();
      const run = (): unknown => checkpointSession({ ...options, waitMs });
      assertThrows(run, Error, "another process holds");
      return performance.now() - start;
    };
    withLockSync(`${folder}/.lock`, () => {
      assert(save() >= HOOK_WAIT_MS);
      assert(save(0) < HOOK_WAIT_MS);
    });
  },
);

Deno.test("unreadWarning() warns about a save only if its transcript could not be read", () => {
  const partial = "the transcript could not be read: Input/output error (os error 5)";
  const warning = unreadWarning({ ...emptyState(), partial });
  assertEquals(warning, `The save contains only earlier work: ${partial}.`);
  assertEquals(unreadWarning({ ...emptyState(), partial: "only its end was read" }), undefined);
});
