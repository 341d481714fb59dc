import { assertEquals, assertLess } from "@std/assert";
import {
  HIGH_RESOLUTION_IMAGE,
  imageTokens,
  readImageSize,
  STANDARD_IMAGE,
} from "../../src/transcript/tokens/pictures.ts";

function bytes(...parts: (string | number[])[]): Uint8Array {
  const codes = (part: string): number[] => [...part].map((char) => char.charCodeAt(0));
  return new Uint8Array(parts.flatMap((part) => typeof part === "string" ? codes(part) : part));
}

const PNG = "\x89PNG\r\n\x1a\n";
const IHDR = `${PNG}\0\0\0\x0dIHDR`;
const RIFF = "RIFF\0\0\0\0WEBP";
const CASES: Record<string, [file: Uint8Array, size: [number, number] | undefined]> = {
  "a PNG": [bytes(IHDR, [0, 0, 4, 0, 0, 1, 0x2c, 0x10]), [1024, 76_816]],
  "a PNG that is cut off": [bytes(IHDR, [0, 0, 4]), undefined],
  "a PNG with a width of 0": [bytes(IHDR, [0, 0, 0, 0, 0, 0, 0, 5]), undefined],
  "a GIF": [bytes("GIF89a", [0x40, 1, 0xf0, 0]), [320, 240]],
  "a GIF that is cut off": [bytes("GIF89a", [0x40, 1]), undefined],
  "a JPEG": [
    bytes(
      [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2],
      [0xff, 0xc4, 0, 3, 9],
      [0xff, 0xff, 0xc2, 0, 11, 8, 1, 0xe0, 2, 0x80],
    ),
    [640, 480],
  ],
  "a JPEG with a baseline frame": [
    bytes([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 0x20, 0, 0x40]),
    [64, 32],
  ],
  "a JPEG that is cut off before its frame": [bytes([0xff, 0xd8, 0xff, 0xe1, 0xff, 0]), undefined],
  "a JPEG that is broken": [bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2], "no marker"), undefined],
  "a lossy WebP": [
    bytes(RIFF, "VP8 ", [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 0x20, 3, 0x58, 2]),
    [800, 600],
  ],
  "a lossless WebP": [
    bytes(RIFF, "VP8L", [0, 0, 0, 0, 0x2f], [0x1f, 0xc3, 0x95, 0], "xxxxx"),
    [800, 600],
  ],
  "an extended WebP": [
    bytes(RIFF, "VP8X", [10, 0, 0, 0, 0, 0, 0, 0], [0x1f, 3, 0, 0x57, 2, 0]),
    [800, 600],
  ],
  "a WebP of another kind": [bytes(RIFF, "XXXX", Array(14).fill(1)), undefined],
  "a WebP that is cut off": [bytes(RIFF, "VP8X"), undefined],
  "plain text": [bytes("just words"), undefined],
  "nothing": [bytes(), undefined],
};

Deno.test("readImageSize() returns the size in a picture's header, or undefined without a valid header", () => {
  for (const [name, [file, size]] of Object.entries(CASES)) {
    const [width, height] = size ?? [];
    assertEquals(readImageSize(file), size && { width, height }, name);
  }
});

Deno.test("imageTokens() counts squares of 28 by 28 pixels, about width * height / 750", () => {
  assertEquals(imageTokens(1, 1), 1);
  assertEquals(imageTokens(28, 28), 1);
  assertEquals(imageTokens(29, 28), 2);
  assertEquals(imageTokens(94, 104), 16);
  assertLess(Math.abs(imageTokens(1000, 1000) / (1000 * 1000 / 750) - 1), 0.05);
});

Deno.test("imageTokens() scales a large picture down to the model's limits", () => {
  assertEquals(imageTokens(1421, 1999), STANDARD_IMAGE.tokens);
  assertEquals(imageTokens(8000, 8000), STANDARD_IMAGE.tokens);
  assertEquals(imageTokens(8000, 8000, HIGH_RESOLUTION_IMAGE), HIGH_RESOLUTION_IMAGE.tokens);
  // 3136 by 100 becomes 1568 by 50.
  assertEquals(imageTokens(3136, 100), 56 * 2);
  assertEquals(imageTokens(100, 3136), 56 * 2);
});
