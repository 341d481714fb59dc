/**
 * Resumes sessions of every kind. The client's request must equal the library's context, block by block,
 * except for the differences listed in `golden/exceptions.ts`. The oldest client differs;
 * `active_context_test.ts` lists what it sends.
 */

import { assert, assertEquals } from "@std/assert";
import { IS_FULL, partOf } from "../full.ts";
import { hasTmux } from "./bed/terminal.ts";
import { test } from "./client_tests.ts";
import { align } from "./golden/align.ts";
import { type GoldenSession, openBench, type Resumption } from "./golden/bench.ts";
import { EXCEPTIONS, isAlsoSentWithNewPrompt } from "./golden/exceptions.ts";
import { HEADLESS_SESSIONS } from "./golden/headless_sessions.ts";
import { KNOWN_DIFFERENCES, MISCOUNTED } from "./golden/known_differences.ts";
import { TERMINAL_SESSIONS } from "./golden/terminal_sessions.ts";
import { WRITTEN_SESSIONS } from "./golden/written_sessions.ts";

/** Number of headless clients that run concurrently. Each keeps a core busy. */
const HEADLESS_CLIENTS = 2;
/** Number of interactive clients that run in addition. They mostly wait for keys. */
const TERMINAL_CLIENTS = 1;
/** The gate resumes this many terminal sessions, headless sessions and hand-written transcripts. */
const IN_GATE = [1, 1, 1] as const;
/** Maximum relative difference between the library's count and the characters sent. */
const CHARS_TOLERANCE = 0.05;

const isTmuxMissing = !hasTmux();

interface Outcome {
  resumptions: Resumption[];
  violations: string[];
  missingEvidence: RegExp[];
  error?: unknown;
}

type Outcomes = Map<string, Outcome>;

async function playAll(
  sessions: readonly GoldenSession[],
  clients: number,
  outcomes: Outcomes,
): Promise<void> {
  const queue = [...sessions];
  async function work(): Promise<void> {
    for (let session = queue.shift(); session !== undefined; session = queue.shift()) {
      outcomes.set(session.name, await play(session));
    }
  }
  await Promise.all(Array.from({ length: clients }, work));
}

async function play(session: GoldenSession): Promise<Outcome> {
  await using bench = openBench(session);
  const { resumptions } = bench;
  try {
    await session.make(bench);
    const transcript = bench.transcript();
    await bench.resume();
    const missingEvidence = session.evidence?.filter((proof) => !proof.test(transcript)) ?? [];
    return { resumptions, violations: bench.mock.violations, missingEvidence };
  } catch (error) {
    return { resumptions, violations: bench.mock.violations, missingEvidence: [], error };
  }
}

function checkOutcome(
  { resumptions, violations, missingEvidence, error }: Outcome,
): void {
  if (error !== undefined) throw error;
  assertEquals(missingEvidence, []);
  assertEquals(violations, []);
  for (const { difference, contextChars, sentChars } of resumptions) {
    assertEquals(difference, null);
    const off = Math.abs(contextChars - sentChars);
    const message = `${contextChars} characters computed, ${sentChars} sent`;
    assert(off <= sentChars * CHARS_TOLERANCE, message);
  }
}

function checkKnownDifference({ resumptions, error }: Outcome): void {
  if (error !== undefined) throw error;
  const isGone = resumptions.every(({ difference }) => difference === null);
  assert(!isGone, "the library no longer differs: remove the known difference");
}

test.module("findActiveContext() computes what the real client sends on resume", compareAll);

async function compareAll(t: Deno.TestContext): Promise<void> {
  const inTerminal = partOf(TERMINAL_SESSIONS, IN_GATE[0], "sessions in a terminal");
  const headless = [
    ...partOf(HEADLESS_SESSIONS, IN_GATE[1], "headless sessions"),
    ...partOf(WRITTEN_SESSIONS, IN_GATE[2], "written sessions"),
  ];
  const all = [...inTerminal, ...headless];
  const outcomes: Outcomes = new Map();
  await Promise.all([
    playAll(isTmuxMissing ? [] : inTerminal, TERMINAL_CLIENTS, outcomes),
    playAll(headless, HEADLESS_CLIENTS, outcomes),
  ]);
  for (const session of all) {
    const outcome = outcomes.get(session.name);
    const known = KNOWN_DIFFERENCES[session.name];
    await t.step({
      name: stepName(session.name, known, outcome !== undefined),
      ignore: outcome === undefined,
      fn: () => {
        assert(outcome !== undefined);
        if (known === undefined) checkOutcome(outcome);
        else checkKnownDifference(outcome);
      },
    });
  }
  const resumptions = [...outcomes.values()].flatMap(({ resumptions }) => resumptions);
  await t.step(
    "align() detects a block that is missing from the context or occurs twice in it",
    () => {
      for (
        const { sent, context, found } of resumptions.filter(({ difference }) =>
          difference === null
        )
      ) {
        for (const block of found.filter((each) => !isAlsoSentWithNewPrompt(each, context))) {
          const index = context.indexOf(block);
          const wrong = [context.toSpliced(index, 1), context.toSpliced(index, 0, block)];
          const isSeen = wrong.map((blocks) => align(sent, blocks).difference !== null);
          assertEquals(isSeen, [true, true], JSON.stringify(block));
        }
      }
    },
  );
  if (!IS_FULL) return;
  await t.step("every exception and every known difference is needed", () => {
    const used = new Set(resumptions.flatMap((each) => [...each.used, ...each.miscounted]));
    const names = [...EXCEPTIONS, ...MISCOUNTED].map(({ name }) => name);
    assertEquals(names.filter((name) => !used.has(name)), []);
    const sessions = new Set(all.map(({ name }) => name));
    assertEquals(Object.keys(KNOWN_DIFFERENCES).filter((name) => !sessions.has(name)), []);
    assertEquals(sessions.size, all.length, "each session must have a unique name");
  });
}

function stepName(name: string, known: string | undefined, isPlayed: boolean): string {
  if (!isPlayed) return `${name} (skipped: tmux is not installed)`;
  return known === undefined ? name : `${name} (known to differ: ${known})`;
}
