import { assert, assertEquals, assertThrows } from "@std/assert";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { claimWarning } from "../../src/gauge/claim.ts";
import { type WatchOptions, watchPressure } from "../../src/gauge/watch.ts";
import { readSessionState, type SessionState } from "../../src/store/state.ts";
import { answer, boundary, user, withTranscript, writeLines } from "./transcript.ts";

const SESSION = "0e3c1a52-7d3a-4a52-9a3e-6f1c5d1b2a10";
const START_MS = Date.parse("2026-03-01T10:00:00.000Z");

function options(transcript: string, extra: Partial<WatchOptions> = {}): WatchOptions {
  return {
    transcript,
    config: DEFAULT_CONFIG.context,
    state: {},
    env: () => undefined,
    nowMs: START_MS,
    ...extra,
  };
}

Deno.test("watchPressure() reports a rise of the level, and nothing while the level stays `ok`", () =>
  withTranscript((path) => {
    writeLines(path, [answer("a1", null, 98_530)]);
    assertEquals(watchPressure(options(path)), null);
    writeLines(path, [answer("a1", null, 123_580)]);
    const warning = watchPressure(options(path));
    assertEquals([warning?.level, warning?.pressure.percent], ["warn", 74]);
  }));

Deno.test("watchPressure() does not read the transcript in the interval after a warning of the highest level", () =>
  withTranscript((path) => {
    const state: SessionState = { level: "urgent", warned_at: new Date(START_MS).toISOString() };
    // A path with a NUL cannot even be checked: an attempt would throw.
    const unreadable = `${path}\0`;
    const watchAt = (second: number): unknown =>
      watchPressure(options(unreadable, { state, nowMs: START_MS + second * 1000 }));
    assertEquals([0, 1, 59].map(watchAt), [null, null, null]);
    assertThrows(() => watchAt(60));
  }));

Deno.test("watchPressure() reports nothing for a transcript without usage", () =>
  withTranscript((path) => {
    assertEquals(watchPressure(options(path)), null);
    writeLines(path, [user("u1", null)]);
    const state: SessionState = { level: "urgent", warned_at: new Date(0).toISOString() };
    assertEquals(watchPressure(options(path, { state })), null, "an unknown usage is not a drop");
  }));

Deno.test("watchPressure() treats a compaction as a drop of the level", () =>
  withTranscript((path) => {
    writeLines(path, [answer("a1", null, 158_650), boundary("b"), user("u2", "b")]);
    const state: SessionState = { level: "urgent", warned_at: new Date(0).toISOString() };
    assertEquals(watchPressure(options(path, { state }))?.level, "ok");
  }));

Deno.test("watchPressure() ignores an invalid level or time of an earlier check", () =>
  withTranscript((path) => {
    writeLines(path, [answer("a1", null, 125_250)]);
    for (const state of [{ level: "panic", warned_at: "yesterday" }, { level: "__proto__" }]) {
      assertEquals(watchPressure(options(path, { state }))?.level, "recommend");
    }
  }));

Deno.test("claimWarning() records a warning, and returns it to only one process", () =>
  withTranscript((path, projectDir) => {
    writeLines(path, [answer("a1", null, 123_580)]);
    const owner = { projectDir, sessionId: SESSION };
    const warning = watchPressure(options(path));
    assert(warning !== null);
    assertEquals(claimWarning(owner, warning), { level: "warn", isRise: true, state: {} });
    assertEquals(readSessionState(owner), { level: "warn", warned_at: "2026-03-01T10:00:00.000Z" });
    assertEquals(claimWarning(owner, warning), null, "another process was faster");
  }));

Deno.test("claimWarning() distinguishes a repeat from a rise, and records a drop silently", () =>
  withTranscript((path, projectDir) => {
    const owner = { projectDir, sessionId: SESSION };
    const claimAt = (second: number, tokens: number): unknown => {
      writeLines(path, [answer("a1", null, tokens)]);
      const [state, nowMs] = [readSessionState(owner), START_MS + second * 1000];
      const warning = watchPressure(options(path, { state, nowMs }));
      const claimed = warning && claimWarning(owner, warning);
      return claimed && [claimed.level, claimed.isRise];
    };
    assertEquals(claimAt(0, 125_250), ["recommend", true]);
    assertEquals(claimAt(30, 150_300), ["urgent", true]);
    assertEquals(claimAt(60, 150_300), null);
    assertEquals(claimAt(120, 108_550), null);
    assertEquals(readSessionState(owner).level, "warn");
    assertEquals(claimAt(629, 108_550), null);
    assertEquals(claimAt(630, 108_550), ["warn", false]);
    assertEquals(claimAt(720, 126_085), ["recommend", true]);
  }));
