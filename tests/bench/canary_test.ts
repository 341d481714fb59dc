import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { canaryPage, FACTS, runCanaries } from "../../bench/canary.ts";

/** Minimum number of planted facts that each method must keep. */
const MIN_KEPT: Readonly<Record<string, number>> = {
  "`/trim`": 14,
  "`/trim --depth deep`": 13,
  checkpoint: 10,
  "snapshot (essential)": 7,
  "snapshot (standard)": 9,
  handoff: 9,
};

Deno.test("runCanaries() keeps enough planted facts with each method", async () => {
  const results = await runCanaries();
  assertEquals(results.map(({ name }) => name), Object.keys(MIN_KEPT));
  for (const { name, kept } of results) {
    const missing = FACTS.filter((_, index) => !kept[index]).map(({ what }) => what);
    const count = FACTS.length - missing.length;
    assert(count >= (MIN_KEPT[name] ?? 0), `${name} lost ${missing.join("; ")}`);
  }
  assertStringIncludes(canaryPage(results), "\n- the first request\n");
});
