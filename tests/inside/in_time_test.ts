import { assertEquals } from "@std/assert";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { type IdleSession, trimReason } from "../../src/inside/in_time.ts";

const AT_60 = { ...DEFAULT_CONFIG.inside, trim_at_percent: 60 };
const PASSED_60 = "because the window passed 60% (trim_at_percent)";
const WHEN_COLD = { ...DEFAULT_CONFIG.inside, trim_when_cold: true };

function idleSession(tokens: number, changes: Partial<IdleSession> = {}): IdleSession {
  return { tokens, limit: 100_000, baseSize: undefined, isCold: false, ...changes };
}

Deno.test("trimReason() returns a reason to trim from trim_at_percent on, and undefined if that key is not set", () => {
  assertEquals(trimReason(idleSession(59_000), AT_60), undefined);
  assertEquals(trimReason(idleSession(60_000), AT_60), PASSED_60);
  assertEquals(trimReason(idleSession(99_000), DEFAULT_CONFIG.inside), undefined);
});

Deno.test("trimReason() waits until the window has grown by ten points since the last trim", () => {
  assertEquals(trimReason(idleSession(74_000, { baseSize: 65_000 }), AT_60), undefined);
  assertEquals(trimReason(idleSession(75_000, { baseSize: 65_000 }), AT_60), PASSED_60);
  const cold = idleSession(20_000, { baseSize: 15_000, isCold: true });
  assertEquals(trimReason(cold, WHEN_COLD), undefined);
});

Deno.test("trimReason() returns a reason at any size if the cache is cold and trim_when_cold is set", () => {
  const why = "since the prompt cache has expired (trim_when_cold)";
  assertEquals(trimReason(idleSession(20_000, { isCold: true }), WHEN_COLD), why);
  assertEquals(trimReason(idleSession(20_000), WHEN_COLD), undefined);
  assertEquals(trimReason(idleSession(90_000, { isCold: true }), AT_60), undefined);
});
