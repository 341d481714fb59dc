/**
 * Posts messages and takes those of others, as many processes do at the same moment. It notes what
 * it is about to do and what it has done in a file of its own, so that whoever kills it knows.
 *
 * @module
 */

import { acknowledgeTaken, claimPending, pendingFor, post } from "../../src/watch/blackboard.ts";
import "../own_config.ts";

const [projectDir = "", notesPath = "", name = "", count = "0", maxBytes = "0", end = ""] =
  Deno.args;

/** So many processes on two cores wait for each other longer than a hook would. */
const PATIENCE_MS = 60_000;

/** How many messages are asked for at a time: others ask for the same. */
const AT_ONCE = 4;

/** Time stands still: nothing expires. */
const options = { projectDir, nowMs: 0, waitMs: PATIENCE_MS };

const notes = Deno.openSync(notesPath, { append: true, create: true });

function note(what: string, id: string): void {
  notes.writeSync(new TextEncoder().encode(`${what} ${id}\n`));
}

function take(): number {
  const pending = pendingFor(name, options);
  for (const { id } of pending.slice(0, AT_ONCE)) {
    note("claiming", id);
    const taken = claimPending(name, { ...options, accepts: (message) => message.id === id });
    if (taken.length === 0) continue;
    note("claimed", id);
    // Some stay, so that a compaction has something to carry over.
    if (id.endsWith("33")) continue;
    acknowledgeTaken(name, (message) => message.id === id, options);
  }
  return pending.length;
}

for (let n = 0; n < Number(count); n++) {
  const id = `${name}-${n}`;
  note("posting", id);
  post({ id, type: "work", payload: { n, text: "é".repeat(n % 50) } }, {
    ...options,
    maxBytes: Number(maxBytes),
  });
  note("posted", id);
  take();
  if (n % 10 === 0) Deno.stdout.writeSync(new Uint8Array([1]));
}
while (take() > 0) { /* Until nobody has anything left to take. */ }
// Whoever is to be killed waits for it, where the machine was too busy to do it before.
if (end === "killed") Deno.stdin.readSync(new Uint8Array(1));
