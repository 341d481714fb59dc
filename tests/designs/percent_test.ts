import { assertEquals, assertThrows } from "@std/assert";
import { getContextPercentageFromFile } from "../../src/designs/percent.ts";
import { answer as answerLine } from "../gauge/transcript.ts";
import { newFolder } from "../folder.ts";

function percentOf(text: string): number | null {
  using folder = newFolder();
  Deno.writeTextFileSync(`${folder.path}/s.jsonl`, text);
  return getContextPercentageFromFile(`${folder.path}/s.jsonl`);
}

function metadata(contextTokens: unknown, maxContextTokens: unknown): string {
  return JSON.stringify({ contextTokens, maxContextTokens }) + "\n";
}

Deno.test("getContextPercentageFromFile() rounds the percentage of a metadata line down", () => {
  // In binary, 0.29 and 0.57 are a little less than their decimal values.
  const exact = [[29, 100, 29], [57, 100, 57]] as const;
  const rounded = [[50_999, 100_000, 50], [999, 1_000, 99]] as const;
  for (const [tokens, max, percent] of [...rounded, ...exact, [0, 9, 0], [15, 10, 150]] as const) {
    assertEquals(percentOf(metadata(tokens, max)), percent);
  }
});

Deno.test("getContextPercentageFromFile() uses an answer's usage and the client's limit, unless a metadata line is newer", () => {
  const answer = (model: string, tokens: number): string => {
    // No folder can have this name, so no state of the session can be read.
    const line = answerLine("a", null, tokens, { cwd: "/a\0b" });
    return JSON.stringify({ ...line, message: { ...Object(line.message), model } }) + "\n";
  };
  assertEquals(percentOf(answer("claude-haiku-4-5", 99_999)), 56);
  assertEquals(percentOf(answer("claude-sonnet-5", 99_999)), 10);
  assertEquals(percentOf(metadata(10, 100) + answer("claude-haiku-4-5", 99_999)), 56);
  assertEquals(percentOf(answer("claude-haiku-4-5", 99_999) + metadata(10, 100)), 10);
});

Deno.test("getContextPercentageFromFile() is null for a missing file, and throws for a folder", () => {
  using folder = newFolder();
  assertEquals(getContextPercentageFromFile(`${folder.path}/none.jsonl`), null);
  assertThrows(() => getContextPercentageFromFile(`${folder.path}/bad\0name`), TypeError);
  assertThrows(() => getContextPercentageFromFile(folder.path), TypeError, "not a regular file");
});
