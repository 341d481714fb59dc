import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import fc from "fast-check";
import { BLOCK_BYTES, BlockReader, type ByteSource } from "../../src/transcript/lines.ts";

const RUN = { numRuns: 150, seed: 20_261_122 };

const encoder = new TextEncoder();

/** Gives out bytes in portions of the given sizes, over and over. */
function portions(bytes: Uint8Array, sizes: readonly number[]): ByteSource {
  let at = 0;
  let turn = 0;
  return {
    readSync(into): number | null {
      if (at === bytes.length) return null;
      const size = sizes[turn++ % sizes.length] ?? 1;
      const count = Math.min(size, into.length, bytes.length - at);
      into.set(bytes.subarray(at, at + count));
      at += count;
      return count;
    },
  };
}

interface Block {
  bytes: number[];
  offset: number;
  isTerminated: boolean;
}

function blocksOf(reader: BlockReader): Block[] {
  const blocks: Block[] = [];
  while (reader.next()) {
    const { bytes, start, end, offset, isTerminated } = reader;
    blocks.push({ bytes: [...bytes.subarray(start, end)], offset, isTerminated });
  }
  return blocks;
}

function texts(blocks: readonly Block[]): string[] {
  return blocks.map(({ bytes }) => new TextDecoder().decode(new Uint8Array(bytes)));
}

Deno.test("BlockReader hands out whole lines when the source gives one byte at a time", () => {
  const reader = new BlockReader(portions(encoder.encode("é\n\n😀x\n"), [1]));
  assertEquals(texts(blocksOf(reader)), ["é\n", "\n", "😀x\n"]);
});

Deno.test("BlockReader keeps lines together that come together", () => {
  const reader = new BlockReader(portions(encoder.encode("a\nb\nc"), [100]));
  assertEquals(blocksOf(reader), [
    { bytes: [97, 10, 98, 10], offset: 0, isTerminated: true },
    { bytes: [99], offset: 4, isTerminated: false },
  ]);
});

Deno.test("BlockReader gathers one line over many reads", () => {
  const line = "0123456789".repeat(50);
  const reader = new BlockReader(portions(encoder.encode(`${line}\nnext\n`), [7]), {
    blockBytes: 16,
  });
  assertEquals(texts(blocksOf(reader)).join(""), `${line}\nnext\n`);
  assertEquals(reader.offset + reader.end - reader.start, line.length + 6);
});

Deno.test("BlockReader has nothing to give for an empty source, however often it is asked", () => {
  const reader = new BlockReader(portions(new Uint8Array(0), [1]));
  assertEquals([reader.next(), reader.next(), reader.offset], [false, false, 0]);
});

Deno.test("BlockReader stays at the end once it is there", () => {
  const reader = new BlockReader(portions(encoder.encode("a\nb"), [9]));
  assertEquals(blocksOf(reader).length, 2);
  assertEquals([reader.next(), reader.offset], [false, 3]);
});

Deno.test("BlockReader takes a read of 0 bytes for the end", () => {
  const reader = new BlockReader({ readSync: () => 0 });
  assertEquals(reader.next(), false);
});

Deno.test("BlockReader stops at limitBytes, in the middle of a line if need be", () => {
  const bytes = encoder.encode("one\ntwo\nthree\n");
  for (const sizes of [[1], [5], [100]]) {
    const blocks = blocksOf(new BlockReader(portions(bytes, sizes), { limitBytes: 6 }));
    assertEquals(texts(blocks).join(""), "one\ntw");
    assertEquals(blocks.at(-1)?.isTerminated, false);
  }
  assertEquals(blocksOf(new BlockReader(portions(bytes, [9]), { limitBytes: 0 })), []);
  const whole = blocksOf(new BlockReader(portions(bytes, [9]), { limitBytes: bytes.length }));
  assertEquals(texts(whole).join(""), "one\ntwo\nthree\n");
});

