import { assertEquals, assertThrows } from "@std/assert";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { sessionPressure } from "../../src/pressure/session_pressure.ts";
import { answer, user, withTranscript, writeLines } from "./transcript.ts";

const CLUES = { config: DEFAULT_CONFIG.context, state: {}, env: () => undefined };

Deno.test("sessionPressure() measures the conversation that a resumed session goes on with", () =>
  withTranscript((transcript) => {
    writeLines(transcript, [
      user("u1", null),
      answer("a1", "u1", 100_200),
      user("u2", "a1"),
      answer("a2", "u2", 158_650),
      { type: "last-prompt", leafUuid: "a1" },
    ]);
    // The client noted down that the newest message is not where the session stands.
    const later = sessionPressure({ transcript, ...CLUES });
    assertEquals([later.tokens, later.percent, later.level], [158_650, 95, "urgent"]);
    writeLines(transcript, [
      user("u1", null),
      answer("a1", "u1", 100_200),
      user("u2", "u1"),
      answer("a2", "u2", 158_650),
      { type: "last-prompt", leafUuid: "a1" },
    ]);
    const back = sessionPressure({ transcript, ...CLUES });
    assertEquals([back.tokens, back.percent, back.level], [100_200, 60, "warn"]);
  }));

Deno.test("sessionPressure() knows the window and nothing else of a session without a transcript", () =>
  withTranscript((transcript) => {
    const state = { window_tokens: 1_000_000 };
    assertEquals(sessionPressure({ transcript, ...CLUES, state }), {
      tokens: null,
      window: 1_000_000,
      limit: 967_000,
      limitKind: "compaction",
      left: null,
      percent: null,
      level: null,
      source: "none",
      windowSource: "statusline",
      isCompacted: false,
      model: null,
    });
    assertThrows(() => sessionPressure({ transcript: `${transcript}\0`, ...CLUES }));
  }));
