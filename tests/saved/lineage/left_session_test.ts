import { assertEquals } from "@std/assert";
import {
  MAX_LEFT_AGE_MS,
  recordLeftSession,
  takeLeftSession,
} from "../../../src/saved/lineage/left_session.ts";
import "../../own_config.ts";
import { inFolder } from "../../folder.ts";

type Left = readonly [session_id: string, prompt_id: string, client_pid?: string];
type Start = readonly [promptId: string, taken: string | null, clientPid?: string];

const CASES: Readonly<Record<string, readonly [readonly Left[], readonly Start[]]>> = {
  "the session that ended with the same prompt, only once": [
    [["a", "p1"], ["b", "p2"]],
    [["p1", "a"], ["p1", null], ["p3", null], ["p2", "b"]],
  ],
  "the newest session if the client sends no prompt id": [[["a", ""], ["b", ""]], [["", "b"]]],
  "the newest session if only the end of the old session has a prompt id": [
    [["a", "p1"], ["b", "p2"]],
    [["", "b"], ["", "a"], ["", null]],
  ],
  "the session of the same process if the start has no prompt id": [
    [["a", "p1", "29103"], ["b", "p2", "29171"], ["c", "p3"]],
    [["", "a", "29103"], ["", null, "29103"], ["p2", "b", "7"], ["", "c", ""]],
  ],
};

for (const [expected, [left, starts]] of Object.entries(CASES)) {
  Deno.test(`takeLeftSession() returns ${expected}`, () =>
    inFolder((projectDir) => {
      for (const [session_id, prompt_id, pid] of left) {
        const client = pid === undefined ? {} : { client_pid: pid };
        recordLeftSession(projectDir, { session_id, left_at: 1_000, prompt_id, ...client });
      }
      for (const [prompt_id, taken, pid] of starts) {
        const client = pid === undefined ? {} : { client_pid: pid };
        assertEquals(takeLeftSession(projectDir, { prompt_id, ...client }, 1_100), taken);
      }
    }));
}

Deno.test("takeLeftSession() returns null for an old session, a missing file or a damaged one", () =>
  inFolder((projectDir) => {
    const taken = (nowMs = 0) => takeLeftSession(projectDir, { prompt_id: "p" }, nowMs);
    assertEquals(taken(), null);
    recordLeftSession(projectDir, { session_id: "a", left_at: 0, prompt_id: "p" });
    assertEquals(taken(MAX_LEFT_AGE_MS + 1), null);
    const invalidTypes = '[{"session_id":"a","left_at":0,"prompt_id":"p","client_pid":7}]';
    for (const text of ["{", "7", '[7,{"session_id":"a"}]', invalidTypes, " ".repeat(100_000)]) {
      Deno.writeTextFileSync(`${projectDir}/.claude/trimtab/left.json`, text);
      assertEquals(taken(), null);
    }
    recordLeftSession(projectDir, { session_id: "b", left_at: 0, prompt_id: "p" });
    assertEquals(taken(MAX_LEFT_AGE_MS), "b");
  }));
