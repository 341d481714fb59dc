/**
 * A trim in place loses nothing: afterwards, the client sends the same conversation except for the
 * cuts, and after an undo the whole conversation.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { IS_FULL, partOf } from "../full.ts";
import { CORPUS, sessionFiles } from "../corpus/corpus.ts";
import { anyInterleaving, linesOf } from "./any_interleaving.ts";
import { newHome } from "./bed/client.ts";
import { test } from "./client_tests.ts";
import { writeTranscript } from "./golden/lines.ts";
import { assertOnlyCut, type InPlaceRun, isWithoutPictures, trimInPlace } from "./in_place.ts";

const SESSIONS = IS_FULL ? 12 : 2;
const SEED = 22;

/** Real sessions with calls between results, an end in the middle of a call, or an error from the API. */
const ODD = [
  "entireio-git-sync-02",
  "entireio-git-sync-06",
  "jimmc414-cctrace-01",
  "slopus-happy-05",
  "teslamint-entirecontext-04",
];

const IN_GATE = partOf(ODD, 1, "unusual real sessions trimmed in place");

/** Real sessions that begin with an answer, which the API refuses. */
const REFUSED = ["obra-episodic-memory-01", "slopus-happy-02", "slopus-happy-07"];

/** Matches the replies to a trim that cut nothing. */
const NOTHING_CUT = /Nothing was cut|only a copy/;

function check(run: InPlaceRun, name: string): void {
  assertEquals(run.violations, [], name);
  assertOnlyCut(run.before, run.trimmed, name);
  // After the undo, cuts that the session already had remain.
  assertOnlyCut(run.before, run.undone, `${name}, undone`);
  const isWhole = [...run.undone.results].every(([id, text]) =>
    text === run.before.results.get(id) || text.endsWith("search again to load") ||
    isWithoutPictures(text, run.before.results.get(id) ?? "")
  );
  assert(isWhole, `${name}: an undo must restore every result`);
}

test.module("a trim in place and its undo lose nothing, whatever the order of the session's lines", async () => {
  using home = newHome();
  let cut = 0;
  for (const session of fc.sample(anyInterleaving, { numRuns: SESSIONS, seed: SEED })) {
    const id = writeTranscript(home, linesOf(session));
    const run = await trimInPlace(Deno.readTextFileSync(`${home.sessions}/${id}.jsonl`));
    check(run, JSON.stringify(session));
    if (!NOTHING_CUT.test(run.answer)) cut++;
  }
  assert(cut > SESSIONS / 2, `only ${cut} sessions were trimmed`);
});

test.moduleWithCorpus("a trim in place and its undo lose nothing in unusual real sessions", async () => {
  const chosen = sessionFiles.filter((name) => IS_FULL || IN_GATE.includes(name.slice(0, -6)));
  for (const name of chosen.filter((name) => !REFUSED.includes(name.slice(0, -6)))) {
    check(await trimInPlace(Deno.readTextFileSync(`${CORPUS}/${name}`)), name);
  }
});
