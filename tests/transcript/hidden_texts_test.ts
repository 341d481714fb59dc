import { assertEquals } from "@std/assert";
import { contentChars, contentParts } from "../../src/transcript/content.ts";
import { readEntries } from "../../src/transcript/entry.ts";
import { hiddenFactor } from "../../src/transcript/content.ts";
import { hiddenTexts, noteHidden } from "../../src/transcript/hidden_texts.ts";
import { LONG_LINE_BYTES, LONG_TEXT_BYTES, readBriefly } from "../../src/transcript/long_lines.ts";

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** What is counted of a line that is read briefly. */
function briefChars(line: Uint8Array): number {
  const [found] = readBriefly(line);
  const parts = found === undefined ? [] : contentParts(found.entry);
  noteHidden(parts, hiddenTexts(line));
  return contentChars(parts);
}

function wholeChars(line: Uint8Array): number {
  return readEntries(line).reduce((sum, entry) => sum + contentChars(contentParts(entry)), 0);
}

Deno.test("noteHidden() counts of a line what it counts read whole, wherever its texts stand", () => {
  const units = 'a b"\\\n\u0001é語😀/';
  const long = units.repeat(LONG_LINE_BYTES / 20);
  const other = `other ${units}`.repeat(LONG_TEXT_BYTES / 16);
  const result = { type: "tool_result", tool_use_id: "t", content: long };
  const mixed = [{ type: "text", text: "short" }, { type: "text", text: other }];
  const line = bytes(JSON.stringify({
    type: "user",
    message: { content: [result, { ...result, tool_use_id: "u", content: mixed }] },
    toolUseResult: { stdout: long, other },
  }));
  assertEquals(briefChars(line), wholeChars(line));
  const call = { type: "tool_use", id: "t", name: "Write", input: { content: long } };
  const said = bytes(JSON.stringify({ type: "assistant", message: { content: [call] }, other }));
  assertEquals(briefChars(said), wholeChars(said));
});

Deno.test("hiddenTexts() counts a pair of escapes as one character", () => {
  const text = "\\ud83d\\ude00".repeat(LONG_TEXT_BYTES / 12) + "a";
  const line = bytes(`{"text":"${text}\\ud83d\\uDE00"}`);
  const chars = hiddenTexts(line).map((one) => one.chars);
  const head = hiddenTexts(line).map((one) => [...one.head].length);
  assertEquals((chars[0] ?? 0) + (head[0] ?? 0), Math.floor(LONG_TEXT_BYTES / 12) + 2);
});

Deno.test("hiddenTexts() finds nothing in a line of short texts, and nothing in a mirror", () => {
  assertEquals(hiddenTexts(bytes('{"text":"short"}')), []);
  const mirror = { toolUseResult: { stdout: "x".repeat(LONG_TEXT_BYTES + 1) }, uuid: "a" };
  assertEquals(hiddenTexts(bytes(JSON.stringify(mirror))), []);
});

Deno.test("hiddenFactor() is how many times as long the whole is as what was read", () => {
  assertEquals(hiddenFactor(undefined), 1);
  assertEquals(hiddenFactor({ kind: "text", text: "ab" }), 1);
  assertEquals(hiddenFactor({ kind: "text", text: "ab", hiddenChars: 4 }), 3);
});
