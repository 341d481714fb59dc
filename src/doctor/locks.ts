/**
 * Looks for locks that somebody holds on to. A lock belongs to an open file, so none outlives its
 * process; what can be in the way is a process that hangs.
 *
 * @module
 */

import { joinPath } from "../store/paths.ts";
import { sleepSync } from "../store/sleep.ts";
import type { CheckResult, DoctorPlace, Problem } from "./check.ts";
import { entriesOf } from "../clean/own_files.ts";

/** How often a lock is tried, and how long between, in milliseconds: writers need far less. */
const TRIES = 20;
const PAUSE_MS = 15;

/** Held as long as somebody watches the project. */
const WATCH_LOCK = "/watch.lock";

/** Checks the locks of a project, and that of the index. */
export function checkLocks({ configDir, probe, ownFiles }: DoctorPlace): CheckResult {
  const own = ownFiles().files.map(({ path }) => path)
    .filter((path) => path.endsWith("lock"));
  const index = configDir === undefined ? "" : joinPath(configDir, "trimtab", "checkpoints");
  const shared = (entriesOf(index) ?? []).filter(({ name, isFile }) => isFile && name === ".lock")
    .map(({ name }) => joinPath(index, name));
  const locks = [...own, ...shared].filter((path) => probe.read(path) === null);
  const problems = locks.filter((path) => !path.endsWith(WATCH_LOCK) && !isFree(path))
    .map((subject): Problem => ({
      id: "lock_held",
      subject,
      problem: `Another process has held it for over ${TRIES * PAUSE_MS} ms.`,
    }));
  return { problems, note: `locks: ${locks.length}` };
}

function isFree(path: string): boolean {
  using file = Deno.openSync(path);
  for (let count = 0; count < TRIES; count++) {
    // Shared: whoever works holds it alone, and two doctors are not in each other's way.
    if (file.tryLockSync(false)) return true;
    sleepSync(PAUSE_MS);
  }
  return false;
}
