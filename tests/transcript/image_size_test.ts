import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { readImageSize } from "../../src/transcript/tokens/pictures.ts";

const RUNS = { numRuns: 2000, seed: 20261122 };

function bytes(...parts: (string | number[])[]): Uint8Array {
  return new Uint8Array(
    parts.flatMap((part) =>
      typeof part === "string" ? [...part].map((char) => char.charCodeAt(0)) : part
    ),
  );
}

const PNG = "\x89PNG\r\n\x1a\n";
const CASES: Record<string, [file: Uint8Array, size: [number, number] | undefined]> = {
  "a PNG": [bytes(PNG, [0, 0, 0, 13], "IHDR", [0, 0, 4, 0, 0, 1, 0x2c, 0x10]), [1024, 76_816]],
  "a PNG that is cut off": [bytes(PNG, [0, 0, 0, 13], "IHDR", [0, 0, 4]), undefined],
  "a PNG of no width": [bytes(PNG, [0, 0, 0, 13], "IHDR", [0, 0, 0, 0, 0, 0, 0, 5]), undefined],
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
  "a JPEG whose frame stands further behind": [bytes([0xff, 0xd8, 0xff, 0xe1, 0xff, 0]), undefined],
  "a JPEG that is broken": [bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2], "no marker"), undefined],
  "a lossy WebP": [
    bytes("RIFF", [0, 0, 0, 0], "WEBPVP8 ", [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 0x20, 3, 0x58, 2]),
    [800, 600],
  ],
  "a lossless WebP": [
    bytes("RIFF", [0, 0, 0, 0], "WEBPVP8L", [0, 0, 0, 0, 0x2f], [0x1f, 0xc3, 0x95, 0], "xxxxx"),
    [800, 600],
  ],
  "an extended WebP": [
    bytes("RIFF", [0, 0, 0, 0], "WEBPVP8X", [10, 0, 0, 0, 0, 0, 0, 0], [0x1f, 3, 0, 0x57, 2, 0]),
    [800, 600],
  ],
  "a WebP of another kind": [bytes("RIFF", [0, 0, 0, 0], "WEBPXXXX", Array(14).fill(1)), undefined],
  "a WebP that is cut off": [bytes("RIFF", [0, 0, 0, 0], "WEBPVP8X"), undefined],
  "a text": [bytes("just words"), undefined],
  "nothing": [bytes(), undefined],
};

for (const [name, [file, size]] of Object.entries(CASES)) {
  Deno.test(`readImageSize() of ${name}`, () => {
    const [width, height] = size ?? [];
    assertEquals(readImageSize(file), size === undefined ? undefined : { width, height });
  });
}

Deno.test("readImageSize() answers whatever follows the first bytes of a picture", () => {
  const heads = fc.constantFrom(
    PNG,
    "\xff\xd8\xff",
    "GIF89a",
    "RIFF0000WEBPVP8 ",
    "RIFF0000WEBPVP8L",
  );
  fc.assert(
    fc.property(heads, fc.uint8Array({ maxLength: 64 }), (head, rest) => {
      const size = readImageSize(bytes(head, [...rest]));
      if (size === undefined) return;
      assertEquals(
        [size.width, size.height].every((side) => Number.isInteger(side) && side > 0),
        true,
      );
    }),
    RUNS,
  );
});