Deno.test("BlockReader does not ask the source for more than limitBytes", () => {
  let asked = 0;
  const source = {
    readSync(into: Uint8Array): number {
      asked += into.length;
      return into.length;
    },
  };
  blocksOf(new BlockReader(source, { limitBytes: 100, blockBytes: 64 }));
  assertEquals(asked, 100);
});

Deno.test("BlockReader leaves alone what is appended behind limitBytes while it reads", () => {
  const path = Deno.makeTempFileSync();
  try {
    Deno.writeTextFileSync(path, "first\n");
    using file = Deno.openSync(path);
    const reader = new BlockReader(file, { limitBytes: file.statSync().size });
    Deno.writeTextFileSync(path, "second\n", { append: true });
    assertEquals(texts(blocksOf(reader)), ["first\n"]);
  } finally {
    Deno.removeSync(path);
  }
});

Deno.test("BlockReader gives back every byte, in blocks that end with a newline", () => {
  const content = fc.array(fc.constantFrom(10, 10, 13, 34, 97, 0xc3, 0xff), { maxLength: 200 });
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(content, sizes, fc.integer({ min: 1, max: 32 }), (bytes, reads, blockBytes) => {
      const reader = new BlockReader(portions(new Uint8Array(bytes), reads), { blockBytes });
      const blocks = blocksOf(reader);
      assertEquals(blocks.flatMap((block) => block.bytes), bytes);
      let offset = 0;
      for (const [i, block] of blocks.entries()) {
        assertEquals(block.offset, offset);
        assertEquals(block.isTerminated, block.bytes.at(-1) === 10);
        assert(block.isTerminated || i === blocks.length - 1);
        offset += block.bytes.length;
      }
    }),
    RUN,
  );
});

Deno.test("BlockReader grows its buffer to no more than twice the longest line and its blocks", () => {
  const lengths = fc.array(fc.nat(3000), { maxLength: 8 });
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 128 }), (lines, blockBytes) => {
      const bytes = encoder.encode(lines.map((length) => "x".repeat(length) + "\n").join(""));
      const reader = new BlockReader(portions(bytes, [50]), { blockBytes });
      blocksOf(reader);
      assertLessOrEqual(reader.bytes.length, 2 * (Math.max(0, ...lines) + 1 + blockBytes));
    }),
    RUN,
  );
});

Deno.test("BlockReader reads a line of 100 MB in a buffer of at most twice its size and a block", () => {
  const length = 100_000_000;
  let given = 0;
  const source = {
    readSync(into: Uint8Array): number | null {
      if (given > length) return null;
      const count = Math.min(into.length, length + 1 - given);
      into.subarray(0, count).fill(0x61);
      given += count;
      if (given > length) into[count - 1] = 0x0a;
      return count;
    },
  };
  const reader = new BlockReader(source);
  assert(reader.next());
  assertEquals(reader.end - reader.start, length + 1);
  assertEquals(reader.bytes[reader.end - 1], 0x0a);
  assertEquals(reader.bytes.subarray(reader.start, reader.end).indexOf(0x0a), length);
  assertLessOrEqual(reader.bytes.length, 2 * length + BLOCK_BYTES);
  assertEquals(reader.next(), false);
});

Deno.test("BlockReader grows its buffer no further than there is left to read", () => {
  const bytes = new TextEncoder().encode("x".repeat(700) + "\n");
  let at = 0;
  const source = {
    readSync(into: Uint8Array): number | null {
      const part = bytes.subarray(at, at + into.length);
      into.set(part);
      at += part.length;
      return part.length === 0 ? null : part.length;
    },
  };
  const reader = new BlockReader(source, { blockBytes: 64, limitBytes: bytes.length });
  assertEquals(reader.next(), true);
  assertEquals([reader.end - reader.start, reader.bytes.length], [701, 701]);
  assertEquals([reader.next(), at], [false, 701]);
});
