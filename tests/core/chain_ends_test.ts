import { assertEquals } from "@std/assert";
import { type Evidence, evidenceOf } from "../../src/core/chain_ends.ts";
import { partsOf } from "../../src/core/shell_commands.ts";

Deno.test("evidenceOf() reads escaped quotes in filters and redirections", () => {
  const evidenceIn = (line: string): Evidence =>
    evidenceOf(partsOf(line), 0, { output: "", stop: -1 });
  assertEquals(evidenceIn(String.raw`tsc | grep -v "a\"|b"`), "exit code");
  assertEquals(evidenceIn("tsc | grep a"), "output");
  assertEquals(evidenceIn(String.raw`tsc "a\" > b" | head`), "exit code");
  assertEquals(evidenceIn('tsc > "my log" | head'), "nothing");
});
