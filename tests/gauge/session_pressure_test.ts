import { assertEquals, assertThrows } from "@std/assert";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { gaugeSession } from "../../src/gauge/session_pressure.ts";
import { answer, user, withTranscript, writeLines } from "./transcript.ts";

const FACTS = {
  config: DEFAULT_CONFIG.context,
  owner: { projectDir: "/nowhere", sessionId: "none" },
  env: () => undefined,
};

Deno.test("gaugeSession() measures the conversation that a resumed session continues", () =>
  withTranscript((transcript) => {
    const gaugeAfter = (parent: string): unknown[] => {
      writeLines(transcript, [
        user("u1", null),
        answer("a1", "u1", 100_200),
        user("u2", parent),
        answer("a2", "u2", 158_650),
        { type: "last-prompt", leafUuid: "a1" },
      ]);
      const { tokens, percent, level } = gaugeSession({ transcript, ...FACTS });
      return [tokens, percent, level];
    };
    assertEquals(gaugeAfter("a1"), [158_650, 95, "urgent"]);
    assertEquals(gaugeAfter("u1"), [100_200, 60, "warn"]);
  }));

Deno.test("gaugeSession() returns only the window for a session without a transcript", () =>
  withTranscript((transcript) => {
    const config = { ...FACTS.config, window_tokens: 1_000_000 };
    const { tokens, window, limit, source } = gaugeSession({ transcript, ...FACTS, config });
    assertEquals([tokens, window, limit, source], [null, 1_000_000, 967_000, "none"]);
    assertThrows(() => gaugeSession({ transcript: `${transcript}\0`, ...FACTS }));
  }));
