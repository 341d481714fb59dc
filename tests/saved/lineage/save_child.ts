/**
 * Starts, ends and rolls over sessions in its own process, at the same time as many other
 * processes.
 *
 * @module
 */

import { createSession, endSession } from "../../../src/designs/sessions.ts";
import { rollOver } from "../../../src/saved/lineage/roll_over.ts";
import { claimHandoff } from "../../../src/saved/lineage/handoffs.ts";
import { NOON, rollOptions, sessionId, writeTranscript } from "./sessions.ts";
import "../../own_config.ts";

const [root = "", process = "0", rounds = "1"] = Deno.args;
const projectDir = `${root}/project`;

/** Longer than in hooks because many processes share two cores. */
const waitMs = 300_000;

/** Half of the processes share one worker; the others have their own. */
const workerId = Number(process) % 2 === 0 ? "main" : `w${process}`;
const worker = { workerId, now: NOON, projectDir, waitMs };
const claimed: string[] = [];
const rolled: [string, number][] = [];

for (let round = 0; round < Number(rounds); round++) {
  const first = 1_000 * (Number(process) + 1) + round * 10;
  const [parent, shortLived, child] = [
    sessionId(first),
    sessionId(first + 1),
    sessionId(first + 2),
  ];
  const transcript = writeTranscript(root, parent);
  createSession({ ...worker, sessionId: parent, transcript });
  createSession({ ...worker, sessionId: shortLived });
  endSession({ ...worker, sessionId: shortLived, reason: "exit" });
  const owner = { projectDir, sessionId: parent };
  const done = rollOver({ ...rollOptions({ root, projectDir }, { owner }), waitMs });
  rolled.push([done.worker_id, done.session_number]);
  const claimOptions = { projectDir, configDir: `${root}/config`, nowMs: NOON.getTime(), waitMs };
  const handoff = claimHandoff({ ...claimOptions, sessionId: child });
  if (handoff === null) continue;
  claimed.push(handoff.id);
  createSession({ ...worker, sessionId: child, parentSessionId: handoff.id });
}

console.log(JSON.stringify({ claimed, rolled }));
