import { assertEquals } from "@std/assert";
import { adviceText, chooseRemedy, isFresh } from "../../src/pressure/advice.ts";
import { warningText } from "../../src/pressure/warning.ts";
import type { FreedRecord } from "../../src/store/state.ts";

/** What frees how much of 100,000 tokens. */
function record(light: number, deep: number, rollover: number): FreedRecord {
  return {
    at_tokens: 100_000,
    light,
    deep,
    rollover,
    bytes: 1,
    cache_ttl_seconds: null,
    newest_at: null,
  };
}

Deno.test("chooseRemedy() recommends no trim that frees under a tenth", () => {
  assertEquals(chooseRemedy(record(10_000, 40_000, 80_000)), "light");
  assertEquals(chooseRemedy(record(9_999, 10_000, 80_000)), "deep");
  assertEquals(chooseRemedy(record(522, 9_999, 80_000)), "rollover");
});

Deno.test("adviceText() recommends one thing at every level, and says what each would free", () => {
  assertEquals(
    adviceText("warn", record(522, 12_000, 80_000)),
    "Consider /trim --depth deep if response quality feels degraded: it frees about 12,000 tokens " +
      "(/trim 522, /rollover 80,000).",
  );
  assertEquals(
    adviceText("recommend", record(34_000, 50_000, 80_000)),
    "Recommend /trim soon: it frees about 34,000 tokens " +
      "(/trim --depth deep 50,000, /rollover 80,000).",
  );
  assertEquals(
    adviceText("urgent", record(522, 600, 80_000)),
    "Use /rollover now to avoid lossy auto-compaction: it frees about 80,000 tokens " +
      "(/trim 522, /trim --depth deep 600).",
  );
});

Deno.test("isFresh() holds until the context is a tenth larger or smaller", () => {
  const known = record(1, 2, 3);
  assertEquals([90_000, 110_000].map((tokens) => isFresh(known, tokens)), [true, true]);
  assertEquals([89_999, 110_001].map((tokens) => isFresh(known, tokens)), [false, false]);
  assertEquals(isFresh(undefined, 100_000), false);
});

Deno.test("warningText() claims nothing where nothing is recorded", () => {
  assertEquals(
    warningText(75, "recommend"),
    "Context at 75%. Recommend /trim soon, or /rollover if trim isn't helping.",
  );
  assertEquals(
    warningText(75, "recommend", record(20_000, 30_000, 70_000)),
    "Context at 75%. Recommend /trim soon: it frees about 20,000 tokens " +
      "(/trim --depth deep 30,000, /rollover 70,000).",
  );
});
