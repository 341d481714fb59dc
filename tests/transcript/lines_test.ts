import { assert, assertEquals, assertLess, assertLessOrEqual, assertThrows } from "@std/assert";
import fc from "fast-check";
import { testInFull } from "../full.ts";
import {
  BlockReader,
  type Line,
  MAX_LINE_BYTES,
  readLines,
  readLinesBackward,
  type SeekableSource,
} from "../../src/transcript/lines.ts";
import { temporaryFile } from "./temporary_file.ts";

const RUN = { numRuns: 400, seed: 20_261_122 };

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

class MemoryFile implements SeekableSource {
  bytesRead = 0;
  bytesAsked = 0;
  #at = 0;

  readonly bytes: Uint8Array;
  readonly perRead: number;

  constructor(content: Uint8Array | string, perRead = Infinity) {
    this.bytes = typeof content === "string" ? encoder.encode(content) : content;
    this.perRead = perRead;
  }

  readSync(into: Uint8Array): number | null {
    this.bytesAsked += into.length;
    const count = Math.min(this.perRead, into.length, this.bytes.length - this.#at);
    if (count === 0) return null;
    into.set(this.bytes.subarray(this.#at, this.#at + count));
    this.#at += count;
    this.bytesRead += count;
    return count;
  }

  seekSync(offset: number): number {
    this.#at = offset;
    return offset;
  }
}

/** The bytes of a line are valid only until the next line is read, so they are copied. */
function copies(lines: Iterable<Line>): Line[] {
  const all: Line[] = [];
  for (const { bytes, offset } of lines) all.push({ bytes: bytes.slice(), offset });
  return all;
}

function texts(lines: Iterable<Line>): string[] {
  return copies(lines).map(({ bytes }) => decoder.decode(bytes));
}

Deno.test("readLines() splits the bytes of a file at newlines, up to a limit", () => {
  const content = fc.array(fc.constantFrom(10, 10, 13, 97, 0xc3, 0xff), { maxLength: 80 });
  const size = fc.integer({ min: 1, max: 20 });
  const property = fc.property(
    content,
    size,
    size,
    fc.nat(90),
    (all, perRead, blockBytes, limitBytes) => {
      const bytes = new Uint8Array(all);
      const options = { blockBytes, limitBytes };
      const file = new MemoryFile(bytes, perRead);
      let offset = 0;
      let count = 0;
      for (const line of readLines(file, options)) {
        assertEquals([line.offset, line.number], [offset, ++count]);
        assertEquals(line.bytes, bytes.subarray(offset, offset + line.bytes.length));
        assert(!line.bytes.includes(10));
        const end = offset + line.bytes.length;
        offset = Math.min(end + 1, limitBytes, bytes.length);
        assert(offset === end || bytes[end] === 10);
      }
      assertEquals(offset, Math.min(limitBytes, bytes.length));
      assertLessOrEqual(file.bytesRead, limitBytes);
    },
  );
  fc.assert(property, RUN);
});

Deno.test("readLinesBackward() returns the lines in reverse, even if a line spans several reads", () => {
  const short = fc.array(fc.constantFrom(10, 10, 97, 0xff), { maxLength: 60 });
  const property = fc.property(short, fc.integer({ min: 1, max: 20 }), (all, perRead) => {
    const file = new MemoryFile(new Uint8Array(all), perRead);
    const ahead = copies(readLines(file));
    assertEquals(copies(readLinesBackward(file, all.length)), ahead.toReversed());
  });
  fc.assert(property, RUN);
  const near = fc.integer({ min: 65_530, max: 65_540 });
  const lengths = fc.array(fc.oneof(fc.nat(3), near, fc.nat(200_000)), { maxLength: 6 });
  const places = (lines: Iterable<Line>): unknown[] =>
    copies(lines).map(({ bytes, ...line }) => ({ ...line, length: bytes.length }));
  fc.assert(
    fc.property(lengths, fc.constantFrom("", "\n"), (all, end) => {
      const file = new MemoryFile(all.map((length) => "x".repeat(length)).join("\n") + end);
      const ahead = places(readLines(file));
      assertEquals(places(readLinesBackward(file, file.bytes.length)), ahead.toReversed());
    }),
    { numRuns: 60, seed: RUN.seed },
  );
});

Deno.test("BlockReader returns every byte, in blocks that end with a newline, except possibly the last", () => {
  const content = fc.array(fc.constantFrom(10, 10, 13, 34, 97, 0xc3, 0xff), { maxLength: 200 });
  const size = fc.integer({ min: 1, max: 40 });
  const property = fc.property(content, size, size, (bytes, perRead, blockBytes) => {
    const reader = new BlockReader(new MemoryFile(new Uint8Array(bytes), perRead), { blockBytes });
    const received: number[] = [];
    let hasEnded = false;
    while (reader.next()) {
      assert(!hasEnded);
      assertEquals(reader.offset, received.length);
      received.push(...reader.bytes.subarray(reader.start, reader.end));
      hasEnded = received.at(-1) !== 10;
    }
    assertEquals(received, bytes);
    assertEquals([reader.next(), reader.offset], [false, bytes.length]);
  });
  fc.assert(property, RUN);
  assertEquals(new BlockReader({ readSync: () => 0 }).next(), false);
});

Deno.test("BlockReader reads no more than its limit, and ignores appended bytes", () => {
  const source = new MemoryFile("x".repeat(200));
  const limited = new BlockReader(source, { limitBytes: 100, blockBytes: 64 });
  while (limited.next());
  assertEquals(source.bytesAsked, 100);
  using temporary = temporaryFile("first\n");
  using file = Deno.openSync(temporary.path);
  const reader = readLines(file, { limitBytes: file.statSync().size });
  Deno.writeTextFileSync(temporary.path, "second\n", { append: true });
  assertEquals(texts(reader), ["first"]);
});

Deno.test("BlockReader limits its buffer to twice the longest line and a block, and to the rest of the file", () => {
  const lengths = fc.array(fc.nat(3000), { maxLength: 8 });
  const property = fc.property(lengths, fc.integer({ min: 1, max: 128 }), (lines, blockBytes) => {
    const text = lines.map((length) => "x".repeat(length) + "\n").join("");
    const reader = new BlockReader(new MemoryFile(text, 50), { blockBytes });
    while (reader.next());
    assertLessOrEqual(reader.bytes.length, 2 * (Math.max(0, ...lines) + 1 + blockBytes));
  });
  fc.assert(property, RUN);
  const file = new MemoryFile("x".repeat(700) + "\n");
  const reader = new BlockReader(file, { blockBytes: 64, limitBytes: 701 });
  assertEquals(reader.next(), true);
  assertEquals([reader.end - reader.start, reader.bytes.length], [701, 701]);
});

Deno.test("readLinesBackward() reads only the end of a file for its last line, and reads a very long line in full", () => {
  const file = new MemoryFile("a line\n".repeat(100_000));
  const first = readLinesBackward(file, file.bytes.length).next();
  assertEquals(first.value?.offset, 699_993);
  assertLess(file.bytesRead, 100_000);
  const long = new MemoryFile(new Uint8Array(20_000_000).fill(0x61));
  const [line] = copies(readLinesBackward(long, long.bytes.length));
  assertEquals([line?.offset, line?.bytes.length], [0, long.bytes.length]);
});

Deno.test("readLinesBackward() starts at the given size, and throws if the file is shorter", () => {
  const file = new MemoryFile("one\ntwo\nthree\n");
  assertEquals(texts(readLinesBackward(file, 8)), ["two", "one"]);
  assertEquals(texts(readLinesBackward(file, 6)), ["tw", "one"]);
  assertEquals(texts(readLinesBackward(file, 0)), []);
  const message = "Cannot read the file's end: it shrank below 9 bytes";
  const read = (): unknown => readLinesBackward(new MemoryFile("one\n"), 9).next();
  assertThrows(read, RangeError, message);
});

testInFull({
  name: "readLines() and readLinesBackward() refuse a line above the length limit",
  fn: () => {
    using temporary = temporaryFile("{}\n");
    // NULs that use no disk space, as after a power cut.
    const size = 2 * MAX_LINE_BYTES;
    Deno.truncateSync(temporary.path, size);
    using file = Deno.openSync(temporary.path);
    const expectedMessage = "Cannot read a line of more than 128 MB";
    assertThrows(() => [...readLines(file)], RangeError, expectedMessage);
    assertThrows(() => readLinesBackward(file, size).next(), RangeError, expectedMessage);
    assertEquals([...readLinesBackward(file, size, 1_000)], []);
  },
});
