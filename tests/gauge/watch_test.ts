import { assert, assertEquals, assertGreater } from "@std/assert";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { claimWarning } from "../../src/gauge/claim.ts";
import { pressureText } from "../../src/gauge/advice.ts";
import { MAX_BEHIND_MS } from "../../src/gauge/running_usage.ts";
import { type WatchOptions, watchPressure } from "../../src/gauge/watch.ts";
import { withLockSync } from "../../src/store/lock.ts";
import { readSessionState, type SessionState, type StateOwner } from "../../src/store/state.ts";
import { updateSessionState } from "../../src/store/state_update.ts";
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
    sleep: () => {
      throw new Error("there was nothing to wait for");
    },
    ...extra,
  };
}

function watchAndClaim(transcript: string, owner: StateOwner, second: number): string | null {
  const state = readSessionState(owner);
  const nowMs = START_MS + second * 1000;
  const warning = watchPressure(options(transcript, { state, nowMs }));
  const claimed = warning === null ? null : claimWarning(owner, warning);
  return warning === null || claimed === null
    ? null
    : pressureText(warning.pressure, claimed.level);
}

Deno.test("watchPressure() reports when the level rises, and nothing below the lowest level", () =>
  withTranscript((path) => {
    writeLines(path, [answer("a1", null, 98_530)]);
    assertEquals(watchPressure(options(path)), null);
    writeLines(path, [answer("a1", null, 123_580)]);
    const warning = watchPressure(options(path));
    assertEquals([warning?.level, warning?.pressure.percent], ["warn", 74]);
  }));

Deno.test("watchPressure() does not read the transcript in the interval after the highest warning", () =>
  withTranscript((path) => {
    const state: SessionState = { level: "urgent", warned_at: new Date(START_MS).toISOString() };
    // A path with a NUL cannot even be checked: an attempt would throw.
    const unreadable = `${path}\0`;
    const watchAt = (second: number): unknown =>
      watchPressure(options(unreadable, { state, nowMs: START_MS + second * 1000 }));
    assertEquals([0, 1, 59].map(watchAt), [null, null, null]);
    let hasLooked = false;
    try {
      watchAt(60);
    } catch {
      hasLooked = true;
    }
    assert(hasLooked);
  }));

Deno.test("watchPressure() reports nothing for a transcript without usage", () =>
  withTranscript((path) => {
    assertEquals(watchPressure(options(path)), null);
    writeLines(path, [user("u1", null)]);
    const state: SessionState = { level: "urgent", warned_at: new Date(0).toISOString() };
    assertEquals(watchPressure(options(path, { state })), null, "an unknown usage is not a fall");
  }));

Deno.test("watchPressure() treats a compaction as a fall of the level", () =>
  withTranscript((path) => {
    writeLines(path, [answer("a1", null, 158_650), boundary("b"), user("u2", "b")]);
    const state: SessionState = { level: "urgent", warned_at: new Date(0).toISOString() };
    assertEquals(watchPressure(options(path, { state }))?.level, "ok");
  }));

Deno.test("watchPressure() waits for a transcript that lacks the newest lines", () =>
  withTranscript((path) => {
    const early = [answer("a1", null, 8_350), user("u2", "a1", { promptId: "p" })];
    writeLines(path, early);
    let waitedMs = 0;
    const sleep = (ms: number): void => {
      waitedMs += ms;
      if (waitedMs >= 50) writeLines(path, [...early, answer("a2", "u2", 125_250)]);
    };
    const moment = { promptId: "p", toolUseIds: ["toolu_a2"] };
    const warning = watchPressure(options(path, { moment, sleep }));
    assertEquals([warning?.level, waitedMs], ["recommend", 50]);
  }));

Deno.test("watchPressure() uses the known figures when the wait times out", () =>
  withTranscript((path) => {
    writeLines(path, [answer("a1", null, 125_250), user("u2", "a1", { promptId: "p" })]);
    let waitedMs = 0;
    const sleep = (ms: number): void => {
      waitedMs += ms;
    };
    const moment = { promptId: "p", toolUseIds: ["toolu_never"] };
    assertEquals(watchPressure(options(path, { moment, sleep }))?.level, "recommend");
    assertEquals(waitedMs, MAX_BEHIND_MS);
  }));

Deno.test("watchPressure() treats an invalid level or time as no earlier check", () =>
  withTranscript((path) => {
    writeLines(path, [answer("a1", null, 125_250)]);
    for (const state of [{ level: "panic", warned_at: "yesterday" }, { level: "__proto__" }]) {
      assertEquals(watchPressure(options(path, { state }))?.level, "recommend");
    }
  }));

Deno.test("claimWarning() records a warning and gives it to one process", () =>
  withTranscript((path, projectDir) => {
    writeLines(path, [answer("a1", null, 123_580)]);
    const owner = { projectDir, sessionId: SESSION };
    const warning = watchPressure(options(path));
    assert(warning !== null);
    assertEquals(claimWarning(owner, warning), { level: "warn", isRise: true, state: {} });
    assertEquals(readSessionState(owner), { level: "warn", warned_at: "2026-03-01T10:00:00.000Z" });
    assertEquals(claimWarning(owner, warning), null, "another process was faster");
  }));

Deno.test("claimWarning() distinguishes a repeat from a rise, and records a fall silently", () =>
  withTranscript((path, projectDir) => {
    const owner = { projectDir, sessionId: SESSION };
    const say = (tokens: number, second: number): string | null => {
      writeLines(path, [answer("a1", null, tokens)]);
      return watchAndClaim(path, owner, second)?.slice(0, 15) ?? null;
    };
    assertEquals(say(125_250, 0), "Context at 75%.");
    assertEquals(say(150_300, 30), "Context at 90%.");
    assertEquals(say(150_300, 60), null);
    assertEquals(say(108_550, 120), null);
    assertEquals(readSessionState(owner).level, "warn");
    assertEquals(say(108_550, 629), null);
    assertEquals(say(108_550, 630), "Context at 65%.");
    assertEquals(say(126_085, 720), "Context at 76%.");
  }));

Deno.test("claimWarning() is silent when a later check wrote first", () =>
  withTranscript((path, projectDir) => {
    writeLines(path, [answer("a1", null, 123_580)]);
    const owner = { projectDir, sessionId: SESSION };
    const [early, late] = [0, 40].map((ms) =>
      watchPressure(options(path, { nowMs: START_MS + ms }))
    );
    assert(early && late);
    assertEquals(claimWarning(owner, late)?.isRise, true);
    assertEquals(claimWarning(owner, early), null);
  }));

Deno.test("claimWarning() is silent when it cannot record the warning", () =>
  withTranscript((path, projectDir) => {
    writeLines(path, [answer("a1", null, 123_580)]);
    const owner = { projectDir, sessionId: SESSION };
    updateSessionState(owner, () => ({ usage_tokens: 1 }));
    const news = watchPressure(options(path));
    assert(news !== null);
    withLockSync(`${projectDir}/.claude/trimtab/state/.lock`, () => {
      const start = performance.now();
      assertEquals(claimWarning(owner, news), null);
      assertGreater(performance.now() - start, 40);
    });
    assertEquals(claimWarning(owner, news)?.isRise, true);
  }));

Deno.test("pressureText() has the same bytes everywhere", () => {
  const figures = {
    tokens: 1_234_567,
    limit: 2_000_000,
    limitKind: "compaction" as const,
    percent: 62,
  };
  assertEquals(
    pressureText(figures, "warn"),
    "Context at 62%. Consider /trim if response quality feels degraded. " +
      "(1,234,567 of 2,000,000 tokens)",
  );
});
