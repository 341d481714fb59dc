/**
 * Resumes sessions of every kind. The client's request must equal the library's context, except for the
 * differences that `golden/compare.ts` removes. The oldest client sends less of rewound branches.
 */

import { assert, assertEquals, equal } from "@std/assert";
import { partOf } from "../full.ts";
import { hasTmux } from "./bed/terminal.ts";
import { test } from "./client_tests.ts";
import { type GoldenSession, openBench, type Resumption } from "./golden/bench.ts";
import { HEADLESS_SESSIONS } from "./golden/headless_sessions.ts";
import { TERMINAL_SESSIONS } from "./golden/terminal_sessions.ts";
import { WRITTEN_SESSIONS } from "./golden/written_sessions.ts";

/** Number of headless clients that run concurrently. Each keeps a core busy. */
const HEADLESS_CLIENTS = 2;
/** Number of interactive clients that run in addition. They mostly wait for keys. */
const TERMINAL_CLIENTS = 1;
/** The gate resumes this many terminal sessions, headless sessions and hand-written transcripts. */
const IN_GATE = [1, 1, 1] as const;
/** Maximum relative difference between the library's count and an independent count. */
const CHARS_TOLERANCE = 0.05;

const isTmuxMissing = !hasTmux();

interface Outcome {
  resumptions: Resumption[];
  violations: string[];
  missingEvidence: RegExp[];
  error?: unknown;
}

async function playAll(
  sessions: readonly GoldenSession[],
  clients: number,
  outcomes: Map<string, Outcome>,
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
  for (const { sent, context } of resumptions) {
    const { turns, chars, countedChars } = context;
    const first = turns.findIndex((turn, index) => !equal(sent[index], turn));
    if (first >= 0) assertEquals(sent[first], turns[first], `turn ${first}`);
    assertEquals(sent.length, turns.length);
    const message = `${countedChars} characters counted, not ${chars}`;
    assert(Math.abs(countedChars - chars) <= chars * CHARS_TOLERANCE, message);
  }
}

test.module("findActiveContext() computes what the real client sends on resume", compareAll);

async function compareAll(t: Deno.TestContext): Promise<void> {
  const inTerminal = partOf(TERMINAL_SESSIONS, IN_GATE[0], "sessions in a terminal");
  const headless = [
    ...partOf(HEADLESS_SESSIONS, IN_GATE[1], "headless sessions"),
    ...partOf(WRITTEN_SESSIONS, IN_GATE[2], "written sessions"),
  ];
  const outcomes = new Map<string, Outcome>();
  await Promise.all([
    playAll(isTmuxMissing ? [] : inTerminal, TERMINAL_CLIENTS, outcomes),
    playAll(headless, HEADLESS_CLIENTS, outcomes),
  ]);
  for (const { name } of [...inTerminal, ...headless]) {
    const outcome = outcomes.get(name);
    const skipped = outcome === undefined ? " (skipped: tmux is not installed)" : "";
    await t.step({
      name: `${name}${skipped}`,
      ignore: outcome === undefined,
      fn: () => {
        assert(outcome !== undefined);
        checkOutcome(outcome);
      },
    });
  }
}
