import { assertEquals } from "@std/assert";
import {
  type AdviceMoment,
  alternativeText,
  isFresh,
  isTooSmall,
  isTrimCertain,
  pressureText,
  recommend,
  shortAdvice,
  warningText,
} from "../../src/gauge/advice.ts";
import type { FreedRecord } from "../../src/store/state.ts";

function record(light: number, deep: number, rollover: number): FreedRecord {
  const unknown = { bytes: 1, cache_ttl_seconds: null, newest_at: null };
  return { at_tokens: 100_000, light, deep, rollover, ...unknown };
}

Deno.test("recommend() returns the least disruptive command that frees a tenth, and no trim that frees less", () => {
  const recommendedFor = (...freed: [number, number, number]): unknown[] => {
    const { command, freed: worth } = recommend(record(...freed));
    return [command, worth];
  };
  assertEquals(recommendedFor(10_000, 40_000, 80_000), ["/trim", 10_000]);
  assertEquals(recommendedFor(9_999, 10_000, 80_000), ["/trim --depth deep", 10_000]);
  assertEquals(recommendedFor(522, 9_999, 80_000), ["/rollover", 80_000]);
  // The API counts more tokens than the messages have, so it is unknown how many a rollover frees.
  assertEquals(recommendedFor(0, 0, 9_999), ["/rollover", null]);
  assertEquals(recommend(undefined), { remedy: "light", command: "/trim", freed: null });
  assertEquals(recommend(record(19_999, 20_000, 80_000), {}, 20).remedy, "deep");
});

Deno.test("shortAdvice() returns the recommendation in a few words", () => {
  assertEquals(shortAdvice(record(34_000, 50_000, 80_000)), "/trim frees 34,000");
  const inThousands = (tokens: number): string => `${tokens / 1000}k`;
  assertEquals(shortAdvice(record(0, 0, 80_000), {}, inThousands), "/rollover frees 80k");
  assertEquals(shortAdvice(record(0, 0, 0)), "/rollover");
  assertEquals(shortAdvice(undefined), "/trim makes room");
});

/** Returns a warning without its usage. */
function adviceText(...args: DropFirst<Parameters<typeof warningText>>): string {
  return warningText(70, ...args).replace(/^Context at 70%\. /, "");
}

type DropFirst<All extends unknown[]> = All extends [unknown, ...infer Rest] ? Rest : never;

const KNOWN = record(34_000, 50_000, 80_000);
const LITTLE = record(522, 600, 80_000);
const KNOWN_FIGURES = "it frees about 34,000 tokens (/trim --depth deep 50,000, /rollover 80,000).";

Deno.test("warningText() recommends one command at every level, and lists the tokens that each command frees", () => {
  assertEquals(
    adviceText("warn", record(522, 12_000, 80_000)),
    "Consider /trim --depth deep if response quality feels degraded: it frees about 12,000 tokens " +
      "(/trim 522, /rollover 80,000).",
  );
  assertEquals(adviceText("recommend", KNOWN), `Recommend /trim soon: ${KNOWN_FIGURES}`);
  assertEquals(
    adviceText("urgent", LITTLE),
    "Use /rollover now to avoid lossy auto-compaction: it frees about 80,000 tokens " +
      "(/trim 522, /trim --depth deep 600).",
  );
  // The API counts more tokens than the messages have, so it is unknown how many a rollover frees.
  assertEquals(
    adviceText("warn", record(0, 0, 12)),
    "Consider /rollover if response quality feels degraded: a trim frees little " +
      "(/trim 0, /trim --depth deep 0).",
  );
});

Deno.test("warningText() warns of a lossy compaction only if the client compacts and trimtab does not trim first", () => {
  const answer = adviceText("urgent", KNOWN, { limitKind: "answer" });
  assertEquals(answer, `Use /trim now, before the window is full: ${KNOWN_FIGURES}`);
  const options = { isTrimFirst: true };
  const before = "Use /trim now, or trimtab trims before the client compacts";
  assertEquals(adviceText("urgent", KNOWN, options), `${before}: ${KNOWN_FIGURES}`);
  assertEquals(adviceText("urgent", undefined, options), `${before}.`);
  assertEquals(adviceText("urgent", LITTLE, options), adviceText("urgent", LITTLE));
  assertEquals(adviceText("recommend", KNOWN, options), adviceText("recommend", KNOWN));
});

Deno.test("isTrimCertain() requires that a deep trim frees enough and that the client compacts by itself", () => {
  const at = { limit: 167_000, limitKind: "compaction" as const };
  const freed = { ...record(0, 60_000, 0), at_tokens: 143_500 };
  assertEquals(isTrimCertain(freed, at, 50), true);
  assertEquals(isTrimCertain({ ...freed, at_tokens: 143_501 }, at, 50), false);
  assertEquals(isTrimCertain(undefined, at, 50), false);
  assertEquals(isTrimCertain(freed, { ...at, limitKind: "answer" }, 50), false);
});

const NEWEST = "2026-11-24T12:00:00.000Z";

