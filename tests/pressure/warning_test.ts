import { assertEquals, assertThrows } from "@std/assert";
import { warningText } from "../../src/pressure/warning.ts";

Deno.test("warningText() has one sentence for each level", () => {
  assertEquals(
    warningText(60, "warn"),
    "Context at 60%. Consider /trim if response quality feels degraded.",
  );
  assertEquals(
    warningText(75, "recommend"),
    "Context at 75%. Recommend /trim soon, or /rollover if trim isn't helping.",
  );
  assertEquals(
    warningText(104, "urgent"),
    "Context at 104%. Use /trim or /rollover now to avoid lossy auto-compaction.",
  );
});

Deno.test("warningText() refuses a percentage that is not whole", () => {
  for (const percent of [74.6, -1, NaN, Infinity]) {
    assertThrows(() => warningText(percent, "warn"), RangeError, `percent is ${percent}`);
  }
});
