import { assertEquals } from "@std/assert";
import {
  MAX_LEFT_AGE_MS,
  recordLeftSession,
  takeLeftSession,
} from "../../../src/saved/lineage/left_session.ts";
import "../../own_config.ts";
import { inFolder } from "../../folder.ts";

Deno.test("takeLeftSession() returns the session that the same prompt left, only once", () =>
  inFolder((projectDir) => {
    recordLeftSession(projectDir, { session_id: "a", left_at: 1_000, prompt_id: "p1" });
    recordLeftSession(projectDir, { session_id: "b", left_at: 1_001, prompt_id: "p2" });
    assertEquals(takeLeftSession(projectDir, { nowMs: 1_100, promptId: "p1" }), "a");
    assertEquals(takeLeftSession(projectDir, { nowMs: 1_100, promptId: "p1" }), null);
    assertEquals(takeLeftSession(projectDir, { nowMs: 1_100, promptId: "p3" }), null);
    assertEquals(takeLeftSession(projectDir, { nowMs: 1_100, promptId: "p2" }), "b");
  }));

Deno.test("takeLeftSession() returns the newest session if the client names no prompt", () =>
  inFolder((projectDir) => {
    recordLeftSession(projectDir, { session_id: "a", left_at: 1_000, prompt_id: "" });
    recordLeftSession(projectDir, { session_id: "b", left_at: 1_001, prompt_id: "" });
    assertEquals(takeLeftSession(projectDir, { nowMs: 1_100, promptId: "" }), "b");
  }));

Deno.test("takeLeftSession() returns the newest session if only the end of the old session names the prompt", () =>
  inFolder((projectDir) => {
    recordLeftSession(projectDir, { session_id: "a", left_at: 1_000, prompt_id: "p1" });
    recordLeftSession(projectDir, { session_id: "b", left_at: 1_001, prompt_id: "p2" });
    assertEquals(takeLeftSession(projectDir, { nowMs: 1_100, promptId: "" }), "b");
    assertEquals(takeLeftSession(projectDir, { nowMs: 1_100, promptId: "" }), "a");
    assertEquals(takeLeftSession(projectDir, { nowMs: 1_100, promptId: "" }), null);
  }));

Deno.test("takeLeftSession() returns the session of the same process if the start names no prompt", () =>
  inFolder((projectDir) => {
    const left_at = 1_000;
    recordLeftSession(projectDir, {
      session_id: "a",
      left_at,
      prompt_id: "p1",
      client_pid: "29103",
    });
    recordLeftSession(projectDir, {
      session_id: "b",
      left_at,
      prompt_id: "p2",
      client_pid: "29171",
    });
    recordLeftSession(projectDir, { session_id: "c", left_at, prompt_id: "p3" });
    const newStart = { nowMs: 1_100, promptId: "" };
    assertEquals(takeLeftSession(projectDir, { ...newStart, clientPid: "29103" }), "a");
    assertEquals(takeLeftSession(projectDir, { ...newStart, clientPid: "29103" }), null);
    assertEquals(takeLeftSession(projectDir, { ...newStart, promptId: "p2", clientPid: "7" }), "b");
    assertEquals(takeLeftSession(projectDir, { ...newStart, clientPid: "" }), "c");
  }));

Deno.test("takeLeftSession() returns nothing for an old session, a missing session or a damaged file", () =>
  inFolder((projectDir) => {
    assertEquals(takeLeftSession(projectDir, { nowMs: 0, promptId: "p" }), null);
    recordLeftSession(projectDir, { session_id: "a", left_at: 0, prompt_id: "p" });
    assertEquals(takeLeftSession(projectDir, { nowMs: MAX_LEFT_AGE_MS + 1, promptId: "p" }), null);
    const invalidTypes = '[{"session_id":"a","left_at":0,"prompt_id":"p","client_pid":7}]';
    for (const text of ["{", "7", '[7,{"session_id":"a"}]', invalidTypes, " ".repeat(100_000)]) {
      Deno.writeTextFileSync(`${projectDir}/.claude/trimtab/left.json`, text);
      assertEquals(takeLeftSession(projectDir, { nowMs: 0, promptId: "p" }), null);
    }
    recordLeftSession(projectDir, { session_id: "b", left_at: 0, prompt_id: "p" });
    assertEquals(takeLeftSession(projectDir, { nowMs: 0, promptId: "p" }), "b");
  }));
