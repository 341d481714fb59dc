import { assertEquals } from "@std/assert";
import { isNoLouder } from "../../src/config/quieter.ts";

type Case = readonly [
  table: Parameters<typeof isNoLouder>[0],
  key: string,
  userValue: unknown,
  quiet: readonly unknown[],
  loud: readonly unknown[],
];

const CASES: readonly Case[] = [
  ["live", "max_chars", 100, [100, 101], [99, "100", null]],
  ["live", "max_chars", null, [], [100]],
  ["inside", "compact_after_trim_percent", 50, [50, 49], [51, "50"]],
  ["inside", "compact_after_trim_percent", "50", [], [49]],
  ["live", "tools", ["Bash", "Grep"], [["Grep"], [], ["Grep", "Bash"]], [["Read"], "Bash", null]],
  ["live", "tools", "Bash", [], [["Bash"]]],
  ["live", "protect", ["a"], [["a"], ["b", "a"]], [[], ["b"], "a"]],
  ["live", "enabled", false, [false], [true]],
  ["live", "enabled", true, [false, true], ["yes"]],
  ["inside", "before_compaction", "save", ["save"], ["auto", "trim"]],
  ["inside", "before_compaction", "auto", ["save", "auto"], ["trim"]],
  ["inside", "before_compaction", "trim", ["save", "auto", "trim"], ["other"]],
  ["live", "no_such_key", 1, [], [1]],
];

Deno.test("isNoLouder() allows a project's value that does no more than the user's own", () => {
  for (const [table, key, userValue, quiet, loud] of CASES) {
    for (const [values, expected] of [[quiet, true], [loud, false]] as const) {
      for (const value of values) {
        const name = `${table}.${key}: ${JSON.stringify(value)} over ${JSON.stringify(userValue)}`;
        assertEquals([name, isNoLouder(table, key, value, userValue)], [name, expected]);
      }
    }
  }
});
