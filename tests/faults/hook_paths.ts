/** Calls the hooks that write files, with the input that the client would pass to them. */

import { assert, assertEquals } from "@std/assert";
import type { HookMain } from "../../hooks/_payload.ts";
import type { HookDeps } from "../../src/events/call.ts";
import { main as preCompact } from "../../hooks/pre_compact.ts";
import { main as sessionEnd } from "../../hooks/session_end.ts";
import { main as sessionStart } from "../../hooks/session_start.ts";
import { main as stop } from "../../hooks/stop.ts";
import { main as userPromptSubmit } from "../../hooks/user_prompt_submit.ts";
import { listCheckpoints } from "../../src/saved/store.ts";
import { listSessions } from "../saved/lineage/sessions.ts";
import { listHandoffs } from "../../src/saved/lineage/handoffs.ts";
import { readSessionState, type SessionState } from "../../src/store/state.ts";
import { encode } from "../hooks/bed.ts";
import { EARLIER, type Place, SESSION, START_MS } from "./place.ts";
import type { WritePath } from "./write_path.ts";
import "../own_config.ts";

const ROUND_MS = 10 * 60_000;

/** The session's window is nearly full, so that the hooks write. */
export const HOOK_PATHS: readonly WritePath[] = [
  {
    name: "the Stop hook",
    run: (place, round) => run(stop, place, { round }),
    assertDone(place, round): void {
      // The hook records a save before it makes the save. On a full disk, it cannot undo the record, so the
      // next save is made after half an hour of work, or at the compaction.
      const isLate = round > 1 && stateOf(place).checkpoint_armed === false;
      assert(isLate || listCheckpoints(place).some(({ trigger }) => trigger === "watcher"));
      Deno.statSync(stateOf(place).auto_snapshot?.path ?? "nothing");
    },
  },
  {
    name: "the PreCompact hook",
    run: (place, round) => run(preCompact, place, { round }),
    assertDone(place): void {
      const found = listCheckpoints(place).filter(({ session_id: id }) => id === SESSION);
      assert(found.some(({ verified }) => verified));
    },
  },
  {
    name: "the SessionStart hook",
    run: (place, round) => run(sessionStart, place, { round, session: SESSION, source: "startup" }),
    assertDone(place): void {
      assertEquals(listHandoffs(place.projectDir)[0]?.handoff.claimed_by, [SESSION]);
      const row = listSessions(place).find((row) => row.session_id === SESSION);
      assertEquals(row?.session_id, SESSION);
    },
  },
  {
    name: "the SessionEnd hook",
    run: (place, round) => run(sessionEnd, place, { round, session: EARLIER, reason: "clear" }),
    assertDone(place): void {
      const row = listSessions(place).find((row) => row.session_id === EARLIER);
      assertEquals(row?.end_reason, "clear");
    },
  },
  {
    name: "the UserPromptSubmit hook",
    run: (place, round) => run(userPromptSubmit, place, { round, prompt: "go on" }),
    assertDone(place): void {
      assertEquals(stateOf(place).level, "urgent");
    },
  },
];

async function run(
  main: HookMain,
  place: Place,
  { round, session = SESSION, ...fields }: {
    round: number;
    session?: string;
    [key: string]: unknown;
  },
): Promise<string> {
  const { transcript: transcript_path, projectDir: cwd } = place;
  const prompt_id = "3a628e37";
  const payload = encode({ session_id: session, transcript_path, cwd, prompt_id, ...fields });
  let printed = "";
  try {
    printed = await main(payload, depsOf(place, round));
  } catch {
    // In its own process, the hook would exit with 0 and print nothing.
  }
  assertValidOutput(main, printed);
  return printed;
}

/** Asserts that the output is one object with at most one message; PreCompact prints plain text. */
function assertValidOutput(main: HookMain, printed: string): void {
  if (printed === "" || main === preCompact) return;
  const { systemMessage = "", hookSpecificOutput: _, ...others } = JSON.parse(printed);
  assertEquals([typeof systemMessage, others], ["string", {}]);
}

function depsOf(place: Place, round: number): HookDeps {
  const env: Record<string, string> = {
    CLAUDE_PROJECT_DIR: place.projectDir,
    CLAUDE_CONFIG_DIR: place.configDir,
    HOME: place.root,
  };
  return { env: (name) => env[name], now: () => START_MS + round * ROUND_MS, sleep: () => {} };
}

function stateOf({ projectDir }: Place): SessionState {
  return readSessionState({ projectDir, sessionId: SESSION });
}
