import { assertEquals, assertThrows } from "@std/assert";
import { ContextManager, type ContextManagerOptions } from "../../src/designs/context_manager.ts";

function manager(options: Partial<ContextManagerOptions> = {}): ContextManager {
  return new ContextManager({ contextLimit: 1000, carryoverTurns: 2, ...options });
}

Deno.test("ContextManager.evaluate() changes its action exactly at the soft and the hard threshold", () => {
  const rows = [
    [0, { kind: "continue" }],
    [699, { kind: "continue" }],
    [700, { kind: "mask", count: 3 }],
    [899, { kind: "mask", count: 3 }],
    [900, { kind: "wind_down" }],
    [1700, { kind: "wind_down" }],
  ] as const;
  for (const [tokens, action] of rows) {
    const fresh = manager();
    fresh.updateTokenUsage(tokens, 0);
    assertEquals<unknown>(fresh.evaluate(), action, `at ${tokens}`);
  }
});

Deno.test("ContextManager.evaluate() returns wind_down once, and then restart, mask or continue", () => {
  const loop = manager();
  loop.updateTokenUsage(920, 10);
  assertEquals([loop.evaluate().kind, loop.evaluate().kind], ["wind_down", "restart"]);
  loop.updateTokenUsage(750, 10);
  assertEquals(loop.evaluate(), { kind: "mask", count: 3 });
  loop.updateTokenUsage(100, 10);
  assertEquals(loop.evaluate(), { kind: "continue" });
  loop.updateTokenUsage(900, 10);
  assertEquals(loop.evaluate(), { kind: "restart" });
});

Deno.test("ContextManager.updateTokenUsage() replaces the prompt tokens and adds up the completion tokens", () => {
  const loop = manager();
  loop.updateTokenUsage(300, 20);
  loop.updateTokenUsage(350, 30);
  const { promptTokens, completionTokensTotal } = loop;
  assertEquals([promptTokens, completionTokensTotal, loop.usagePercentage()], [350, 50, 0.35]);
});

Deno.test("ContextManager.usagePercentage() counts four characters as a token while no usage is known", () => {
  const loop = manager();
  assertEquals(loop.usagePercentage(), 0);
  loop.addChars(2000);
  assertEquals(loop.usagePercentage(), 0.5);
  loop.addChars(803);
  assertEquals(loop.totalChars, 2803);
  assertEquals(loop.usagePercentage(), 0.7, "700.75 tokens count as 700");
  assertEquals(loop.evaluate().kind, "mask");
  loop.updateTokenUsage(100, 0);
  assertEquals(loop.usagePercentage(), 0.1, "known usage takes precedence");
});

Deno.test("ContextManager.prepareRestart() begins the next session with every counter at zero", () => {
  const loop = manager();
  loop.updateTokenUsage(950, 40);
  loop.addChars(100);
  loop.addMasked(5);
  loop.incrementTurn();
  loop.incrementTurn();
  loop.evaluate();
  assertEquals([loop.sessionNumber, loop.turnCount, loop.maskedCount], [1, 2, 5]);
  assertEquals(loop.prepareRestart(), []);
  assertEquals(loop.sessionNumber, 2);
  const { turnCount, maskedCount, promptTokens, completionTokensTotal, totalChars } = loop;
  const counters = [turnCount, maskedCount, promptTokens, completionTokensTotal, totalChars];
  assertEquals(counters, [0, 0, 0, 0, 0]);
  loop.updateTokenUsage(950, 0);
  assertEquals(loop.evaluate(), { kind: "wind_down" }, "the new session is warned, too");
});

Deno.test("ContextManager.prepareRestart() returns the newest turns, oldest first, until newer ones replace them", () => {
  const loop = manager({ carryoverTurns: 2 });
  for (const text of ["one", "two", "three"]) {
    loop.addTurn([{ role: "user", content: text }, { role: "assistant", content: `${text}!` }]);
  }
  assertEquals<unknown>(loop.prepareRestart(), [
    [{ role: "user", content: "two" }, { role: "assistant", content: "two!" }],
    [{ role: "user", content: "three" }, { role: "assistant", content: "three!" }],
  ]);
  loop.addTurn([{ n: 4 }]);
  assertEquals(loop.prepareRestart().map(([first]) => first), [
    { role: "user", content: "three" },
    { n: 4 },
  ]);
});

Deno.test("ContextManager.addTurn() stores nothing if no turns are carried over", () => {
  const loop = manager({ carryoverTurns: 0 });
  loop.addTurn([{ n: 1 }]);
  assertEquals(loop.prepareRestart(), []);
});

Deno.test("ContextManager.addTurn() stores copies of messages, which later masking does not change", () => {
  const loop = manager();
  const messages = [{ role: "tool", content: "the result" }];
  loop.addTurn(messages);
  for (const message of messages) message.content = "[masked]";
  messages.pop();
  const carried = loop.prepareRestart();
  assertEquals<unknown>(carried, [[{ role: "tool", content: "the result" }]]);
  for (const message of carried.flat()) Object.assign(message, { content: "[masked]" });
  assertEquals<unknown>(loop.prepareRestart(), [[{ role: "tool", content: "the result" }]]);
});

Deno.test("ContextManager.evaluate() rejects a usage that is negative or not a number", () => {
  assertThrows(() => manager({ contextLimit: 0 }).evaluate(), RangeError, "usage is NaN");
  const loop = manager();
  loop.updateTokenUsage(-1, 0);
  loop.addChars(-40);
  assertThrows(() => loop.evaluate(), RangeError, "expected 0 or more");
});
