import { assertEquals, assertThrows } from "@std/assert";
import { getContextPercentageFromFile } from "../../src/designs/percent.ts";
import { MAX_USAGE_TAIL_BYTES } from "../../src/transcript/tokens/tail_usage.ts";
import { newFolder } from "../folder.ts";

function percentOf(text: string | Uint8Array): number | null {
  const path = Deno.makeTempFileSync();
  try {
    Deno.writeFileSync(path, typeof text === "string" ? new TextEncoder().encode(text) : text);
    return getContextPercentageFromFile(path);
  } finally {
    Deno.removeSync(path);
  }
}

function metadata(contextTokens: unknown, maxContextTokens: unknown): string {
  return JSON.stringify({ contextTokens, maxContextTokens }) + "\n";
}

Deno.test("getContextPercentageFromFile() rounds down", () => {
  assertEquals(percentOf(metadata(50_999, 100_000)), 50);
  assertEquals(percentOf(metadata(999, 1_000)), 99);
  assertEquals(percentOf(metadata(0, 1_000)), 0);
  assertEquals(percentOf(metadata(1_500, 1_000)), 150);
  // In binary, 0.29 and 0.57 are a little less than their decimal values.
  assertEquals(percentOf(metadata(29, 100)), 29);
  assertEquals(percentOf(metadata(57, 100)), 57);
});

Deno.test("getContextPercentageFromFile() skips lines that it cannot read", () => {
  const lines = metadata(10, 100) + "\n\r\nnot json\n[1]\nnull\n" + metadata("20", 100) +
    metadata(20, undefined) + '{"contextTokens":30,"maxContextTok';
  assertEquals(percentOf(lines), 10);
  const broken = new Uint8Array([...new TextEncoder().encode(metadata(10, 100)), 0xff, 0xfe, 10]);
  assertEquals(percentOf(broken), 10);
});

Deno.test("getContextPercentageFromFile() searches no further back than a search for usage", () => {
  const path = Deno.makeTempFileSync();
  const line = metadata(10, 100);
  try {
    Deno.writeTextFileSync(path, line);
    // Pads the file with zeros, which form one long line and take no space on the disk.
    Deno.truncateSync(path, MAX_USAGE_TAIL_BYTES);
    assertEquals(getContextPercentageFromFile(path), 10);
    Deno.truncateSync(path, MAX_USAGE_TAIL_BYTES + 1);
    assertEquals(getContextPercentageFromFile(path), null);
  } finally {
    Deno.removeSync(path);
  }
});

Deno.test("getContextPercentageFromFile() uses the usage and the client's limit without a metadata line", () => {
  const answer = (model: string, tokens: number): string => {
    const message = {
      id: "msg_1",
      role: "assistant",
      model,
      content: [],
      usage: { input_tokens: 3 },
    };
    const usage = { input_tokens: 3, cache_read_input_tokens: tokens - 3, output_tokens: 900 };
    return JSON.stringify({
      type: "assistant",
      uuid: "a",
      parentUuid: null,
      message: { ...message, usage },
    }) + "\n";
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
