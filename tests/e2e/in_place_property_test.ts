/**
 * Checks that a trim in place loses nothing: afterwards, the client sends the same conversation except for
 * the cuts, and after an undo, it sends the original conversation. Checks the same for an undo of the
 * client's own compaction.
 */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { IS_FULL, partOf } from "../full.ts";
import { CORPUS, sessionFiles } from "../corpus/corpus.ts";
import { anyInterleaving, linesOf } from "./any_interleaving.ts";
import { newHome } from "./bed/client.ts";
import { test } from "./client_tests.ts";
import { writeTranscript } from "./golden/lines.ts";
import {
  assertOnlyCut,
  isWithoutPictures,
  PROMPT,
  replay,
  type SentConversation,
} from "./in_place.ts";

/** Cuts everything that can be cut, so that the comparison covers as much as possible. */
const TRIM = "/compact trimtab --keep-recent 0 --threshold 100";
const UNDO = "/compact trimtab --undo";

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

/** Real sessions that contain a rewind, missing lines, agents, or commands at the end. */
const COMPACTED = ["entireio-cli-08", "entireio-git-sync-01"];

/** Matches the replies to a trim that cut nothing. */
const NOTHING_CUT = /Nothing was cut|only a copy/;

/** Generates transcripts, each with a description. */
function* anyTranscripts(
  count: number,
  seed: number,
): Generator<[transcript: string, name: string]> {
  using home = newHome();
  for (const session of fc.sample(anyInterleaving, { numRuns: count, seed })) {
    const id = writeTranscript(home, linesOf(session));
    const path = `${home.sessions}/${id}.jsonl`;
    yield [Deno.readTextFileSync(path), JSON.stringify(session)];
  }
}

function* realTranscripts(isChosen: (name: string) => boolean): Generator<[string, string]> {
  for (const file of sessionFiles.filter((file) => isChosen(file.slice(0, -".jsonl".length)))) {
    yield [Deno.readTextFileSync(`${CORPUS}/${file}`), file];
  }
}

/** Checks a trim and its undo, and returns the reply to the trim, which is empty if it succeeded. */
async function checkTrim(transcript: string, name: string): Promise<string> {
  const { before, after, answers, violations } = await replay(
    transcript,
    [PROMPT],
    [TRIM, PROMPT, UNDO, PROMPT],
  );
  const [trimmed, undone] = after;
  assert(trimmed !== undefined && undone !== undefined);
  assertEquals(violations, [], name);
  assertOnlyCut(before, trimmed, name);
  // After the undo, cuts that the session already had remain.
  assertOnlyCut(before, undone, `${name}, undone`);
  const isWhole = [...undone.results].every(([id, text]) =>
    text === before.results.get(id) || text.endsWith("search again to load") ||
    isWithoutPictures(text, before.results.get(id) ?? "")
  );
  assert(isWhole, `${name}: an undo must restore every result`);
  return answers[0] ?? "";
}

function withoutReminders(conversation: SentConversation | undefined): unknown {
  return { ...conversation, reminders: [] };
}

/** @param between Prompts between the compaction and the undo. */
async function checkUndo(
  transcript: string,
  name: string,
  between: readonly string[] = [],
): Promise<void> {
  const { before, after, answers, violations } = await replay(
    transcript,
    [...between, PROMPT],
    ["/compact", ...between, UNDO, PROMPT],
  );
  assertEquals(violations, [], name);
  const message = `${name}: ${JSON.stringify(answers)}`;
  assertEquals(withoutReminders(after[0]), withoutReminders(before), message);
}

test.module("a trim in place and its undo lose nothing, whatever the order of the session's lines", async () => {
  const count = IS_FULL ? 12 : 1;
  let cut = 0;
  for (const [transcript, name] of anyTranscripts(count, 22)) {
    if (!NOTHING_CUT.test(await checkTrim(transcript, name))) cut++;
  }
  assert(cut > count / 2, `only ${cut} sessions were trimmed`);
});

test.moduleWithCorpus("a trim in place and its undo lose nothing in unusual real sessions", async () => {
  const isChosen = (name: string): boolean =>
    IS_FULL ? !REFUSED.includes(name) : IN_GATE.includes(name);
  for (const [transcript, name] of realTranscripts(isChosen)) {
    await checkTrim(transcript, name);
  }
});

test.module("undoing a compaction restores every message and result, whatever the order of the session's lines", async () => {
  for (const [transcript, name] of anyTranscripts(IS_FULL ? 6 : 1, 26)) {
    await checkUndo(transcript, name, ["What else?"]);
  }
});

test.fullModuleWithCorpus("undoing a compaction of a real session loses nothing", async () => {
  for (const [transcript, name] of realTranscripts((name) => COMPACTED.includes(name))) {
    await checkUndo(transcript, name);
  }
});
