import { assertEquals } from "@std/assert";
import {
  type Evidence,
  evidenceOf,
  printedExit,
  withoutEchoes,
} from "../../src/core/chain_ends.ts";
import { partsOf } from "../../src/core/shell_commands.ts";

Deno.test("evidenceOf() reads escaped quotes in filters and redirections", () => {
  const evidenceIn = (line: string): Evidence =>
    evidenceOf(partsOf(line), 0, { output: "", failedIndex: -1 });
  assertEquals(evidenceIn(String.raw`tsc | grep -v "a\"|b"`), "exit code");
  assertEquals(evidenceIn("tsc | grep a"), "output");
  assertEquals(evidenceIn(String.raw`tsc "a\" > b" | head`), "exit code");
  assertEquals(evidenceIn('tsc > "my log" | head'), "nothing");
});

Deno.test("evidenceOf() trusts an error word in the output only if the line passed, and a compile error always", () => {
  const evidenceIn = (output: string, failedIndex: number): Evidence =>
    evidenceOf(partsOf("tsc | head && make"), 0, { output, failedIndex });
  assertEquals([evidenceIn("", -1), evidenceIn("", 1)], ["exit code", "exit code"]);
  const word = "make: failed";
  assertEquals([evidenceIn(word, -1), evidenceIn(word, 1)], ["output", "exit code"]);
  const error = "src/a.ts:1:2: a name is unknown";
  assertEquals([evidenceIn(error, -1), evidenceIn(error, 1)], ["output", "output"]);
});

Deno.test("printedExit() ignores an echo of the exit code if its output goes to a file or a filter", () => {
  const exitIn = (line: string): number | undefined => printedExit(partsOf(line), 0, "ok\nexit 1");
  assertEquals(exitIn("make; echo exit $?"), 1);
  assertEquals(exitIn("make; echo $HOST exit $?"), undefined);
  assertEquals(exitIn("make; echo exit $? > log"), undefined);
  assertEquals(exitIn("make; echo exit $? | tee log"), undefined);
});

Deno.test("withoutEchoes() keeps a line with an echo's text if the echo's output goes to a file or a filter", () => {
  const restOf = (line: string): string =>
    withoutEchoes(partsOf(line), "built\ndone", { keepsFallback: false });
  assertEquals(restOf("make && echo done"), "built\n");
  assertEquals(restOf("make && echo done > log"), "built\ndone");
  assertEquals(restOf("make && echo done | cat"), "built\ndone");
});