function secondsLater(seconds: number, tokens = 100_000): AdviceMoment {
  return { tokens, nowMs: Date.parse(NEWEST) + seconds * 1000 };
}

Deno.test("recommend() does not recommend a trim that pays back too late, unless the level is urgent or unknown, or the cache is cold", () => {
  const paid_back_after = { light: 51, deep: 50 };
  const known = { ...record(20_000, 30_000, 70_000), paid_back_after, newest_at: NEWEST };
  const remedyFor = (more: object, moment: AdviceMoment): string =>
    recommend({ ...known, ...more }, moment).remedy;
  const neverPaidBack = { paid_back_after: { light: 86, deep: null } };
  assertEquals(remedyFor({}, { level: "warn" }), "deep");
  assertEquals(remedyFor(neverPaidBack, { level: "recommend" }), "none");
  assertEquals(remedyFor(neverPaidBack, { level: "urgent" }), "light");
  assertEquals(remedyFor(neverPaidBack, {}), "light");
  assertEquals(remedyFor({ light: 0, deep: 0 }, { level: "warn" }), "rollover");
  assertEquals(remedyFor({ paid_back_after: undefined }, { level: "warn" }), "light");
  const later = (seconds: number, tokens?: number): AdviceMoment => ({
    ...secondsLater(seconds, tokens),
    level: "warn",
  });
  assertEquals(remedyFor(neverPaidBack, later(300)), "none");
  assertEquals(remedyFor(neverPaidBack, later(301)), "light");
  assertEquals(remedyFor({ ...neverPaidBack, cache_ttl_seconds: 3600 }, later(301)), "none");
  // The number of tokens has changed, so a later request has used the cache.
  assertEquals(remedyFor(neverPaidBack, later(301, 100_001)), "none");
});

Deno.test("warningText() explains that a trim would not pay off yet, or costs nothing extra because the cache is cold", () => {
  const paid_back_after = { light: 86, deep: 79 };
  const known = { ...record(12_000, 13_000, 70_000), paid_back_after, newest_at: NEWEST };
  assertEquals(
    adviceText("warn", known),
    "A trim would not pay off yet: it pays back after 79 requests, and half of all sessions that " +
      "are this full end within 50 more requests (/trim 12,000, /trim --depth deep 13,000, /rollover 70,000).",
  );
  assertEquals(shortAdvice(known, { level: "warn" }), "a trim would not pay off yet");
  assertEquals(
    adviceText("recommend", known, secondsLater(301)),
    "Recommend /trim soon: it frees about 12,000 tokens at no extra cost, as the prompt cache has " +
      "expired (/trim --depth deep 13,000, /rollover 70,000).",
  );
});

Deno.test("isFresh() is true until the context is a tenth larger or smaller", () => {
  const sizes = [89_999, 90_000, 110_000, 110_001];
  assertEquals(sizes.filter((tokens) => isFresh(record(1, 2, 3), tokens)), [90_000, 110_000]);
});

Deno.test("warningText() and pressureText() show the usage with the advice", () => {
  const urgent = "Context at 104%. Use /trim now to avoid lossy auto-compaction.";
  assertEquals(warningText(104, "urgent"), urgent);
  const soon = `Context at 75%. Recommend /trim soon: ${KNOWN_FIGURES}`;
  assertEquals(warningText(75, "recommend", KNOWN), soon);
  const figures = { tokens: 1_234_567, limit: 2_000_000, percent: 62 };
  assertEquals(
    pressureText({ ...figures, limitKind: "compaction" }, "warn"),
    "Context at 62%. Consider /trim if response quality feels degraded. " +
      "In use: 1,234,567 of 2,000,000 tokens.",
  );
});

Deno.test("isTooSmall() is true for a trim that frees under two percent, or nothing", () => {
  const isTooSmallAt = (after: number): boolean => isTooSmall({ before: 100_000, after });
  assertEquals([isTooSmallAt(98_001), isTooSmallAt(98_000)], [true, false]);
  assertEquals(isTooSmall({ before: 0, after: 0 }), true);
});

Deno.test("alternativeText() suggests options that free more, else mentions the remaining room or a rollover", () => {
  const textFor = (deep: number, newest: number, percent = 30): string =>
    alternativeText({ deep, newest, percent });
  const help = "This would help: adding";
  assertEquals(textFor(4_000, 0, 10), `${help} --depth deep frees 4,000 tokens`);
  const recent = "adding --keep-recent 0 frees 9 tokens of the newest outputs";
  assertEquals(textFor(0, 9), `This would help: ${recent}`);
  assertEquals(textFor(1, 9), `${help} --depth deep frees 1 tokens; ${recent}`);
  assertEquals(textFor(0, 0, 29), "There is room: the context is at 29%");
  assertEquals(textFor(0, 0), "This would help: /rollover");
  const otherwise = "Nothing helps";
  assertEquals(alternativeText({ deep: 0, newest: 0, percent: 30, otherwise }), otherwise);
});
