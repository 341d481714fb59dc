import { assertEquals } from "@std/assert";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { contextPercent, judgeUsage, type PressureFacts } from "../../src/gauge/judge.ts";
import type { InsideFill, InsideRecord } from "../../src/store/inside_record.ts";
import type { TailUsage } from "../../src/transcript/tokens/usage.ts";

const CONFIG = DEFAULT_CONFIG.context;
const FACTS: PressureFacts = { config: CONFIG, state: {}, env: () => undefined };

function api(tokens: number, model = "claude-sonnet-4-6"): TailUsage {
  return { usage: { tokens, source: "api", model }, isCompacted: false };
}

Deno.test("contextPercent() rounds half up and is at most 100, like the client's figure", () => {
  const rows: readonly (readonly [number, number, number])[] = [
    [0, 200_000, 0],
    [999, 200_000, 0],
    [1_000, 200_000, 1],
    [140_003, 200_000, 70],
    [148_999, 200_000, 74],
    [149_000, 200_000, 75],
    [200_000, 200_000, 100],
    [210_001, 200_000, 100],
    [148_000, 1_000_000, 15],
  ];
  for (const [tokens, window, percent] of rows) {
    assertEquals(contextPercent(tokens, window), percent, `${tokens} of ${window}`);
  }
  assertEquals(contextPercent(50_999, 100_000, Math.floor), 50);
});

Deno.test("judgeUsage() finds the level at and around each threshold", () => {
  const rows: readonly (readonly [number, number, string])[] = [
    [99_364, 59, "ok"],
    [99_365, 60, "warn"],
    [123_580, 74, "warn"],
    [125_250, 75, "recommend"],
    [126_920, 76, "recommend"],
    [141_114, 84, "recommend"],
    [141_115, 85, "urgent"],
    [400_000, 41, "ok"],
  ];
  for (const [tokens, percent, level] of rows) {
    const judged = judgeUsage(api(tokens), FACTS);
    assertEquals({ percent: judged.percent, level: judged.level }, { percent, level });
  }
});

Deno.test("judgeUsage() falls back to the status line's figures, but not after a compaction", () => {
  const state = { usage_tokens: 125_250, window_tokens: 200_000 };
  const unknown = { usage: null, isCompacted: false };
  const judged = judgeUsage(unknown, { ...FACTS, state });
  assertEquals([judged.tokens, judged.source, judged.level], [125_250, "statusline", "recommend"]);
  const compacted = judgeUsage({ usage: null, isCompacted: true }, { ...FACTS, state });
  const none = { tokens: null, left: null, percent: null, level: null, model: null };
  assertEquals(compacted, {
    ...none,
    ...{ window: 200_000, limit: 167_000, limitKind: "compaction" },
    ...{ source: "none", windowSource: "statusline", isCompacted: true },
  });
  assertEquals(judgeUsage(api(10), { ...FACTS, state }).tokens, 10);
});

const FILL: InsideFill = {
  ...{ at_ms: 2, model: "claude-sonnet-4-6", tokens: 26_000, window: 400_000, limit: 367_000 },
  ...{ limit_kind: "compaction", categories: { Messages: 8_000 } },
};

Deno.test("judgeUsage() uses the window and limit that the client reported to the module for this model", () => {
  const inside: InsideRecord = { version: 1, fill: FILL, trims: [] };
  const judged = judgeUsage(api(73_400), { ...FACTS, inside });
  assertEquals([judged.window, judged.limit, judged.percent], [400_000, 367_000, 20]);
  const other = judgeUsage(api(73_400, "claude-haiku-4-5"), { ...FACTS, inside });
  assertEquals([other.window, other.limit], [200_000, 180_000]);
  const before = judgeUsage({ usage: null, isCompacted: false }, { ...FACTS, inside });
  assertEquals([before.tokens, before.source], [26_000, "inside"]);
});

Deno.test("judgeUsage() distinguishes a trim in place from a compaction, and uses the trim's figure", () => {
  const trim = { kind: "trim" as const, at_ms: 1, tokens_before: 45_000, tokens_after: 26_000 };
  const compacted: TailUsage = { usage: null, isCompacted: true };
  const inside: InsideRecord = { version: 1, fill: FILL, trims: [trim] };
  const trimmed = judgeUsage(compacted, { ...FACTS, inside });
  assertEquals([trimmed.tokens, trimmed.source, trimmed.isCompacted], [26_000, "inside", false]);
  const later: InsideRecord = { ...inside, fill: { ...FILL, tokens: 150_000 } };
  const known = judgeUsage(compacted, { ...FACTS, inside: later });
  assertEquals([known.tokens, known.isCompacted], [null, true]);
});
