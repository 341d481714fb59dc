import { assertEquals } from "@std/assert";
import { durationText, thousands } from "../../src/inject/bound.ts";

Deno.test("thousands() changes its unit at a thousand and at a million", () => {
  const counts = [999, 1_000, 999_499, 999_500, 1_200_000];
  assertEquals(counts.map(thousands), ["999", "1k", "999k", "1M", "1.2M"]);
});

Deno.test("durationText() changes its unit at a minute, an hour and a day", () => {
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
  const durations = [minute - 1, minute, hour - 1, hour, day - 1, day];
  assertEquals(durations.map(durationText), ["", "1m", "59m", "1h", "23h", "1d"]);
});
