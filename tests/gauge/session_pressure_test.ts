import { assertEquals, assertThrows } from "@std/assert";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { gaugeSession } from "../../src/gauge/session_pressure.ts";
import { answer, type Line, user, withTranscript, writeLines } from "./transcript.ts";

const FACTS = {
  config: DEFAULT_CONFIG.context,
  owner: { projectDir: "/nowhere", sessionId: "none" },
  env: () => undefined,
};

Deno.test("gaugeSession() returns only the window and the limit for a session without a transcript", () =>
  withTranscript((transcript) => {
    const config = { ...FACTS.config, window_tokens: 1_000_000 };
    const { tokens, window, limit, source } = gaugeSession({ transcript, ...FACTS, config });
    assertEquals([tokens, window, limit, source], [null, 1_000_000, 967_000, "none"]);
    assertThrows(() => gaugeSession({ transcript: `${transcript}\0`, ...FACTS }));
  }));

Deno.test("gaugeSession() labels a copy's usage as the trim's estimate if the newest answer is older than the trim", () =>
  withTranscript((transcript) => {
    const [before, trimmed, after] = [0, 1, 2].map((ms) => `2026-03-01T12:00:00.00${ms}Z`);
    const sourceOf = (timestamp: string | undefined, metadata: Line = {}): string => {
      const last = answer("a1", "u1", 100_000, { timestamp });
      writeLines(transcript, [user("u1", null, metadata), last]);
      return gaugeSession({ transcript, ...FACTS }).source;
    };
    const metadata = { trim_metadata: { parent_session_id: "p", trimmed_at: trimmed } };
    assertEquals(sourceOf(before, metadata), "trim");
    for (const timestamp of [trimmed, after, undefined]) {
      assertEquals(sourceOf(timestamp, metadata), "api", timestamp);
    }
    assertEquals(sourceOf(before), "api", "it is not a copy");
  }));
