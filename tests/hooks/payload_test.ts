import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { MAX_PAYLOAD_BYTES, readPayload } from "../../hooks/_payload.ts";
import { textOf } from "../../src/events/call.ts";
import "../own_config.ts";

type PayloadSource = Parameters<typeof readPayload>[0];

const RUNS = { numRuns: 50, seed: 20260319 };

function sourceOf(bytes: Uint8Array, pieceBytes: number): PayloadSource {
  let position = 0;
  return {
    readSync(into): number | null {
      if (position >= bytes.length) return null;
      const count = Math.min(pieceBytes, into.length, bytes.length - position);
      into.set(bytes.subarray(position, position + count));
      position += count;
      return count;
    },
  };
}

Deno.test("readPayload() reads all bytes, in pieces of any size", () => {
  const length = fc.integer({ min: 0, max: 300_000 });
  fc.assert(
    fc.property(length, fc.integer({ min: 1, max: 100_000 }), (size, pieceBytes) => {
      const bytes = Uint8Array.from({ length: size }, (_, index) => index % 251);
      const read = readPayload(sourceOf(bytes, Math.max(pieceBytes, size >> 8)));
      assertEquals(read.length, size);
      assertEquals(read.every((byte, index) => byte === index % 251), true);
    }),
    RUNS,
  );
});

Deno.test("readPayload() reads an oversized payload to its end, and keeps none of it", () => {
  let left = MAX_PAYLOAD_BYTES + 1;
  const source: PayloadSource = {
    readSync(into): number | null {
      if (left === 0) return null;
      const count = Math.min(left, into.length);
      left -= count;
      return count;
    },
  };
  assertEquals(readPayload(source).length, 0);
  assertEquals(left, 0);
});

Deno.test("textOf() returns only own, non-empty strings", () => {
  const payload = { a: "x", b: "", c: 7, d: null };
  const keys = ["a", "b", "c", "d", "e", "toString", "__proto__"];
  assertEquals(keys.map((key) => textOf(payload, key)), ["x", ...Array(6).fill(undefined)]);
});
