import { assert, assertEquals } from "@std/assert";
import { type InsideTrim, isTooSmallTrim, limitOf, measure } from "../../src/inside/trim.ts";
import { describeFailure, describeNoTrim } from "../../src/inside/words.ts";
import { messageLine, sessionLines } from "./laid_out.ts";
import { trimOf } from "./trims.ts";

/** Makes a trim of a context of 100,000 tokens. Cuts free `savedTokens`; lost thinking frees 9,000 more. */
function trimSaving(savedTokens: number, more: Partial<InsideTrim> = {}, newest = 0): InsideTrim {
  const results = new Map(savedTokens === 0 ? [] : [["toolu_1", "short"]]);
  return trimOf({
    ...more,
    cuts: { results, newest, savedTokens },
    losses: { thinking: 9, thinkingTokens: 9_000, loadedTools: 0, lostTypes: [] },
    tokens: { before: 100_000, after: 91_000 - savedTokens },
  });
}

Deno.test("isTooSmallTrim() counts cuts, but not lost thinking", () => {
  assertEquals([1_999, 2_000].map((saved) => isTooSmallTrim(trimSaving(saved))), [true, false]);
});

Deno.test("describeNoTrim() explains why nothing was cut, and suggests a fix unless the target is already met", () => {
  const nothing = { deep: 0, newest: 0 };
  assertEquals(
    describeNoTrim(trimSaving(522), { deep: 30_000, newest: 4_000 }),
    "Nothing was cut: the trim would free 522 of 100,000 tokens. This would help: adding --depth " +
      "deep frees 30,000 tokens; adding --keep-recent 0 frees 4,000 tokens of the newest outputs",
  );
  assertEquals(
    describeNoTrim(trimSaving(522), nothing),
    "Nothing was cut: the trim would free 522 of 100,000 tokens. This would help: /rollover",
  );
  assertEquals(
    describeNoTrim(trimSaving(0, {}, 3), { deep: 0, newest: 9_000 }),
    "Nothing was cut: all outputs that may be cut are short. Kept: 3 long outputs among the newest. " +
      "This would help: adding --keep-recent 0 frees 9,000 tokens of the newest outputs",
  );
  for (const [target, words] of [[100_200, "100,200"], [100_000, "100,000"]] as const) {
    assertEquals(
      describeNoTrim(trimSaving(0, { target: { percent: 60, tokens: target } }), nothing),
      `Nothing was cut: the context has 100,000 tokens, and the target is ${words}`,
    );
  }
});

Deno.test("measure() adds the categories other than messages if no answer reports the total", () => {
  const lines = sessionLines([messageLine("user", "words ".repeat(900))]);
  const tokensWith = (system: number): number => {
    const categories = [
      { name: "System prompt", tokens: system, kind: "used" },
      { name: "Messages", tokens: 7, kind: "used" },
      { name: "Autocompact buffer", tokens: 33_000, kind: "buffer" },
    ];
    return measure(
      lines,
      { window: 200_000, breakdown: { rawMaxTokens: 200_000, categories } },
      "m",
    )
      .tokens;
  };
  const messages = tokensWith(0);
  assert(messages > 500 && messages < 5_000, `${messages}`);
  assertEquals(tokensWith(7_155) - messages, 7_155);
});

Deno.test("describeFailure() includes the client's error without its function name, and explains a disabled /compact", () => {
  const stopped = "trimtab: $.command.run: the session was stopped";
  assertEquals(
    describeFailure(stopped, false),
    "could not trim in place: the session was stopped. For a copy: /trim --copy",
  );
  assertEquals(
    describeFailure("trimtab: $.command.run: no command named /compact in this session", true),
    "could not undo: Claude Code's /compact, which trimtab needs for this, is switched off (DISABLE_COMPACT). " +
      "Nothing was changed",
  );
});

Deno.test("limitOf() returns the point of automatic compaction or, without one, the point where an answer no longer fits", () => {
  const breakdown = { rawMaxTokens: 200_000, categories: [] };
  assertEquals(limitOf({ window: 200_000 }), 180_000);
  assertEquals(limitOf({ window: 200_000, breakdown }), 180_000);
  // The client reports a threshold even for models that it does not compact automatically.
  const named = { ...breakdown, autoCompactThreshold: 167_000 };
  assertEquals(limitOf({ window: 200_000, breakdown: named }), 180_000);
  const buffer = { name: "Autocompact buffer", tokens: 33_000, kind: "buffer" };
  const compacting = { ...named, categories: [buffer] };
  assertEquals(limitOf({ window: 200_000, breakdown: compacting }), 167_000);
  const set = { ...compacting, rawMaxTokens: 110_000, autoCompactThreshold: 77_000 };
  assertEquals(limitOf({ window: 200_000, breakdown: set }), 77_000);
});
