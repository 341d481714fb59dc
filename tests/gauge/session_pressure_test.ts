import { assertEquals, assertThrows } from "@std/assert";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { gaugeSession } from "../../src/gauge/session_pressure.ts";
import { answer, user, withTranscript, writeLines } from "./transcript.ts";

const CLUES = {
  config: DEFAULT_CONFIG.context,
  owner: { projectDir: "/nowhere", sessionId: "none" },
  env: () => undefined,
};

Deno.test("gaugeSession() measures the conversation that a resumed session continues", () =>
  withTranscript((transcript) => {
    writeLines(transcript, [
      user("u1", null),
      answer("a1", "u1", 100_200),
      user("u2", "a1"),
      answer("a2", "u2", 158_650),
      { type: "last-prompt", leafUuid: "a1" },
    ]);
    const later = gaugeSession({ transcript, ...CLUES });
    assertEquals([later.tokens, later.percent, later.level], [158_650, 95, "urgent"]);
    writeLines(transcript, [
      user("u1", null),
      answer("a1", "u1", 100_200),
      user("u2", "u1"),
      answer("a2", "u2", 158_650),
      { type: "last-prompt", leafUuid: "a1" },
    ]);
    const back = gaugeSession({ transcript, ...CLUES });
    assertEquals([back.tokens, back.percent, back.level], [100_200, 60, "warn"]);
  }));

Deno.test("gaugeSession() returns only the window for a session without a transcript", () =>
  withTranscript((transcript) => {
    const config = { ...CLUES.config, window_tokens: 1_000_000 };
    assertEquals(gaugeSession({ transcript, ...CLUES, config }), {
      tokens: null,
      window: 1_000_000,
      limit: 967_000,
      limitKind: "compaction",
      left: null,
      percent: null,
      level: null,
      source: "none",
      windowSource: "config",
      isCompacted: false,
      model: null,
    });
    assertThrows(() => gaugeSession({ transcript: `${transcript}\0`, ...CLUES }));
  }));
