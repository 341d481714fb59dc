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
    const save = (waitMs?: number): number => {
      const start = performance.now();
      assertThrows(
        () =>
          checkpointSession({
            owner,
            transcript,
            configDir: place.configDir,
            trigger: "auto",
            usagePercent: null,
            retentionDays: 7,
            now: () => NOON_MS,
            activeOnly: true,
            state: emptyState(),
            waitMs,
          }),
        Error,
        "another process holds",
      );
      return performance.now() - start;
    };
    withLockSync(`${folder}/.lock`, () => {
      assert(save() >= HOOK_WAIT_MS);
      assert(save(0) < HOOK_WAIT_MS);
    });
  },
);

Deno.test("unreadWarning() says that a save without its transcript has only earlier work", () => {
  const partial = "the transcript could not be read: Input/output error (os error 5)";
  assertEquals(
    unreadWarning({ ...emptyState(), partial }),
    "The save has only earlier work: the transcript could not be read: Input/output error (os " +
      "error 5).",
  );
  assertEquals(unreadWarning({ ...emptyState(), partial: "only its end was read" }), undefined);
});
