import { assertEquals } from "@std/assert";
import { correctedIn } from "../../src/decisions/corrections.ts";

const CAUSE = "Assistant: Found the bug. The pool is never closed.";

function corrected(...steps: readonly string[]): number[] {
  return [...correctedIn(["User: Fix it", ...steps])];
}

Deno.test("correctedIn() finds the last cause before a message of the same turn that corrects it", () => {
  const edit = "Edit a.ts: x";
  const corrections = [
    "Wait, that's not right either. It is closed twice.",
    "Wait — the actual issue might be the log.",
    "The root cause isn't the pool, it is the log.",
    "Actually, thinking about this more carefully: the pool is shared.",
  ];
  for (const said of corrections) {
    assertEquals(corrected(CAUSE, edit, `Assistant: ${said}`), [1], said);
  }
  assertEquals(corrected(CAUSE, CAUSE, `Assistant: ${corrections[0]}`), [2]);
  assertEquals(corrected(CAUSE, "User: and the log?", `Assistant: ${corrections[0]}`), []);
  assertEquals(corrected(CAUSE, edit, "Assistant: Wait, the log is closed, too."), []);
  assertEquals(corrected("Assistant: I read it.", `Assistant: ${corrections[0]}`), []);
});

Deno.test("correctedIn() ignores a cause that is more than 29 steps older", () => {
  const reads = (count: number): string[] => Array.from({ length: count }, () => "Read a.ts");
  const correction = "Assistant: Wait, that is wrong.";
  assertEquals(corrected(CAUSE, ...reads(28), correction), [1]);
  assertEquals(corrected(CAUSE, ...reads(29), correction), []);
});
